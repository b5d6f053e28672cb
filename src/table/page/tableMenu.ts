import { t } from '../../pages/page/l10n';
import { type Shortcut, showShortcuts } from '../../pages/page/widgets/popover';
import type { BuiltInTableMenuCommand, TableMenuCommand } from '../../protocol/menuCommands';
import type { AddedMenu, KeyLabel, TableShortcut } from './contribution';
import { keyNames } from './keyNames';
import { openFilterMenu } from './controls/filterMenu';
import { focusFind } from './controls/findBar';
import { withValue } from './filterList';
import { columnOfCell, columnOfHeader, positionOf } from './grid/gridInput';
import { type GridRow, hasWholeCell } from './grid/gridRows';
import { fetchCell } from './grid/rowFetcher';
import type { TableGrid } from './grid/tableGrid';
import type { TableStore } from './state/tableStore';
import type { TableUndo } from './tableUndo';

interface TableMenuDependencies {
  store: TableStore;
  grid: TableGrid;
  undo: TableUndo;
}

/** What a menu was opened on. */
type MenuTarget =
  | { section: 'cell'; row: GridRow; column: number }
  | { section: 'row' }
  | { section: 'header'; column: number; header: Element }
  | { section: 'added'; menu: AddedMenu };

/**
 * The context menus of cells, headers and other subjects' elements, which VS Code shows
 * (`webview/context` in package.json).
 */
export class TableMenu {
  private target: MenuTarget | undefined;

  constructor(private readonly dependencies: TableMenuDependencies) {
    // Captured: VS Code reads the context of the menu after the event has bubbled.
    addEventListener('contextmenu', event => this.open(event), { capture: true });
  }

  run(command: TableMenuCommand): void {
    const { store, undo } = this.dependencies;
    const { output, columns } = store;
    const { target } = this;
    const cell = target?.section === 'cell' ? target : undefined;
    const onHeader = (act: (column: number, header: Element) => void) => {
      if (target?.section === 'header') act(target.column, target.header);
    };
    const tableCommands: Record<BuiltInTableMenuCommand, () => void> = {
      copyCells: () => void output.copy(false),
      copyCellsWithHeader: () => void output.copy(true),
      filterToValue: () => cell && void this.filter(cell, false),
      excludeValue: () => cell && void this.filter(cell, true),
      sortColumnAscending: () => onHeader(column => columns.sort(column, 'asc')),
      sortColumnDescending: () => onHeader(column => columns.sort(column, 'desc')),
      pinColumn: () => onHeader(column => columns.pin(column, true)),
      unpinColumn: () => onHeader(column => columns.pin(column, false)),
      hideColumn: () => onHeader(column => columns.hide(column)),
      showColumnStatistics: () => onHeader((column, header) => openFilterMenu(store, column, header)),
      groupByColumn: () => onHeader(column => store.showGroups(column)),
      showGroups: () => store.showGroups(),
      undoInTable: () => undo.move('undo'),
      redoInTable: () => undo.move('redo'),
      showTableShortcuts: () => listShortcuts(store),
    };
    const commandLists: readonly Partial<Record<TableMenuCommand, () => void>>[] = [
      tableCommands,
      ...store.additions.flatMap(addition => addition.runs ?? []),
      ...this.menus.map(({ runs }) => runs),
    ];
    for (const runs of commandLists) runs[command]?.();
    for (const { columns: added } of store.additions) {
      const run = added?.runs?.[command];
      if (run) onHeader(run);
    }
  }

  private get menus(): readonly AddedMenu[] {
    return this.dependencies.store.additions.flatMap(({ menu }) => menu ?? []);
  }

  private open({ target }: MouseEvent): void {
    const { grid } = this.dependencies;
    this.target = target instanceof Element ? this.targetAt(target) : undefined;
    const context = this.target && this.contextOf(this.target);
    const added = this.target?.section === 'added' ? this.target.menu : undefined;
    setContext(grid.root, added ? undefined : context);
    for (const menu of this.menus) {
      const root = menu.root();
      if (root) setContext(root, menu === added ? context : undefined);
    }
  }

  private targetAt(target: Element): MenuTarget | undefined {
    const { grid, store } = this.dependencies;
    const { cells, rows } = store;
    // All menus are asked: each must forget its earlier target.
    const [menu] = this.menus.filter(addedMenu => addedMenu.aim(target));
    if (menu) return { section: 'added', menu };
    // The groups have another grid.
    if (!grid.root.contains(target)) return undefined;
    const header = target.closest('.ag-header-cell');
    const headerColumn = columnOfHeader(target);
    if (header && headerColumn !== undefined) return { section: 'header', column: headerColumn, header };
    const position = positionOf(target);
    const row = position === undefined ? undefined : grid.rowAt(position);
    if (position === undefined || !row) return undefined;
    const column = columnOfCell(target);
    if (!cells.holds(position, column ?? 'row')) rows.moved(position, column ?? 'row', false);
    return column === undefined ? { section: 'row' } : { section: 'cell', row, column };
  }

