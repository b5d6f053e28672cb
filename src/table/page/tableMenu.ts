import type { TableText } from '../../pages/page/pageText';
import { type Shortcut, showShortcuts } from '../../pages/page/widgets/popover';
import type { OwnTableMenuCommand, TableMenuCommand } from '../../protocol/menuCommands';
import type { AddedMenu, KeyLabel, TableShortcut } from './contribution';
import { openFilterMenu } from './controls/filterMenu';
import { focusFind } from './controls/findBar';
import { withValue } from './filterList';
import { columnOfCell, columnOfHeader, positionOf } from './grid/gridInput';
import { type GridRow, hasWholeCell } from './grid/gridRows';
import { fetchCell } from './grid/rowFetcher';
import type { TableGrid } from './grid/tableGrid';
import type { TableStore } from './state/tableStore';
import type { TableUndo } from './tableUndo';

interface TableMenuParts {
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

/** The context menus of cells, headers and what subjects add, which VS Code shows (`webview/context` in package.json). */
export class TableMenu {
  private target: MenuTarget | undefined;

  constructor(private readonly parts: TableMenuParts) {
    // VS Code reads what the menu is about once the event has bubbled.
    addEventListener('contextmenu', event => this.open(event), { capture: true });
  }

  run(command: TableMenuCommand): void {
    const { store, undo } = this.parts;
    const { output, columns } = store;
    const { target } = this;
    const cell = target?.section === 'cell' ? target : undefined;
    const onHeader = (act: (column: number, header: Element) => void) => {
      if (target?.section === 'header') act(target.column, target.header);
    };
    const own: Record<OwnTableMenuCommand, () => void> = {
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
    const all: readonly Partial<Record<TableMenuCommand, () => void>>[] = [
      own,
      ...store.additions.flatMap(addition => addition.runs ?? []),
      ...this.menus.map(({ runs }) => runs),
    ];
    for (const runs of all) runs[command]?.();
    for (const { columns: added } of store.additions) {
      const run = added?.runs?.[command];
      if (run) onHeader(run);
    }
  }

  private get menus(): readonly AddedMenu[] {
    return this.parts.store.additions.flatMap(({ menu }) => menu ?? []);
  }

  private open({ target }: MouseEvent): void {
    const { grid } = this.parts;
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
    const { grid, store } = this.parts;
    const { cells, rows } = store;
    // All of them learn of it: what a menu was opened on before is no longer meant.
    const [menu] = this.menus.filter(each => each.aim(target));
    if (menu) return { section: 'added', menu };
    // The groups have a grid of their own.
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
    const { store, undo } = this.parts;
    const ofAll = {
      webviewSection: target.section === 'added' ? target.menu.section : target.section,
      ...(undo.can('undo') && { tableCanUndo: true }),
      ...(undo.can('redo') && { tableCanRedo: true }),
    };
    if (target.section !== 'header') return ofAll;
    return {
      ...ofAll,
      tableColumnPinned: store.columns.layout.peek().pinned.includes(target.column),
      tableColumnCanHide: store.columns.canHide,
      ...addedContext(store, target.column),
    };
  }

  private async filter({ row, column }: { row: GridRow; column: number }, exclude: boolean): Promise<void> {
    const { table: model, filters, messages } = this.parts.store;
    const of = model.table.columns[column];
    if (!of) return;
    try {
      const text = hasWholeCell(row, column)
        ? (row.cells[column] ?? '')
        : (await fetchCell(model, row.fileRow, column)).text;
      const decimalComma = model.table.decimalComma === true;
      filters.set(withValue(model.latestFilters, of, { text, exclude, decimalComma }));
    } catch (error) {
      messages.failed('filterFailed', error);
    }
  }
}

/** What entries that subjects add to a header's menu go by. */
function addedContext({ additions }: TableStore, column: number): Record<string, boolean> {
  return Object.fromEntries(
    additions.flatMap(({ columns }) => Object.entries(columns?.menuContext?.(column) ?? {})),
  );
}

/** What VS Code knows of an element when it selects the entries of a menu. */
function setContext(root: HTMLElement, context: object | undefined): void {
  if (context) root.dataset['vscodeContext'] = JSON.stringify(context);
  else delete root.dataset['vscodeContext'];
}

/** Keys that work wherever the focus is, except in fields that need them; those of the grid and the plots are in their own files. */
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
    // What the focus is in.
    void (document.activeElement?.closest('.groups-part') ? store.groups.copy() : store.output.copy());
  });
}

const control: KeyLabel = { named: 'keyControl' };
const shift: KeyLabel = { named: 'keyShift' };
const alt: KeyLabel = { named: 'keyAlt' };
const enter: KeyLabel = { named: 'keyEnter' };

/** Each combination of keys, and what it does. */
const shortcuts: readonly TableShortcut[] = [
  { keys: [['←'], ['→'], ['↑'], ['↓']], does: 'shortcutMoveCell' },
  { keys: [[shift, '↓']], does: 'shortcutExtend' },
  {
    keys: [
      [control, { named: 'keyHome' }],
      [control, { named: 'keyEnd' }],
    ],
    does: 'shortcutEnds',
  },
  { keys: [[control, 'A']], does: 'shortcutSelectAll' },
  { keys: [[control, 'C']], does: 'shortcutCopy' },
  { keys: [[control, 'Z']], does: 'shortcutUndo' },
  {
    keys: [
      [control, shift, 'Z'],
      [control, 'Y'],
    ],
    does: 'shortcutRedo',
  },
  { keys: [[enter]], does: 'shortcutOpenCell' },
  { keys: [[shift, 'F10']], does: 'shortcutMenu' },
  { keys: [[control, 'F']], does: 'shortcutFind' },
  { keys: [['↑']], does: 'shortcutHeader' },
  { keys: [[enter], [shift, enter]], does: 'shortcutSort' },
  { keys: [[alt, '↓']], does: 'shortcutFilter' },
];

const listKey: TableShortcut = { keys: [['?']], does: 'shortcutList' };

/** Lists the shortcuts of the table page. */
export function listShortcuts({ text, additions }: Pick<TableStore, 'text' | 'additions'>): void {
  const added = additions.flatMap(addition => addition.shortcuts ?? []);
  showShortcuts(text.get('shortcuts'), tableShortcuts(text, [...shortcuts, ...added, listKey]));
}

/** The shortcuts of the table page, in words; keys held together are joined by "+". */
function tableShortcuts(text: TableText, all: readonly TableShortcut[]): Shortcut[] {
  const label = (key: KeyLabel) => (typeof key === 'string' ? key : text.get(key.named));
  return all.map(({ keys, does }) => ({
    keys: keys.map(combined => combined.map(label).join('+')),
    does: text.get(does),
  }));
}
