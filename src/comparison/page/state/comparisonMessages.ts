import { type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import { type PageWords, t } from '../../../pages/page/l10n';
import type { ComparisonPanelPort } from '../../comparisonPage';

/** Messages of the page: for screen readers, and failures. */
export class ComparisonMessages {
  private readonly announcement = signal('');
  private readonly problem = signal<string | undefined>(undefined);

  constructor(private readonly panel: Pick<ComparisonPanelPort, 'send'>) {}

  /** Text for screen readers. */
  get said(): ReadonlySignal<string> {
    return this.announcement;
  }

  get failure(): ReadonlySignal<string | undefined> {
    return this.problem;
  }

  /** Announces a text, also if it equals the previous one. */
  say(words: string): void {
    this.announcement.value = this.announcement.peek() === words ? `${words}\u00a0` : words;
  }

  /** Shows a failure with its reason. */
  failed(error: unknown, words: PageWords = t.later("Couldn't load. {0}")): void {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.panel.send('failure', { message: reason });
    this.problem.value = words(reason);
  }

  forgetFailure(): void {
    this.problem.value = undefined;
  }
}