  private contextOf(target: MenuTarget): object {
    const { store, undo } = this.dependencies;
    const commonContext = {
      webviewSection: target.section === 'added' ? target.menu.section : target.section,
      ...(undo.can('undo') && { tableCanUndo: true }),
      ...(undo.can('redo') && { tableCanRedo: true }),
    };
    if (target.section !== 'header') return commonContext;
    return {
      ...commonContext,
      tableColumnPinned: store.columns.layout.peek().pinned.includes(target.column),
      tableColumnCanHide: store.columns.canHide,
      ...addedContext(store, target.column),
    };
  }

  private async filter({ row, column }: { row: GridRow; column: number }, exclude: boolean): Promise<void> {
    const { table: model, filters, messages } = this.dependencies.store;
    const tableColumn = model.table.columns[column];
    if (!tableColumn) return;
    try {
      const text = hasWholeCell(row, column)
        ? (row.cells[column] ?? '')
        : (await fetchCell(model, row.fileRow, column)).text;
      const decimalComma = model.table.decimalComma === true;
      filters.set(withValue(model.latestFilters, tableColumn, { text, exclude, decimalComma }));
    } catch (error) {
      messages.failed(t.later("Couldn't apply the filter: {0}"), error);
    }
  }
}

/** Context keys for other subjects' entries in a header's menu. */
function addedContext({ additions }: TableStore, column: number): Record<string, boolean> {
  return Object.fromEntries(
    additions.flatMap(({ columns }) => Object.entries(columns?.menuContext?.(column) ?? {})),
  );
}

/** Sets the context keys that VS Code's menu entries depend on. */
function setContext(root: HTMLElement, context: object | undefined): void {
  if (context) root.dataset['vscodeContext'] = JSON.stringify(context);
  else delete root.dataset['vscodeContext'];
}

/**
 * Shortcuts for any focus, except in fields that need the keys. Grid and plots handle their own
 * keys.
 */
export function tableKeys(store: TableStore): void {
  document.addEventListener('keydown', event => {
    const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') focusFind();
    else if (event.key === '?' && !inField) listShortcuts(store);
    else return;
    event.preventDefault();
  });
  document.addEventListener('copy', event => {
    if (document.activeElement?.closest('input, [popover]') || String(document.getSelection())) return;
    event.preventDefault();
    // Copies groups if they have the focus, else cells.
    void (document.activeElement?.closest('.groups-part') ? store.groups.copy() : store.output.copy());
  });
}

const { alt, control, end, enter, home, shift } = keyNames;

/** The shortcuts, listed in the dialog. Other code handles the keys. */
const shortcuts: readonly TableShortcut[] = [
  { keys: [['←'], ['→'], ['↑'], ['↓']], does: t.later('Move to a cell; in the toolbar to the next button') },
  { keys: [[shift, '↓']], does: t.later('Extend the selection') },
  {
    keys: [
      [control, home],
      [control, end],
    ],
    does: t.later('Go to the first or the last cell'),
  },
  { keys: [[control, 'A']], does: t.later('Select all rows') },
  { keys: [[control, 'C']], does: t.later('Copy the selected cells') },
  {
    keys: [[control, 'Z']],
    does: t.later('Undo: filters and their names, sorting, columns, groups, plots and comparisons'),
  },
  {
    keys: [
      [control, shift, 'Z'],
      [control, 'Y'],
    ],
    does: t.later('Redo'),
  },
  { keys: [[enter]], does: t.later("Show a cell's full text") },
  { keys: [[shift, 'F10']], does: t.later('Open the context menu') },
  { keys: [[control, 'F']], does: t.later({ message: 'Find', comment: 'Verb: find text in the table' }) },
  { keys: [['↑']], does: t.later('From the first row: go to the header') },
  { keys: [[enter], [shift, enter]], does: t.later('On a header: sort; with Shift by several columns') },
  { keys: [[alt, '↓']], does: t.later('On a header: filter and statistics') },
];

const listKey: TableShortcut = { keys: [['?']], does: t.later('List the keyboard shortcuts') };

/** Opens the list of shortcuts. */
export function listShortcuts({ additions }: Pick<TableStore, 'additions'>): void {
  const added = additions.flatMap(addition => addition.shortcuts ?? []);
  showShortcuts(t('Keyboard Shortcuts'), tableShortcuts([...shortcuts, ...added, listKey]));
}

/** Shortcuts in words. Keys held together are joined by "+". */
function tableShortcuts(listed: readonly TableShortcut[]): Shortcut[] {
  const label = (key: KeyLabel) => (typeof key === 'string' ? key : key.named());
  return listed.map(({ keys, does }) => ({
    keys: keys.map(combined => combined.map(label).join('+')),
    does: does(),
  }));
}
