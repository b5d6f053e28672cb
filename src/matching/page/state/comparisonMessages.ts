import { type ReadonlySignal, signal } from '@preact/signals';
import { isCoded } from '../../../base/errors';
import type { CompareText } from '../../../pages/page/pageText';
import type { ComparisonPanelPort } from '../../comparisonPage';

/** What the page says: to screen readers, and of what failed. */
export class ComparisonMessages {
  private readonly words = signal('');
  private readonly problem = signal<string | undefined>(undefined);

  constructor(
    private readonly panel: Pick<ComparisonPanelPort, 'send'>,
    private readonly text: CompareText,
  ) {}

  /** What screen readers say. */
  get said(): ReadonlySignal<string> {
    return this.words;
  }

  get failure(): ReadonlySignal<string | undefined> {
    return this.problem;
  }

  /** The same words twice are said twice. */
  say(words: string): void {
    this.words.value = this.words.peek() === words ? `${words}\u00a0` : words;
  }

  failed(
    error: unknown,
    text: 'loadFailed' | 'compareFailed' | 'saveFailed' | 'imageDamaged' = 'loadFailed',
  ): void {
    if (isCoded(error, 'cancelled')) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.panel.send('failure', { message: reason });
    this.problem.value =
      text === 'imageDamaged' ? this.text.get('imageDamaged') : this.text.get(text, reason);
  }

  forgetFailure(): void {
    this.problem.value = undefined;
  }
}
