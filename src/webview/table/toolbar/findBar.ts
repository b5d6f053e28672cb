import { isCoded } from '../../../base/errors';
import { element, iconButton } from '../../widgets/element';
import type { TableText } from '../../page/pageText';
import { TypingDebounce } from '../../widgets/typingDebounce';
import type { TableModel } from '../tableModel';

export interface FindBarOptions {
  model: TableModel;
  text: TableText;
  /** Columns to search, in the order shown. */
  columns: () => number[];
  /** Where the search continues from. */
  place: () => { position: number; column: number } | undefined;
  onFound: (found: { position: number; row: number; column: number }) => void;
  onNothing: (words: string) => void;
  onFailure: (error: unknown) => void;
  /** Esc: back to the grid. */
  onLeave: () => void;
}

/** Finds text in the cells of the view: Enter goes to the next one, Shift+Enter to the one before. */
export class FindBar {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  private pending = new AbortController();

  constructor(private readonly options: FindBarOptions) {
    const { text } = options;
    this.input = element('input', {
      type: 'search',
      class: 'input find-input',
      placeholder: text.get('find'),
      'aria-label': text.get('find'),
      title: text.get('findHint'),
    });
    const pause = new TypingDebounce(() => void this.find(false, true));
    this.input.addEventListener('input', pause.typed);
    this.input.addEventListener('keydown', event => {
      if (event.key === 'Enter') {
        pause.cancel();
        void this.find(event.shiftKey, false);
      } else if (event.key === 'Escape') {
        pause.cancel();
        this.input.value = '';
        options.onLeave();
      } else return;
      event.preventDefault();
    });
    this.root = element(
      'div',
      { class: 'find-bar', role: 'search' },
      this.input,
      iconButton('arrow-up', text.get('findPrevious'), () => void this.find(true, false)),
      iconButton('arrow-down', text.get('findNext'), () => void this.find(false, false)),
    );
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  private async find(backwards: boolean, fromStart: boolean): Promise<void> {
    this.pending.abort();
    const { signal } = (this.pending = new AbortController());
    const query = this.input.value;
    this.input.setAttribute('aria-invalid', 'false');
    if (query === '') return;
    const { model, columns, place, onFound, onNothing, onFailure, text } = this.options;
    const from = fromStart ? undefined : place();
    try {
      const { found } = await model.request(
        'tableFind',
        { text: query, columns: columns(), ...(from && { from }), ...(backwards && { backwards }) },
        signal,
      );
      this.input.setAttribute('aria-invalid', String(found === null));
      if (found) onFound(found);
      else onNothing(text.get('notFound', query));
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }
}
