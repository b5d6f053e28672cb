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

/** What a subject adds to the page of a table: the list is in src/workbench/page/tablePage.ts. */
export interface TableContribution {
  /** What it keeps in the saved view. */
  readonly saved?: SavedPart;
  /** What of that can be undone. */
  readonly undo?: UndoPart;
  /** Adds to the page once its table is open. */
  open(parts: OpenedParts): TableAddition;
}

/** What the page gives to those that add to it. */
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
  /** The table as plots see it, and what is done to it with them. */
  plotted: PlotTable;
  /** The view to begin with. */
  view: TableViewState;
  /** What rows, groups and a drawer share, in pixels; undefined until they are on the screen. */
  room: ReadonlySignal<{ width: number; height: number } | undefined>;
  /** Pixels that groups need below the rows, if a drawer is to be there too. */
  neededByGroups: (room: { width: number }) => number;
  /** What subjects offer to those after them, each under its key. */
  added: Parts;
  /** Changes the saved view by what isn't the user's doing: no step that can be undone. */
  unnoticed: (change: () => void) => void;
  /** Loads what comes later; rejects where that fails. */
  loadLater: () => Promise<AddedLater>;
  /** Resolves once the page shows the columns that the panel has told it of so far. */
  extended: () => Promise<void>;
}

/** What a subject has added to an open table. */
export interface TableAddition {
  readonly buttons?: readonly AddedButton[];
  readonly overRows?: readonly OverRows[];
  readonly side?: SidePart;
  readonly drawer?: Drawer;
  readonly groups?: GroupUnits;
  readonly columns?: AddedToColumns;
  readonly menu?: AddedMenu;
  /** What entries of the page's menus do that aren't about an element or a column. */
  readonly runs?: Partial<Record<TableMenuCommand, () => void>>;
  /** Keys of its own, for the list of all. */
  readonly shortcuts?: readonly TableShortcut[];
  /** The table is as it was left: rows come, and changes of it are the user's from now on. */
  begin?(): void;
  /**
   * Shows what an undone step says of it, from one to the other; `open`: also where it is closed.
   */
  restore?(to: Partial<ViewParts>, open: boolean, from: Partial<ViewParts>): void;
  /**
   * Gives the table the columns that an undone step says, before all else of it is shown. Resolves
   * once they are there; rejects where that fails.
   */
  restoreColumns?(to: Partial<ViewParts>, from: Partial<ViewParts>): Promise<void>;
  /** Whether the user has changed the columns to these on this page: that is a step. */
  hasChanged?(columns: readonly TableColumn[]): boolean;
  /** The table has other columns, and what is about them has followed. */
  columnsExtended?(): void;
  /** Columns are elsewhere now. */
  columnsMoved?(placeOf: PlaceOf): void;
  /** Columns that are in no file are called otherwise now, by the names that they had. */
  columnsRenamed?(names: ReadonlyMap<string, string>): void;
}

/** A button of the toolbar that opens or closes what a subject shows besides the rows. */
export interface AddedButton {
  readonly icon: string;
  readonly label: string;
  /** What its words don't say. */
  readonly hint?: string;
  /** Among those about columns, or behind them among those that show the table in another way. */
  readonly place: 'columns' | 'views';
  /** Whether it is there; it always is where this is absent. */
  readonly isOffered?: ReadonlySignal<boolean>;
  readonly isOpen: ReadonlySignal<boolean>;
  toggle(): void;
}

/**
 * What stands in place of the rows while it is open. These are inert meanwhile; of several the one
 * opened last is open.
 */
export interface OverRows {
  /** What it is called while its script comes. */
  readonly label: string;
  readonly isOpen: ReadonlySignal<boolean>;
  close(): void;
  /** Fills the place of the rows, as `main.over-rows`; null while it is closed. */
  content(later: AddedLater): ComponentChildren;
}

/**
 * A part to the left of rows, groups and drawer, which is there beside what stands in place of the
 * rows too.
 */
export interface SidePart {
  readonly name: string;
  readonly isOpen: ReadonlySignal<boolean>;
  /** In pixels. */
  readonly width: ReadonlySignal<number>;
  content(later: AddedLater): ComponentChildren;
}

/** What a subject adds to columns. */
export interface AddedToColumns {
  /** In the popover of a column, above its filters. */
  popover?(column: number, close: () => void): ComponentChildren;
  /** What the tooltip of a header says besides its name. */
  tooltip?(column: number): string | undefined;
  /** What entries of a header's context menu do. */
  readonly runs?: Partial<Record<TableMenuCommand, (column: number, header: Element) => void>>;
  /** What the conditions of these entries in package.json know of the column. */
  menuContext?(column: number): Readonly<Record<string, boolean>>;
}

/**
 * A drawer below the rows, to their right, or in their place where there is no room for both. A
 * page has one at most, which tabs and saved views call `plots`.
 */
export interface Drawer {
  readonly name: string;
  readonly icon: string;
  readonly closeWords: string;
  readonly isOpen: ReadonlySignal<boolean>;
  readonly isRight: ReadonlySignal<boolean>;
  /** Whether it is in place of the rows. */
  readonly isOver: ReadonlySignal<boolean>;
  /** Its height where it is open below the rows, else 0; in pixels. */
  readonly heightBelow: ReadonlySignal<number>;
  toggle(): void;
  /** Closes it by what is in it, and goes back to the rows. */
  leave(): void;
  /** Its place, which is there before what is in it. */
  place(content: ComponentChildren): ComponentChildren;
  content(later: AddedLater): ComponentChildren;
  /** What can be done with it, beside its tab. */
  actions(later: AddedLater): ComponentChildren;
}

/** A context menu on something that a subject shows. */
export interface AddedMenu {
  /** The entries of package.json that are for it, by their `webviewSection`. */
  readonly section: string;
  /** The element in which VS Code looks for that. */
  root(): HTMLElement | null;
  /** A menu is opened on an element of the page; false where that is none of its own. */
  aim(target: Element): boolean;
  readonly runs: Partial<Record<TableMenuCommand, () => void>>;
}

/** What is written on a key: a character, or its name. */
export type KeyLabel = { named: PageWords } | string;

/** Each combination of keys, and what it does. */
export interface TableShortcut {
  readonly keys: readonly (readonly KeyLabel[])[];
  readonly does: PageWords;
}
