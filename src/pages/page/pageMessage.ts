import { element, fill, icon } from './widgets/element';
import type { PageText } from './pageText';

/** What fills the page while there is nothing else to show: opening, failed, empty. */
export class PageMessage {
  readonly root = element('div', { class: 'page-message' });
  private readonly bar = element('div', { class: 'progress-bar' });
  private readonly words = element('p', { class: 'page-message-text', role: 'status' });

  constructor(private readonly text: PageText) {}

  /** Under way: a bar at the top, and words below the first moment's silence. */
  opening(): void {
    this.root.className = 'page-message opening';
    this.progress({ done: 0, total: 0, text: this.text.get('opening') });
    fill(this.root, element('div', { class: 'progress-track' }, this.bar), this.words);
  }

  /** `total` 0 means that the end is not known. */
  progress(value: { done: number; total: number; text: string }): void {
    const known = value.total > 0;
    const share = known ? Math.min(1, value.done / value.total) : 0;
    this.bar.classList.toggle('unknown', !known);
    this.bar.style.width = known ? `${share * 100}%` : '';
    this.words.textContent = known
      ? `${value.text} ${this.text.get('percent', Math.floor(share * 100))}`
      : value.text;
  }

  /** Failed, with a way to try again. Resolves when the user wants it. */
  failed(message: string): Promise<void> {
    const button = element('button', { type: 'button', class: 'button' }, this.text.get('retry'));
    this.root.className = 'page-message failed';
    fill(
      this.root,
      icon('error'),
      // A page that has nothing else to show has its heading here.
      element(document.querySelector('h1') ? 'h2' : 'h1', {}, this.text.get('failed')),
      element('p', { class: 'page-message-text', role: 'alert' }, message),
      button,
    );
    return new Promise(resolve => button.addEventListener('click', () => resolve(), { once: true }));
  }

  /** There is nothing, and why. */
  empty(iconName: string, title: string, hint: string): void {
    this.root.className = 'page-message empty';
    fill(
      this.root,
      icon(iconName),
      element('h2', {}, title),
      element('p', { class: 'page-message-text' }, hint),
    );
  }
}
