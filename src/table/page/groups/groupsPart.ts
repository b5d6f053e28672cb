import { isCoded } from '../../../base/errors';
import type { GroupOrder } from '../../../columns/columnStatistics';
import { columnName, type TableText } from '../../../pages/page/pageText';
import { type Child, element, fill, iconButton } from '../../../pages/page/widgets/element';
import type { TableTextKey } from '../../../pages/tableTexts';
import type { TablePanelSide } from '../../tablePage';
import type { PageFilter } from '../filterList';
import type { TableModel } from '../tableModel';
import {
  fetchGroups,
  type GroupColumn,
  groupColumns,
  type GroupRow,
  groupsAsText,
  type GroupsView,
} from './groupColumns';
import { GroupKeyPickers, openGroupOptions } from './groupOptions';
import type { GroupsModel } from '../state/groupsModel';
import { GroupSelection } from './groupSelection';
import { BLOCK_GROUPS, GroupsGrid } from './groupsGrid';
import { GroupsPlace } from './groupsPlace';
import {
  firstKey,
  firstMeasures,
  type GroupsSpec,
  type GroupsState,
  isValidOrder,
  measurable,
} from '../state/groupsState';

interface GroupsPartOptions {
  model: TableModel;
  text: TableText;
  nonce: string;
  groups: GroupsModel;
  /** Columns that say the same in every row, as far as is known. */
  constants: () => readonly number[];
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
  private readonly place: GroupsPlace;
  private readonly selection: GroupSelection;
  private readonly pickers: GroupKeyPickers;
  private readonly head: HTMLElement;
  private readonly note = element('p', { class: 'groups-note', role: 'status' });
  private readonly body = element('div', { class: 'groups-body' });
  private readonly saveButton: HTMLButtonElement;
  private readonly copyButton: HTMLButtonElement;
  private request = new AbortController();
  private shown: Shown | undefined;
  /** The first group in view when the page was left. */
  private first: number;
  /** Columns that rows are likely to be grouped by; undefined until they are known. */
  private keys: readonly number[] | undefined;

  constructor(private readonly options: GroupsPartOptions) {
    const { text, model } = options;
    this.first = this.state.first ?? 0;
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
    const leave = () => {
      this.setOpen(false);
      options.onClosed();
    };
    const back = iconButton('arrow-left', text.get('backToRows'), leave);
    const close = iconButton('close', text.get('closeGroups'), leave);
    this.place = new GroupsPlace({
      text,
      root: () => this.root,
      state: () => this.state,
      contentHeight: () => this.shown && this.head.offsetHeight + this.shown.grid.contentHeight + 1,
      onSize: size => this.set(size),
      onOver: isOver => {
        // They do the same.
        back.hidden = !isOver;
        close.hidden = isOver;
      },
    });
    this.selection = new GroupSelection({
      model,
      by: () => this.state.by,
      setFilters: options.setFilters,
      onFailure: error => options.failed('filterFailed', error),
    });
    this.pickers = new GroupKeyPickers({ model, text, onBy: by => this.change({ ...this.spec, by }) });
    const actions = element('span', { class: 'groups-actions' }, this.copyButton, this.saveButton, close);
    this.head = element(
      'div',
      { class: 'groups-head' },
      back,
      element('h2', {}, text.get('groups')),
      this.pickers.root,
      choose,
      this.note,
      actions,
    );
    this.root = element(
      'section',
      { class: 'groups-part', id: 'groups', 'aria-label': text.get('groups') },
      this.place.divider,
      this.head,
      this.body,
    );
    model.onDidChange(change => {
      if (change === 'table') this.tableChanged();
      else if (change === 'filters') this.refresh();
    });
    this.arrange();
  }

