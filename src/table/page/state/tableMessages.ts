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

/** Reports of actions: on the status line, to screen readers, and failures in the log too. */
export class TableMessages {
  private readonly latest = signal<Notice | undefined>(undefined);
  private readonly spoken = signal('');

  constructor(private readonly panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'send'>) {}

  /** The result of the last action, until the next one. */
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

  /** For screen readers only; repeated text is announced again. */
  announce(words: string): void {
    this.spoken.value = this.spoken.peek() === words ? `${words}\u00a0` : words;
  }

  /** Something failed, as the words with the reason say; cancellation is no failure. */
  failed(words: PageWords, error: unknown): void {
    if (isCoded(error, 'cancelled')) return;
    this.say(words(this.log(error)), true);
  }

  /** Writes a failure to the log alone, and returns its reason. */
  log(error: unknown): string {
    const reason = error instanceof Error ? error.message : String(error);
    this.panel.send('failure', { message: reason });
    return reason;
  }

  /** The user started another action. */
  forget(): void {
    this.latest.value = undefined;
  }
}
