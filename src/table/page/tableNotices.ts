import { isCoded } from '../../base/errors';
import { PageMessage } from '../../pages/page/openPage';
import type { TableText } from '../../pages/page/pageText';
import { element, fill, type LiveRegion } from '../../pages/page/widgets/element';
import type { TableTextKey } from '../../pages/tableTexts';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../tablePage';
import type { StatusLine } from './controls/statusLine';

interface TableNoticesParts {
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

/** The place of the grid: the grid itself, or a message where there are no rows to show. */
export class GridHolder {
  readonly root = element('main', { class: 'table-main' });
  private readonly message: PageMessage;

  constructor(private readonly text: TableText) {
    this.message = new PageMessage(text);
  }

  /** The table has no columns or no rows at all. */
  showEmpty(kind: 'noColumns' | 'noRows'): void {
    this.message.empty('table', this.text.get(kind), this.text.get(`${kind}Hint`));
    fill(this.root, this.message.root);
  }

  /** The rows can't be read; resolves when the user wants to try again. */
  async showFailure(reason: string): Promise<void> {
    const message = new PageMessage(this.text);
    fill(this.root, message.root);
    await message.failed(reason);
  }

  /** Makes room for the grid, which comes before the message. */
  prepare(): void {
    fill(this.root, this.message.root);
    this.message.root.hidden = true;
  }

  /** Whether no row passes the filters: then a message covers the rows, and the headers stay. */
  setNoMatches(none: boolean): void {
    this.message.root.hidden = !none;
    this.root.classList.toggle('nothing', none);
    if (none) this.message.empty('filter', this.text.get('noMatches'), this.text.get('noMatchesHint'));
  }
}
