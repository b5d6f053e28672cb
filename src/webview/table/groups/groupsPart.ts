import { isCoded } from '../../../base/errors';
import type { GroupOrder } from '../../../model/tableStatistics';
import type { Filter } from '../../../model/viewSpec';
import type { TablePanelSide } from '../../../protocol/tablePage';
import type { TableTextKey } from '../../../words/pages/tableTexts';
import { columnName } from '../../page/columnName';
import type { TableText } from '../../page/pageText';
import { Divider } from '../../widgets/divider';
import { element, fill, iconButton } from '../../widgets/element';
import type { PageFilter } from '../filters/filterList';
import { keyFilter } from '../filters/keyFilter';
import type { TableModel } from '../tableModel';
import { groupColumns, type GroupColumn, type GroupRow } from './groupColumns';
import { areOfGroup, selectedGroup, withGroup } from './groupFilters';
import { openGroupOptions } from './groupOptions';
import { BLOCK_GROUPS, GroupsGrid } from './groupsGrid';
import { fetchGroups, groupsAsText, wholeKeys, type GroupsView } from './groupsRequests';
import {
  CLOSED_GROUPS,
  firstKey,
  firstMeasures,
  isValidOrder,
  measurable,
  type GroupsSpec,
  type GroupsState,
} from './groupsState';

const MIN_HEIGHT = 120;
const MIN_WIDTH = 280;
/** Groups and plots are side by side from this width on. */
const WIDE = 1000;
/** What is left of the height for the rows, and of the width for the plots. */
const MAX_SHARE = 0.7;

export interface GroupsPartOptions {
  model: TableModel;
  text: TableText;
  nonce: string;
  state: GroupsState;
  /** Columns that say the same in every row, as far as is known. */
  constants: () => readonly number[];
  onState: (state: GroupsState) => void;
  /** It was closed by its own button. */
  onClosed: () => void;
  setFilters: (filters: readonly PageFilter[]) => void;
  copy: (text: string) => Promise<unknown>;
  save: (params: TablePanelSide['requests']['saveGroups']['params']) => Promise<void>;
  done: (words: string) => void;
  failed: (key: TableTextKey, error: unknown) => void;
  /** Logs a failure that is shown here, and returns its reason. */
  log: (error: unknown) => string;
}

/** What is shown now, and of which rows. */
interface Shown {
  grid: GroupsGrid;
  /** What the grid's columns are about, to know when it needs others. */
  mark: string;
  view: GroupsView;
  viewMark: string;
  columns: readonly GroupColumn[];
  total: number;
  all: GroupRow;
}

/**
 * Statistics of groups of the rows that match the filters, as a table of its own below the rows, or beside the plots where both
 * are below. A filter to one of the groups isn't applied here: that group is marked instead.
 */
export class GroupsPart {
  readonly root: HTMLElement;
  private readonly divider: Divider;
  private readonly head: HTMLElement;
  private readonly by = element('span', { class: 'groups-by' });
  private readonly note = element('p', { class: 'groups-note', role: 'status' });
  private readonly body = element('div', { class: 'groups-body' });
  private readonly saveButton: HTMLButtonElement;
  private readonly copyButton: HTMLButtonElement;
  private state: GroupsState;
  private request = new AbortController();
  private shown: Shown | undefined;
  /** Columns that rows are likely to be grouped by; undefined until they are known. */
  private keys: readonly number[] | undefined;
  private plotsAreBelow = false;

  constructor(private readonly options: GroupsPartOptions) {
    const { text, model } = options;
    this.state = options.state;
    const choose: HTMLButtonElement = iconButton('settings', text.get('groupOptions'), () =>
      openGroupOptions({
        anchor: choose,
        text,
        columns: model.table.columns,
        measurable: measurable(model.table.columns),
        spec: this.state,
        onChange: spec => this.change({ ...this.spec, ...spec }),
      }),
    );
    this.copyButton = iconButton('copy', text.get('copyGroups'), () => void this.copy());
    this.saveButton = iconButton('save', text.get('saveGroups'), () => void this.save());
    const close = iconButton('close', text.get('closeGroups'), () => {
      this.setOpen(false);
      options.onClosed();
    });
    this.divider = new Divider({
      label: text.get('resizeGroups'),
      controls: 'groups',
      onResize: size => this.resize(size),
      onReset: () => this.resize(this.isBeside ? CLOSED_GROUPS.width : CLOSED_GROUPS.height),
    });
    const actions = element('span', { class: 'groups-actions' }, this.copyButton, this.saveButton, close);
    this.head = element(
      'div',
      { class: 'groups-head' },
      element('h2', {}, text.get('groups')),
      this.by,
      choose,
      this.note,
      actions,
    );
    this.root = element(
      'section',
      { class: 'groups-part', id: 'groups', 'aria-label': text.get('groups') },
      this.divider.root,
      this.head,
      this.body,
    );
    model.onDidChange(change => {
      if (change === 'table') this.tableChanged();
      else if (change === 'filters') this.refresh();
    });
    this.arrange();
  }

