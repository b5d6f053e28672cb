import { cellMatcher, type CellSearch } from '../../../columns/viewSpec';
import { isCoded, throwIfCanceled } from '../../../base/errors';
import type { TableText } from '../../../pages/page/pageText';
import { element, iconButton } from '../../../pages/page/widgets/element';
import { TypingDebounce } from '../../../pages/page/widgets/timing';
import type { TableModel } from '../tableModel';

/** Matches that are counted first: those of a text that many cells hold take seconds. */
const FIRST_MATCHES = 1000;

/** A cell by its position in the view and its column in the file. */
interface CellPlace {
  position: number;
  column: number;
}

interface FindBarOptions {
  model: TableModel;
  text: TableText;
  /** Columns to search, in the order shown. */
  columns: () => number[];
  /** Where the search continues from. */
  place: () => CellPlace | undefined;
  onFound: (found: CellPlace & { row: number }) => void;
  onNothing: (words: string) => void;
  /** Which cells match is to be marked; none without a search. */
  onMatcher: (matches: ((cell: string) => boolean) | undefined) => void;
  onFailure: (error: unknown) => void;
  /** The search is another one: to be saved with the view. */
  save: (search: CellSearch) => void;
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
  /** Whether all matches of the search were counted. */
  private isCounted = false;

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
    this.input.addEventListener('input', () => {
      options.save(this.search);
      // The engine is free for the next search by the time the user pauses.
      this.pending.abort();
      this.counting.abort();
      pause.typed();
    });
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
    model.onDidChange(change => {
      // While a table grows, the number shown would drop with each part of it.
      if (change !== 'table') this.isCounted = false;
      void this.showCount(undefined);
    });
  }

  /** Shows a search as it was left: what it finds is marked and counted, and nothing moves. Call once there are rows. */
  restore({ text, caseSensitive, wholeCell }: CellSearch): void {
    // The user has typed already.
    if (text === '' || this.input.value !== '') return;
    this.input.value = text;
    this.caseSensitive.setAttribute('aria-pressed', String(caseSensitive === true));
    this.wholeCell.setAttribute('aria-pressed', String(wholeCell === true));
    this.searchChanged();
    void this.showCount(this.options.place());
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
    this.isCounted = false;
    this.count.textContent = '';
    this.input.setAttribute('aria-invalid', 'false');
    const { search } = this;
    this.options.save(search);
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

  /** Counts the matches, at first only some of them; `at` is the one found. Without a search there is nothing to count. */
  private async showCount(at: CellPlace | undefined): Promise<void> {
    this.counting.abort();
    const { signal } = (this.counting = new AbortController());
    if (this.input.value === '') return;
    try {
      const areMore = this.isCounted || (await this.countUpTo(FIRST_MATCHES, at, signal));
      if (areMore) await this.countUpTo(undefined, at, signal);
      this.isCounted = true;
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.options.onFailure(error);
    }
  }

  /** Shows how many matches there are, up to a limit. Returns whether there are more. */
  private async countUpTo(
    limit: number | undefined,
    at: CellPlace | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { model, columns, text } = this.options;
    const params = {
      ...this.search,
      columns: columns(),
      ...(at && { at: { position: at.position, column: at.column } }),
      ...(limit !== undefined && { limit }),
    };
    const { matches, isCut, index } = await model.request('tableFindMatches', params, signal);
    throwIfCanceled(signal);
    this.count.textContent =
      index !== null
        ? text.get(isCut ? 'findMany' : 'findIndex', index + 1, matches)
        : isCut
          ? text.get('findManyMatches', matches)
          : text.count('findMatches', matches);
    return isCut;
  }
}
