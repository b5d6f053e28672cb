import { isCoded } from '../../base/errors';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import type { TableTextKey } from '../../pages/tableTexts';
import type { TableText } from '../../pages/page/pageText';
import type { LiveRegion } from '../../pages/page/widgets/liveRegion';
import type { StatusLine } from './toolbar/statusLine';

export interface TableNoticesParts {
  text: TableText;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  status: StatusLine;
  live: LiveRegion;
}

/** What the page reports of an action: in the status line, to screen readers, and a failure in the log too. */
export class TableNotices {
  constructor(private readonly parts: TableNoticesParts) {}

  say(words: string, failed = false): void {
    const { status, live } = this.parts;
    status.setNotice(words, failed);
    live.say(words);
  }

  /** `key` is that of a sentence with the reason as its argument; cancellation is no failure. */
  failed(key: TableTextKey, error: unknown): void {
    if (isCoded(error, 'cancelled')) return;
    this.say(this.parts.text.get(key, this.log(error)), true);
  }

  /** Writes a failure to the log alone, and returns its reason. */
  log(error: unknown): string {
    const reason = error instanceof Error ? error.message : String(error);
    this.parts.panel.send('failure', { message: reason });
    return reason;
  }
}