  private get state(): GroupsState {
    return this.options.groups.state.peek();
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

  /** Shows groups as they were. */
  restore({ by, measures, statistics, order }: GroupsState): void {
    this.set({ open: true, by, measures, statistics, order });
    // A grid keeps its own order.
    this.shown?.grid.dispose();
    this.shown = undefined;
    this.refresh();
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

  /** Lays out what is in the document. `plotsBelow`: the height of plots below the rows, else 0; in pixels. */
  arrange(plotsBelow?: number): void {
    this.place.arrange(plotsBelow);
  }

  /** Follows the size of the page. Call once it is in the document. */
  attached(): void {
    this.place.attached();
    if (this.state.open) this.refresh();
  }

  private get spec(): GroupsSpec {
    const { by, measures, statistics } = this.state;
    return { by, measures, statistics };
  }

  private change(spec: GroupsSpec): void {
    const { order } = this.state;
    // An order by a statistic is about another one when these change.
    const isSame =
      JSON.stringify([spec.measures, spec.statistics]) ===
      JSON.stringify([this.state.measures, this.state.statistics]);
    const keeps = order && isValidOrder(order, spec) && (order.of.kind !== 'value' || isSame);
    this.set({ ...spec, order: keeps ? order : undefined });
    this.refresh();
  }

  private set(changes: Parameters<GroupsModel['change']>[0]): void {
    this.options.groups.change(changes);
    this.arrange();
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
      this.showFailure(error);
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
    this.pickers.show(this.state.by, this.keys ?? []);
    if (this.state.by.length === 0) return this.showMessage(text.get('noGroupColumn'));
    const filters = model.statisticsFiltersOf(this.selection.otherFilters);
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
      const isFiltered = this.selection.otherFilters.length > 0;
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

  /** Finds out what can be grouped by, and begins with what the table is likely about. */
  private async begin(signal: AbortSignal): Promise<void> {
    const { model, constants } = this.options;
    const { columns } = model.table;
    this.keys ??= (await model.request('tableGroupColumns', {}, signal)).columns;
    if (signal.aborted || this.state.by.length > 0) return;
    const first = firstKey(columns, this.keys, constants());
    if (first === undefined) return;
    this.set({ by: [first], measures: firstMeasures(columns, [first]) });
  }

  private show(found: {
    view: GroupsView;
    viewMark: string;
    rows: GroupRow[];
    total: number;
    all: GroupRow;
  }): void {
    const { model, text, nonce, failed, groups } = this.options;
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
    // A button to try again.
    const hadFocus = !shown && this.body.contains(document.activeElement);
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
      firstPosition: this.first,
      onScroll: first => groups.change({ first }),
      onOrder: order => groups.change({ order }),
      fetch,
      onHeight: () => this.arrange(),
      onFailure: error => failed('groupsFailed', error),
      onGroup: row => void this.selection.toggle(row),
      onEscape: () => this.selection.clear(),
      isSelected: row => this.selection.holds(row),
    });
    this.first = 0;
    this.shown = { grid, mark, view, viewMark, columns, total, all };
    if (hadFocus) void grid.focus();
    this.arrange();
  }

  private showFailure(error: unknown): void {
    const { text, log } = this.options;
    const retry = element('button', { type: 'button', class: 'button secondary' }, text.get('retry'));
    retry.addEventListener('click', () => this.refresh(true));
    const hadFocus = this.body.contains(document.activeElement);
    this.showMessage(element('span', { role: 'alert' }, text.get('groupsFailed', log(error))), retry);
    if (hadFocus) retry.focus();
  }

  private showMessage(...content: Child[]): void {
    this.shown?.grid.dispose();
    this.shown = undefined;
    this.copyButton.disabled = this.saveButton.disabled = true;
    fill(this.body, element('div', { class: 'groups-message' }, ...content));
    this.note.textContent = '';
    this.arrange();
  }

  /** How many groups there are, and of which rows. */
  private showNote(total: number): void {
    const { model, text } = this.options;
    const { columns, reading } = model.table;
    const isFiltered = this.selection.otherFilters.length > 0;
    const rounded = this.state.measures.filter(column => columns[column]?.isRounded);
    const words = [
      text.count(isFiltered ? 'groupsOfFiltered' : 'groupsOfAll', total),
      reading && text.get('groupsWhileReading'),
      model.statisticsAreNarrower && text.get('imageRowsOnly'),
      this.selection.isAny && text.get('groupSelected'),
      ...rounded.map(column => text.get('roundedNumbers', columnName(columns, column, text))),
    ];
    this.note.textContent = words.filter(Boolean).join(' ');
    this.note.title = this.note.textContent;
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
