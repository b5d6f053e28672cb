import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Parts } from '../../base/parts';
import type { PlotTable } from '../../drawing/page/plottedTable';
import type { TableTextKey } from '../../pages/tableTexts';
import type { TableMenuCommand } from '../../protocol/menuCommands';
import type { AddedLater } from './addedLater';
import type { ModelParts } from './modelParts';
import type { PlaceOf } from './movedColumns';
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
  /** Loads what comes later; rejects where that fails. */
  loadLater: () => Promise<AddedLater>;
}

/** What a subject has added to an open table. */
export interface TableAddition {
  readonly drawer?: Drawer;
  readonly menu?: AddedMenu;
  /** Keys of its own, for the list of all. */
  readonly shortcuts?: readonly TableShortcut[];
  /** Shows what an undone step says of it; `open`: also where it is closed. */
  restore?(parts: Partial<ViewParts>, open: boolean): void;
  /** Columns are elsewhere now. */
  columnsMoved?(placeOf: PlaceOf): void;
}

/**
 * A drawer below the rows, to their right, or in their place where there is no room for both. A page has one at most, which tabs and
 * saved views call `plots`.
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
export type KeyLabel = { named: TableTextKey } | string;

/** Each combination of keys, and what it does. */
export interface TableShortcut {
  readonly keys: readonly (readonly KeyLabel[])[];
  readonly does: TableTextKey;
}
