import type { PageWords } from '../../pages/page/l10n';
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Parts } from '../../base/parts';
import type { TableColumn } from '../../columns/tableSummary';
import type { PlotTable } from '../../drawing/page/plottedTable';
import type { TableMenuCommand } from '../../protocol/menuCommands';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../tablePage';
import type { AddedLater } from './addedLater';
import type { GroupUnits } from './groupUnits';
import type { ModelParts } from './modelParts';
import type { PlaceOf } from './movedColumns';
import type { RowFocus } from './rowFocus';
import type { CellOutput } from './state/cellOutput';
import type { NamedPopulations } from './state/namedPopulations';
import type { TableLink } from './state/tableLink';
import type { TableFilters } from './tableFilters';
import type { SavedPart, TableViewState } from './tableViewState';
import type { UndoPart, ViewParts } from './viewHistory';

/**
 * A subject's contribution to the table page. All are listed in src/workbench/page/tablePage.ts.
 */
export interface TableContribution {
  /** The subject's state in the saved view. */
  readonly saved?: SavedPart;
  /** The undoable part of that state. */
  readonly undo?: UndoPart;
  /** Adds to the page once the table is open. */
  open(parts: OpenedParts): TableAddition;
}

/** What the page offers to contributions. */
export interface OpenedParts extends ModelParts {
  panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'request' | 'send' | 'on'>;
  start: TableStart;
  rows: RowFocus;
  link: TableLink;
  filters: TableFilters;
  populations: NamedPopulations;
  output: CellOutput;
  /** Texts of a column, most frequent first. */
  textsOf: (column: number, limit: number, until?: AbortSignal) => Promise<string[]>;
  /** The table for plots, with their actions on it. */
  plotted: PlotTable;
  /** The view at the start. */
  view: TableViewState;
  /** Size that rows, groups and a drawer share, in pixels; undefined until measured. */
  room: ReadonlySignal<{ width: number; height: number } | undefined>;
  /** Height that groups need below the rows, in pixels, so that a drawer leaves it. */
  neededByGroups: (room: { width: number }) => number;
  /** What subjects offer to those opened after them, by key. */
  added: Parts;
  /** Changes the saved view without recording it for undo. */
  withoutUndo: (change: () => void) => void;
  /** Loads the later scripts; rejects on failure. */
  loadLater: () => Promise<AddedLater>;
  /** Resolves once the page shows all columns that the panel has sent. */
  extended: () => Promise<void>;
}

/** What a subject adds to an open table. */
export interface TableAddition {
  readonly buttons?: readonly AddedButton[];
  readonly overRows?: readonly OverRows[];
  readonly side?: SidePart;
  readonly drawer?: Drawer;
  readonly groups?: GroupUnits;
  readonly columns?: AddedToColumns;
  readonly menu?: AddedMenu;
  /** Handlers of menu commands that aren't about an element or a column. */
  readonly runs?: Partial<Record<TableMenuCommand, () => void>>;
  /** The subject's shortcuts, for the list of all. */
  readonly shortcuts?: readonly TableShortcut[];
  /** Called once the table is restored: later changes are the user's. */
  begin?(): void;
  /**
   * Restores state after undo or redo: from one state to the other. `open`: opens the view if
   * closed.
   */
  restore?(to: Partial<ViewParts>, open: boolean, from: Partial<ViewParts>): void;
  /**
   * Restores columns for undo or redo, before `restore`. Resolves once the table has them; rejects
   * on failure.
   */
  restoreColumns?(to: Partial<ViewParts>, from: Partial<ViewParts>): Promise<void>;
  /**
   * The new names of renamed columns, by former ones, if the user changed the columns to these on
   * this page: that is an undoable step. Undefined for other changes.
   */
  changedHere?(columns: readonly TableColumn[]): ReadonlyMap<string, string> | undefined;
  /** The table has other columns, and the state about columns was updated. */
  columnsExtended?(): void;
  /** Columns moved. */
  columnsMoved?(placeOf: PlaceOf): void;
  /** Columns outside the file were renamed; `names`: new names by former names. */
  columnsRenamed?(names: ReadonlyMap<string, string>): void;
}

/** A toolbar button that opens or closes a view of the subject. */
export interface AddedButton {
  readonly icon: string;
  readonly label: string;
  /** Description, if it says more than the label. */
  readonly hint?: string;
  /** Where the button is: with those about columns, or with views of the table. */
  readonly place: 'columns' | 'views';
  /** Whether the button is visible; absent for always. */
  readonly isOffered?: ReadonlySignal<boolean>;
  readonly isOpen: ReadonlySignal<boolean>;
  toggle(): void;
}

/** A view in place of the rows, which are inert meanwhile. Opening one closes the others. */
export interface OverRows {
  /** Title while the script loads. */
  readonly label: string;
  readonly isOpen: ReadonlySignal<boolean>;
  close(): void;
  /** Content for `main.over-rows`; null while the view is closed. */
  content(later: AddedLater): ComponentChildren;
}

/** A part to the left of rows, groups and drawer. It stays beside a view in place of the rows. */
export interface SidePart {
  readonly name: string;
  readonly isOpen: ReadonlySignal<boolean>;
  /** Width in pixels. */
  readonly width: ReadonlySignal<number>;
  content(later: AddedLater): ComponentChildren;
}

/** What a subject adds to columns. */
export interface AddedToColumns {
  /** Content of a column's popover, above its filters. */
  popover?(column: number, close: () => void): ComponentChildren;
  /** Tooltip of a header, after the column's name. */
  tooltip?(column: number): string | undefined;
  /** Handlers of commands in a header's context menu. */
  readonly runs?: Partial<Record<TableMenuCommand, (column: number, header: Element) => void>>;
  /** Context keys of the column for the conditions of these commands in package.json. */
  menuContext?(column: number): Readonly<Record<string, boolean>>;
}

/**
 * A drawer below the rows, to their right, or in their place if there isn't room for both. A page
 * has at most one. Tabs and saved views call it `plots`.
 */
export interface Drawer {
  readonly name: string;
  readonly icon: string;
  readonly closeWords: string;
  readonly isOpen: ReadonlySignal<boolean>;
  readonly isRight: ReadonlySignal<boolean>;
  /** Whether the drawer is in place of the rows. */
  readonly isOver: ReadonlySignal<boolean>;
  /** Height in pixels while the drawer is open below the rows, else 0. */
  readonly heightBelow: ReadonlySignal<number>;
  toggle(): void;
  /** Closes the drawer, and returns the focus to the rows. */
  leave(): void;
  /** The drawer's place, which exists before its content. */
  place(content: ComponentChildren): ComponentChildren;
  content(later: AddedLater): ComponentChildren;
  /** The drawer's actions, beside its tab. */
  actions(later: AddedLater): ComponentChildren;
}

/** A context menu of elements that a subject shows. */
export interface AddedMenu {
  /** `webviewSection` of the menu's commands in package.json. */
  readonly section: string;
  /** The element where VS Code looks for the section. */
  root(): HTMLElement | null;
  /** Sets the element that a menu opens on. Returns false if it isn't this subject's. */
  aim(target: Element): boolean;
  readonly runs: Partial<Record<TableMenuCommand, () => void>>;
}

/** The label of a key: a character, or its name. */
export type KeyLabel = { named: PageWords } | string;

/** A shortcut for the list. */
export interface TableShortcut {
  readonly keys: readonly (readonly KeyLabel[])[];
  readonly does: PageWords;
}
