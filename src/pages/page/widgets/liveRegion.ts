import { element } from './element';

/** Short messages for screen readers, announced politely; the same words twice are announced twice. */
export class LiveRegion {
  readonly root = element('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

  say(words: string): void {
    this.root.textContent = this.root.textContent === words ? `${words}\u00a0` : words;
  }
}
