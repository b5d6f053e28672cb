import { isCoded } from '../../../base/errors';
import { cellMatcher, type CellSearch } from '../../../formats/cellMatcher';
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
  /** Which cells match is to be marked; none without a search. */
  onMatcher: (matches: ((cell: string) => boolean) | undefined) => void;
  onFailure: (error: unknown) => void;
  /** Esc: back to the grid. */
  onLeave: () => void;
}

/** Finds text in the cells of the view: Enter goes to the next one, Shift+Enter to the one before. */
export class FindBar {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement;
  private readonly count = element('span', { class: 'find-count', 'aria-live': 'off' });
  private readonly caseSensitive: HTMLButtonElement;
  private readonly wholeCell: HTMLButtonElement;
  private pending = new AbortController();
  private counting = new AbortController();

  constructor(private readonly options: FindBarOptions) {
    const { text, model } = options;
    this.input = element('input', {
      type: 'search',
      class: 'find-input',
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
        this.searchChanged();
        options.onLeave();
      } else return;
      event.preventDefault();
    });
    this.caseSensitive = this.toggle('case-sensitive', text.get('findCase'));
    this.wholeCell = this.toggle('whole-word', text.get('findWholeCell'));
    this.root = element(
      'div',
      { class: 'find-bar', role: 'search' },
      element('div', { class: 'input find-box' }, this.input, this.count, this.caseSensitive, this.wholeCell),
      iconButton('arrow-up', text.get('findPrevious'), () => void this.find(true, false)),
      iconButton('arrow-down', text.get('findNext'), () => void this.find(false, false)),
    );
    model.onDidChange(() => void this.showCount(undefined));
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  private toggle(name: string, label: string): HTMLButtonElement {
    const button: HTMLButtonElement = iconButton(name, label, () => {
      button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
      void this.find(false, true);
    });
    button.setAttribute('aria-pressed', 'false');
    return button;
  }

  private get search(): CellSearch {
    const isOn = (button: HTMLButtonElement) => button.getAttribute('aria-pressed') === 'true';
    return {
      text: this.input.value,
      ...(isOn(this.caseSensitive) && { caseSensitive: true }),
      ...(isOn(this.wholeCell) && { wholeCell: true }),
    };
  }

  /** Marks the matches on the screen. What was found or counted for another search is out of date. */
  private searchChanged(): void {
    this.pending.abort();
    this.counting.abort();
    this.count.textContent = '';
    this.input.setAttribute('aria-invalid', 'false');
    const { search } = this;
    this.options.onMatcher(search.text === '' ? undefined : cellMatcher(search));
  }

  private async find(backwards: boolean, fromStart: boolean): Promise<void> {
    if (fromStart) this.searchChanged();
    this.pending.abort();
    const { signal } = (this.pending = new AbortController());
    const { search } = this;
    this.input.setAttribute('aria-invalid', 'false');
    if (search.text === '') return;
    const { model, columns, place, onFound, onNothing, onFailure, text } = this.options;
    const from = fromStart ? undefined : place();
    try {
      const { found } = await model.request(
        'tableFind',
        { ...search, columns: columns(), ...(from && { from }), ...(backwards && { backwards }) },
        signal,
      );
      this.input.setAttribute('aria-invalid', String(found === null));
      if (found) onFound(found);
      else onNothing(text.get('notFound', search.text));
      await this.showCount(found ?? undefined);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  /** Counts the matches; `at` is the one found. Without a search there is nothing to count. */
  private async showCount(at: { position: number; column: number } | undefined): Promise<void> {
    this.counting.abort();
    const { signal } = (this.counting = new AbortController());
    const { model, columns, text, onFailure } = this.options;
    const { search } = this;
    if (search.text === '') return;
    const params = {
      ...search,
      columns: columns(),
      ...(at && { at: { position: at.position, column: at.column } }),
    };
    try {
      const { matches, isCut, index } = await model.request('tableFindMatches', params, signal);
      if (signal.aborted) return;
      this.count.textContent =
        index === null
          ? text.count('findMatches', matches)
          : text.get(isCut ? 'findMany' : 'findIndex', index + 1, matches);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }
}
