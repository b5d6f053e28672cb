import type { PageWords } from '../../../pages/page/l10n';
import { type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../../tablePage';

/** The result of an action. */
interface Notice {
  words: string;
  failed: boolean;
}

/** Reports results on the status line and to screen readers, and logs failures. */
export class TableMessages {
  private readonly latest = signal<Notice | undefined>(undefined);
  private readonly spoken = signal('');

  constructor(private readonly panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'send'>) {}

  /** The result of the last action, until the next action. */
  get notice(): ReadonlySignal<Notice | undefined> {
    return this.latest;
  }

  /** Text for screen readers. */
  get said(): ReadonlySignal<string> {
    return this.spoken;
  }

  say(words: string, failed = false): void {
    this.latest.value = { words, failed };
    this.announce(words);
  }

  /** Announces text to screen readers only; repeated text is announced again. */
  announce(words: string): void {
    this.spoken.value = this.spoken.peek() === words ? `${words}\u00a0` : words;
  }

  /** Shows and logs a failure; ignores cancellations. `words`: a text with the reason. */
  failed(words: PageWords, error: unknown): void {
    if (isCoded(error, 'cancelled')) return;
    this.say(words(this.log(error)), true);
  }

  /** Only logs a failure. Returns its reason. */
  log(error: unknown): string {
    const reason = error instanceof Error ? error.message : String(error);
    this.panel.send('failure', { message: reason });
    return reason;
  }

  /** Clears the result, as the user started another action. */
  forget(): void {
    this.latest.value = undefined;
  }
}
