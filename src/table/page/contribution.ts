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

/** A subject's part of a table page: src/workbench/page/tablePage.ts lists the parts. */
export interface TableContribution {
  /** Its state in the saved view. */
  readonly saved?: SavedPart;
  /** The undoable part of that state. */
  readonly undo?: UndoPart;
  /** Adds to the page once its table is open. */
  open(parts: OpenedParts): TableAddition;
}

/** The page's interface for its parts. */
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
  /** The table for plots, and their actions on it. */
  plotted: PlotTable;
  /** The view to begin with. */
  view: TableViewState;
  /** Pixels that rows, groups and a drawer share; undefined until measured. */
  room: ReadonlySignal<{ width: number; height: number } | undefined>;
  /** Pixels that groups need below the rows, if a drawer is to be there too. */
  neededByGroups: (room: { width: number }) => number;
  /** Offers of subjects to later ones, by key. */
  added: Parts;
  /** Changes the saved view without the user: no step to undo. */
  unnoticed: (change: () => void) => void;
  /** Loads later scripts; rejects on failure. */
  loadLater: () => Promise<AddedLater>;
  /** Resolves once the page shows the columns that the panel has sent so far. */
  extended: () => Promise<void>;
}

/** A subject's part of an open table. */
export interface TableAddition {
  readonly buttons?: readonly AddedButton[];
  readonly overRows?: readonly OverRows[];
  readonly side?: SidePart;
  readonly drawer?: Drawer;
  readonly groups?: GroupUnits;
  readonly columns?: AddedToColumns;
  readonly menu?: AddedMenu;
  /** Handlers of the page's menu entries that aren't about an element or a column. */
  readonly runs?: Partial<Record<TableMenuCommand, () => void>>;
  /** Keys of its own, for the list of all. */
  readonly shortcuts?: readonly TableShortcut[];
  /** The table is restored: rows follow, and later changes are the user's. */
  begin?(): void;
  /** Shows an undone step of it, from one state to the other; `open`: opens it if closed. */
  restore?(to: Partial<ViewParts>, open: boolean, from: Partial<ViewParts>): void;
  /**
   * Sets the table's columns of an undone step, before the rest of it. Resolves once they are
   * there; rejects on failure.
   */
  restoreColumns?(to: Partial<ViewParts>, from: Partial<ViewParts>): Promise<void>;
  /**
   * If the user has changed the columns to these on this page, which is a step: the new names of
   * renamed ones, by former names.
   */
  changedHere?(columns: readonly TableColumn[]): ReadonlyMap<string, string> | undefined;
  /** The table has other columns, and state about them has followed. */
  columnsExtended?(): void;
  /** Columns are elsewhere now. */
  columnsMoved?(placeOf: PlaceOf): void;
  /** Columns outside the file were renamed, by their former names. */
  columnsRenamed?(names: ReadonlyMap<string, string>): void;
}

/** A toolbar button that opens or closes a subject's view besides the rows. */
export interface AddedButton {
  readonly icon: string;
  readonly label: string;
  /** A description beyond its title. */
  readonly hint?: string;
  /** Among the buttons about columns, or after them with other views of the table. */
  readonly place: 'columns' | 'views';
  /** Whether it is there; it always is where this is absent. */
  readonly isOffered?: ReadonlySignal<boolean>;
  readonly isOpen: ReadonlySignal<boolean>;
  toggle(): void;
}

/** A view in place of the rows, which are inert meanwhile. The one opened last is open. */
export interface OverRows {
  /** Its title while its script loads. */
  readonly label: string;
  readonly isOpen: ReadonlySignal<boolean>;
  close(): void;
  /** Fills the place of the rows, as `main.over-rows`; null while it is closed. */
  content(later: AddedLater): ComponentChildren;
}

/** A part to the left of rows, groups and drawer, also beside a view in place of the rows. */
export interface SidePart {
  readonly name: string;
  readonly isOpen: ReadonlySignal<boolean>;
  /** In pixels. */
  readonly width: ReadonlySignal<number>;
  content(later: AddedLater): ComponentChildren;
}

/** A subject's additions to columns. */
export interface AddedToColumns {
  /** In the popover of a column, above its filters. */
  popover?(column: number, close: () => void): ComponentChildren;
  /** A header's tooltip after its name. */
  tooltip?(column: number): string | undefined;
  /** Handlers of entries in a header's context menu. */
  readonly runs?: Partial<Record<TableMenuCommand, (column: number, header: Element) => void>>;
  /** Context keys of the column for conditions of these entries in package.json. */
  menuContext?(column: number): Readonly<Record<string, boolean>>;
}

/**
 * A drawer below the rows, to their right, or in their place without room for both. A page has at
 * most one; tabs and saved views call it `plots`.
 */
export interface Drawer {
  readonly name: string;
  readonly icon: string;
  readonly closeWords: string;
  readonly isOpen: ReadonlySignal<boolean>;
  readonly isRight: ReadonlySignal<boolean>;
  /** Whether it is in place of the rows. */
  readonly isOver: ReadonlySignal<boolean>;
  /** Its height in pixels while it is open below the rows, else 0. */
  readonly heightBelow: ReadonlySignal<number>;
  toggle(): void;
  /** Closes it from inside, and returns to the rows. */
  leave(): void;
  /** Its place, which exists before its content. */
  place(content: ComponentChildren): ComponentChildren;
  content(later: AddedLater): ComponentChildren;
  /** Its actions, beside its tab. */
  actions(later: AddedLater): ComponentChildren;
}

/** A context menu on something that a subject shows. */
export interface AddedMenu {
  /** The entries of package.json that are for it, by their `webviewSection`. */
  readonly section: string;
  /** The element in which VS Code looks for that. */
  root(): HTMLElement | null;
  /** A menu opens on an element of the page; false if it isn't this part's. */
  aim(target: Element): boolean;
  readonly runs: Partial<Record<TableMenuCommand, () => void>>;
}

/** The label of a key: a character, or its name. */
export type KeyLabel = { named: PageWords } | string;

/** Handlers by key combination. */
export interface TableShortcut {
  readonly keys: readonly (readonly KeyLabel[])[];
  readonly does: PageWords;
}