  get isOpen(): boolean {
    return this.state.open;
  }

  setOpen(open: boolean): void {
    this.set({ open });
    if (open) this.refresh();
    else this.request.abort();
  }

  /** Opens with the groups of a column. */
  showBy(column: number): void {
    this.set({ open: true });
    this.change({ ...this.spec, by: [column] });
  }

  /** Whether an element is in the groups. */
  holds(target: Node | null): boolean {
    return this.root.contains(target);
  }

  /** Copies all groups. */
  async copy(): Promise<void> {
    const { model, text, copy, done, failed } = this.options;
    const { shown } = this;
    if (!shown) return;
    try {
      const { view, columns, all } = shown;
      const copied = await groupsAsText(model, text, view, { order: this.state.order, columns, all });
      await copy(copied.text);
      done(text.count('copiedGroups', copied.groups));
    } catch (error) {
      failed('copyFailed', error);
    }
  }

  /** Lays out what is in the document; `plotsAreBelow` while plots are open below the rows. */
  arrange(plotsAreBelow = this.plotsAreBelow): void {
    this.plotsAreBelow = plotsAreBelow;
    const { open, height, width } = this.state;
    const { root, divider, shown } = this;
    const around = root.parentElement;
    const beside = this.isBeside;
    root.hidden = !open;
    // No higher than all groups are.
    const content =
      beside || !shown ? Number.MAX_SAFE_INTEGER : this.head.offsetHeight + shown.grid.contentHeight + 1;
    const max = Math.min(this.maxSize, content);
    const size = Math.round(Math.min(beside ? width : height, max));
    root.style.height = beside ? '' : `${size}px`;
    root.style.width = beside ? `${size}px` : '';
    around?.classList.toggle('groups-beside-plots', beside);
    around?.style.setProperty('--groups-width', beside ? `${size}px` : '0px');
    divider.show({ beside, size, min: Math.min(this.minSize, max), max });
  }

  /** Follows the size of the page. Call once it is in the document. */
  attached(): void {
    const around = this.root.parentElement;
    if (around) new ResizeObserver(() => this.arrange()).observe(around);
    if (this.state.open) this.refresh();
  }

  private get isBeside(): boolean {
    return this.state.open && this.plotsAreBelow && (this.root.parentElement?.clientWidth ?? 0) >= WIDE;
  }

  private get minSize(): number {
    return this.isBeside ? MIN_WIDTH : MIN_HEIGHT;
  }

  private get maxSize(): number {
    const around = this.root.parentElement;
    const room = (this.isBeside ? around?.clientWidth : around?.clientHeight) ?? 0;
    return room > 0 ? Math.max(this.minSize, room * MAX_SHARE) : Number.MAX_SAFE_INTEGER;
  }

  private resize(size: number): void {
    const limited = Math.max(this.minSize, Math.min(this.maxSize, size));
    this.set(this.isBeside ? { width: limited } : { height: limited });
  }

  private get spec(): GroupsSpec {
    const { by, measures, statistics } = this.state;
    return { by, measures, statistics };
  }

  private change(spec: GroupsSpec): void {
    const { order, ...others } = { ...this.state, ...spec };
    // An order by a statistic is about another one when these change.
    const isSame =
      JSON.stringify([spec.measures, spec.statistics]) ===
      JSON.stringify([this.state.measures, this.state.statistics]);
    const keeps = order && isValidOrder(order, spec) && (order.of.kind !== 'value' || isSame);
    this.state = { ...others, ...(keeps && { order }) };
    this.set({});
    this.refresh();
  }

  private set(changes: Partial<GroupsState>): void {
    this.state = { ...this.state, ...changes };
    this.arrange();
    this.options.onState(this.state);
  }

  /** More of the table was read, or it was read again. While it is being read, what is shown stays. */
  private tableChanged(): void {
    const { reading } = this.options.model.table;
    if (reading && this.shown) return;
    this.keys = undefined;
    this.refresh(true);
  }

