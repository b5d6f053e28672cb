import { element } from '../../../pages/page/widgets/element';
import type { MasksText } from '../../../pages/page/pageText';

/** Whether masks are drawn filled or as outlines only: two buttons, one of them pressed. */
export class StyleChoice {
  readonly root: HTMLElement;
  private readonly filled: HTMLButtonElement;
  private readonly outlines: HTMLButtonElement;

  constructor(text: MasksText, onChange: (filled: boolean) => void) {
    const button = (key: 'filled' | 'outlines', filled: boolean) => {
      const made = element('button', { type: 'button', title: text.get('styleHint') }, text.get(key));
      made.addEventListener('click', () => onChange(filled));
      return made;
    };
    this.filled = button('filled', true);
    this.outlines = button('outlines', false);
    this.root = element(
      'div',
      { class: 'choice', role: 'group', 'aria-label': text.get('maskStyle') },
      this.filled,
      this.outlines,
    );
  }

  show(filled: boolean): void {
    this.filled.setAttribute('aria-pressed', String(filled));
    this.outlines.setAttribute('aria-pressed', String(!filled));
  }
}
