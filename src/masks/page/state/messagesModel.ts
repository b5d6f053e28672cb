import { type PageWords, t } from '../../../pages/page/l10n';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { FileChange } from '../../../images/backgroundImageInfo';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';

/** The page's messages: failures, a changed file, and text for screen readers. */
export class MessagesModel {
  private readonly lastFailure = signal<string | undefined>(undefined);
  private readonly announcement = signal('');
  private readonly outcomeText = signal('');
  private readonly change: Signal<FileChange | null>;

  constructor(
    private readonly panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'send'>,
    change: FileChange | null,
  ) {
    this.change = signal(change);
  }

  /** The last failure as text; undefined once another image is shown. */
  get failure(): ReadonlySignal<string | undefined> {
    return this.lastFailure;
  }

  /** How the file changed since it was read. */
  get fileChange(): ReadonlySignal<FileChange | null> {
    return this.change;
  }

  /** Text for screen readers. */
  get said(): ReadonlySignal<string> {
    return this.announcement;
  }

  /** Shows and logs a failure; ignores cancellations. */
  readonly failed = (
    error: unknown,
    words: PageWords = t.later("Couldn't load part of the image: {0}"),
  ): void => {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.panel.send('failure', { message: reason });
    this.lastFailure.value = words(reason);
  };

  /** The result of the user's last action, as text; empty for none. */
  get outcome(): ReadonlySignal<string> {
    return this.outcomeText;
  }

  /** Shows and announces the result of the user's action; an empty text clears it. */
  report(words: string): void {
    this.outcomeText.value = words;
    if (words !== '') this.say(words);
  }

  forgetFailure(): void {
    this.lastFailure.value = undefined;
  }

  fileChanged(change: FileChange | null): void {
    this.change.value = change;
  }

  /** Announces text. A no-break space makes a repeated text differ, so that it is read again. */
  say(words: string): void {
    this.announcement.value = this.announcement.value === words ? `${words}\u00a0` : words;
  }
}