  private refresh(again = false): void {
    if (!this.state.open) return;
    this.load(again).catch((error: unknown) => {
      if (isCoded(error, 'cancelled')) return;
      const { text, log } = this.options;
      this.showMessage(text.get('groupsFailed', log(error)));
    });
  }

  /** Requests what is to be shown and shows it, unless it is shown already; a later call cancels an earlier one. */
  private async load(again: boolean): Promise<void> {
    const { model, text } = this.options;
    const { table } = model;
    this.request.abort();
    const { signal } = (this.request = new AbortController());
    if (table.rowCount === 0 && !table.reading) return this.showMessage(text.get('noRows'));
    await this.begin(signal);
    if (signal.aborted) return;
    this.showKeys();
    if (this.state.by.length === 0) return this.showMessage(text.get('noGroupColumn'));
    const filters = model.statisticsFiltersOf(this.otherFilters);
    const view: GroupsView = { ...this.spec, filters };
    const viewMark = JSON.stringify(view);
    if (!again && this.shown?.viewMark === viewMark) {
      this.shown.grid.selectionChanged();
      this.showNote(this.shown.total);
      return;
    }
    this.root.setAttribute('aria-busy', 'true');
    const { order } = this.state;
    try {
      const found = await fetchGroups(model, view, { start: 0, end: BLOCK_GROUPS, order }, signal);
      if (signal.aborted) return;
      const isFiltered = this.otherFilters.length > 0;
      const all: GroupRow = {
        ...found.all,
        keys: view.by.map(() => null),
        row: 0,
        all: text.get(isFiltered ? 'allFilteredRows' : 'allTableRows'),
      };
      this.show({ view, viewMark, rows: found.rows, total: found.total, all });
    } finally {
      if (this.request.signal === signal) this.root.removeAttribute('aria-busy');
    }
  }

  /** The filters but those that leave one of the groups. */
  private get otherFilters(): readonly PageFilter[] {
    const { filters } = this.options.model;
    return selectedGroup(filters, this.state.by)?.others ?? filters;
  }

  /** Finds out what can be grouped by, and begins with what the table is likely about. */
  private async begin(signal: AbortSignal): Promise<void> {
    const { model, constants } = this.options;
    const { columns } = model.table;
    this.keys ??= (await model.request('tableGroupColumns', {}, signal)).columns;
    if (signal.aborted || this.state.by.length > 0) return;
    const first = firstKey(columns, this.keys, constants());
    if (first === undefined) return;
    this.state = { ...this.state, by: [first], measures: firstMeasures(columns, [first]) };
    this.set({});
  }

  private show(found: {
    view: GroupsView;
    viewMark: string;
    rows: GroupRow[];
    total: number;
    all: GroupRow;
  }): void {
    const { model, text, nonce, failed, onState } = this.options;
    const { view, viewMark, rows, total, all } = found;
    const { columns: ofTable, decimalComma } = model.table;
    const spec = { by: view.by, measures: view.measures, statistics: view.statistics };
    const decimalMark = decimalComma ? ',' : '.';
    const columns = groupColumns({ spec, columns: ofTable, text, decimalMark, sample: [...rows, all] });
    const mark = JSON.stringify([spec, columns.map(({ fullName }) => fullName)]);
    if (total === 0) return this.showMessage(text.get(model.isFiltered ? 'noMatches' : 'noRows'));
    this.showNote(total);
    this.copyButton.disabled = this.saveButton.disabled = false;
    const { shown } = this;
    if (shown?.mark === mark) {
      this.shown = { ...shown, view, viewMark, columns, total, all };
      shown.grid.show({ total, rows, all }, columns);
      this.arrange();
      return;
    }
    shown?.grid.dispose();
    const fetch = async (start: number, end: number, order: GroupOrder | undefined) => {
      const { signal } = this.request;
      const current = this.shown?.view ?? view;
      return (await fetchGroups(model, current, { start, end, order }, signal)).rows;
    };
    const grid = new GroupsGrid({
      holder: this.body,
      text,
      nonce,
      columns,
      order: this.state.order,
      first: { total, rows, all },
      onOrder: order => {
        const state = { ...this.state };
        delete state.order;
        this.state = { ...state, ...(order && { order }) };
        onState(this.state);
      },
      fetch,
      onHeight: () => this.arrange(),
      onFailure: error => failed('groupsFailed', error),
      onGroup: row => void this.toggle(row),
      onEscape: () => this.clearSelected(),
      isSelected: row => this.isSelected(row),
    });
    this.shown = { grid, mark, view, viewMark, columns, total, all };
    this.arrange();
  }

