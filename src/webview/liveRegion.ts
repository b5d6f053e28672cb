import { element } from './element';

/** Says short messages to screen readers, politely; sees to it that the same words twice are heard twice. */
export class LiveRegion {
  readonly root = element('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  say(words: string): void {
    this.root.textContent = this.root.textContent === words ? `${words}\u00a0` : words;
  }
}
