import { t } from '../../../pages/page/l10n';
import { type ReadonlySignal, signal } from '@preact/signals';
import { throwIfCanceled } from '../../../base/errors';
import type { TablePageRequests } from '../../../columns/tableRequests';
import { cellMatcher, type CellSearch } from '../../../columns/viewSpec';
import { TypingDebounce } from '../../../pages/page/widgets/timing';
import type { CellSelection } from '../grid/cellSelection';
import type { ModelParts } from '../modelParts';
import type { RowFocus } from '../rowFocus';

/** Number of matches counted at first: counting all of a frequent text would take seconds. */
const FIRST_MATCHES = 1000;

/** A cell by its position in the view and its column in the file. */
type CellPlace = NonNullable<CellSelection['activeCell']>;
type Matches = Pick<TablePageRequests['tableFindMatches']['result'], 'matches' | 'isCut' | 'index'>;

interface CellFindDependencies extends Pick<ModelParts, 'model' | 'port' | 'messages' | 'grid'> {
  /** The active cell, where the search continues. */
  cells: Pick<CellSelection, 'activeCell'>;
  rows: Pick<RowFocus, 'showMatch'>;
}

/** The search for a text in the cells of the view. */
export class CellFind {
  private readonly typed = signal<CellSearch>({ text: '' });
  private readonly cellTest = signal<((cell: string) => boolean) | undefined>(undefined);
  private readonly counted = signal<Matches | undefined>(undefined);
  private readonly hasNoMatch = signal(false);
  /** The search whose matches are marked. */
  private marked: CellSearch | undefined;
  private readonly typingPause = new TypingDebounce(() => this.begin());
  private pending = new AbortController();
  private counting = new AbortController();
  /** Whether all matches of the search have been counted. */
  private isCounted = false;

  constructor(private readonly dependencies: CellFindDependencies) {
    dependencies.model.onDidChange(change => {
      // In a growing table, the counted number would otherwise drop with each part.
      if (change !== 'table') this.isCounted = false;
      void this.count(undefined);
    });
  }

  /** The search as typed. */
  get search(): ReadonlySignal<CellSearch> {
    return this.typed;
  }

  /** Tests the text of a cell; undefined without a search. */
  get matcher(): ReadonlySignal<((cell: string) => boolean) | undefined> {
    return this.cellTest;
  }

  /** The number of matches counted so far, and the current one. */
  get matches(): ReadonlySignal<Matches | undefined> {
    return this.counted;
  }

  /** Whether the search found nothing. */
  get hasNone(): ReadonlySignal<boolean> {
    return this.hasNoMatch;
  }

  /** Changes the text. The search starts once the user pauses. */
  type(text: string): void {
    this.save({ ...this.typed.peek(), text });
    // Canceled now, so that the engine is free when the user pauses.
    this.stop();
    this.typingPause.typed();
  }

  toggle(option: 'caseSensitive' | 'wholeCell'): void {
    const { [option]: isOn, ...otherOptions } = this.typed.peek();
    this.save({ ...otherOptions, ...(!isOn && { [option]: true }) });
    this.begin();
  }

  /** Goes to the next or previous match. */
  next(backwards = false): void {
    this.typingPause.cancel();
    // Enter may be pressed before the pause ends.
    if (this.marked !== this.typed.peek()) this.mark();
    void this.find(backwards, this.dependencies.cells.activeCell);
  }

  clear(): void {
    this.typingPause.cancel();
    this.save({ ...this.typed.peek(), text: '' });
    this.changed();
  }

  /** Restores a search: marks and counts its matches without scrolling. Requires loaded rows. */
  restore(search: CellSearch): void {
    // The user has typed already.
    if (search.text === '' || this.typed.peek().text !== '') return;
    this.save(search);
    this.changed();
    void this.count(this.dependencies.cells.activeCell);
  }

  /** Columns to search, in the order shown. */
  private get columns(): number[] {
    return this.dependencies.grid()?.shown ?? [];
  }

  private save(search: CellSearch): void {
    this.typed.value = search;
    this.dependencies.port.updateView({ find: search });
  }

  private stop(): void {
    this.pending.abort();
    this.counting.abort();
  }

  private begin(): void {
    this.changed();
    void this.find(false, undefined);
  }

  /** Drops results of the previous search, and marks the matches on the screen. */
  private changed(): void {
    this.stop();
    this.counted.value = undefined;
    this.hasNoMatch.value = false;
    this.mark();
  }

  private mark(): void {
    this.isCounted = false;
    const search = (this.marked = this.typed.peek());
    this.cellTest.value = search.text === '' ? undefined : cellMatcher(search);
  }

  private async find(backwards: boolean, from: CellPlace | undefined): Promise<void> {
    this.pending.abort();
    const { signal: canceled } = (this.pending = new AbortController());
    const search = this.typed.peek();
    this.hasNoMatch.value = false;
    if (search.text === '') return;
    const { model, rows, messages } = this.dependencies;
    try {
      const { found } = await model.request(
        'tableFind',
        { ...search, columns: this.columns, ...(from && { from }), ...(backwards && { backwards }) },
        canceled,
      );
      this.hasNoMatch.value = found === null;
      if (found) void rows.showMatch(found);
      else messages.say(t('No matches for "{0}"', search.text), true);
      await this.count(found ?? undefined);
    } catch (error) {
      messages.failed(t.later("Couldn't read some rows: {0}"), error);
    }
  }

  /**
   * Counts the matches, first up to a limit. `current`: the current match. Does nothing without a
   * search.
   */
  private async count(current: CellPlace | undefined): Promise<void> {
    this.counting.abort();
    const { signal: canceled } = (this.counting = new AbortController());
    if (this.typed.peek().text === '') return;
    try {
      const areMore = this.isCounted || (await this.countUpTo(FIRST_MATCHES, current, canceled));
      if (areMore) await this.countUpTo(undefined, current, canceled);
      this.isCounted = true;
    } catch (error) {
      this.dependencies.messages.failed(t.later("Couldn't read some rows: {0}"), error);
    }
  }

  /** Counts up to a limit. Returns whether there are more matches. */
  private async countUpTo(
    limit: number | undefined,
    current: CellPlace | undefined,
    canceled: AbortSignal,
  ): Promise<boolean> {
    const { model } = this.dependencies;
    const params = {
      ...this.typed.peek(),
      columns: this.columns,
      ...(current && { at: { position: current.position, column: current.column } }),
      ...(limit !== undefined && { limit }),
    };
    const matches = await model.request('tableFindMatches', params, canceled);
    throwIfCanceled(canceled);
    this.counted.value = matches;
    return matches.isCut;
  }
}