  private showMessage(words: string): void {
    this.shown?.grid.dispose();
    this.shown = undefined;
    this.copyButton.disabled = this.saveButton.disabled = true;
    fill(this.body, element('p', { class: 'groups-message' }, words));
    this.note.textContent = '';
    this.arrange();
  }

  /** How many groups there are, and of which rows. */
  private showNote(total: number): void {
    const { model, text } = this.options;
    const { columns, reading } = model.table;
    const isFiltered = this.otherFilters.length > 0;
    const rounded = this.state.measures.filter(column => columns[column]?.isRounded);
    const words = [
      text.count(isFiltered ? 'groupsOfFiltered' : 'groupsOfAll', total),
      reading && text.get('groupsWhileReading'),
      model.statisticsAreNarrower && text.get('imageRowsOnly'),
      selectedGroup(model.filters, this.state.by) && text.get('groupSelected'),
      ...rounded.map(column => text.get('roundedNumbers', columnName(columns, column, text))),
    ];
    this.note.textContent = words.filter(Boolean).join(' ');
    this.note.title = this.note.textContent;
  }

  /** The choice of the columns that rows are grouped by. */
  private showKeys(): void {
    const { model, text } = this.options;
    const { by } = this.state;
    const { columns } = model.table;
    const listed = [...new Set([...(this.keys ?? []), ...by])].sort((a, b) => a - b);
    const [first, second] = by;
    const options = (others: readonly (number | undefined)[]) =>
      listed
        .filter(column => !others.includes(column))
        .map(column => [String(column), columnName(columns, column, text)] as const);
    // What has the focus is replaced: its successor gets it.
    const focused = [...this.by.children].indexOf(document.activeElement ?? this.by);
    fill(
      this.by,
      picker(text.get('groupBy'), options([second]), first, value =>
        this.change({ ...this.spec, by: [Number(value), ...by.slice(1)] }),
      ),
      picker(text.get('groupThenBy'), [['', text.get('groupByOne')], ...options([first])], second, value =>
        this.change({ ...this.spec, by: [...by.slice(0, 1), ...(value === '' ? [] : [Number(value)])] }),
      ),
    );
    this.by.hidden = listed.length === 0;
    if (focused >= 0) (this.by.children[focused] as HTMLElement | undefined)?.focus();
  }

  private keyFilters(keys: readonly (string | null)[]): Filter[] {
    const { columns, decimalComma } = this.options.model.table;
    return this.state.by.flatMap((index, at) => {
      const column = columns[index];
      const filter = column && keyFilter(column, keys[at] ?? null, decimalComma === true);
      return filter ?? [];
    });
  }

  private isSelected(row: GroupRow): boolean {
    const selected = selectedGroup(this.options.model.filters, this.state.by);
    return selected !== undefined && areOfGroup(selected.own, this.keyFilters(row.keys));
  }

  /** Filters to a group; again to all, if it is that one already. */
  private async toggle(row: GroupRow): Promise<void> {
    const { model, setFilters, failed } = this.options;
    if (this.isSelected(row)) return this.clearSelected();
    try {
      const keys = this.keyFilters(await wholeKeys(model, this.state.by, row));
      if (keys.length === this.state.by.length) setFilters(withGroup(model.filtersToBe, keys));
    } catch (error) {
      failed('filterFailed', error);
    }
  }

  private clearSelected(): void {
    const { model, setFilters } = this.options;
    const selected = selectedGroup(model.filtersToBe, this.state.by);
    if (selected) setFilters(selected.others);
  }

  private async save(): Promise<void> {
    const { shown, state } = this;
    if (!shown) return;
    const { by, measures, statistics, filters } = shown.view;
    await this.options.save({
      sort: [],
      filters,
      by,
      measures,
      statistics,
      ...(state.order && { order: state.order }),
      header: shown.columns.map(({ fullName }) => fullName),
    });
  }
}

function picker(
  label: string,
  options: readonly (readonly [value: string, words: string])[],
  value: number | undefined,
  onChange: (value: string) => void,
): HTMLSelectElement {
  const select = element('select', { class: 'input', 'aria-label': label, title: label });
  for (const [each, words] of options)
    select.append(element('option', { value: each, selected: each === String(value ?? '') }, words));
  select.addEventListener('change', () => onChange(select.value));
  return select;
}
