import type { Event } from '../../base/event';
import { PartKey } from '../../base/parts';
import type { TableColumn } from '../../columns/tableSummary';
import type { TableKind } from '../../service/resultParts';
import type { ResultSource } from '../../session/node/resultSource';

/** The populations of the tables of a session, for features that paint or export their objects. */
interface TablePopulations {
  /** Fires when populations of the objects table, their rows or their colors changed. */
  readonly onDidChange: Event<void>;
  /** Whether an open table has populations. */
  areIn(kind: TableKind): boolean;
  /** Their paths, in the order of their columns in a saved table. */
  pathsIn(kind: TableKind): string[];
  /**
   * The first population that is impossible in a table with these columns; undefined if all are
   * possible.
   */
  impossible(kind: TableKind, columns: readonly TableColumn[]): string | undefined;
  /** Names of the columns whose numbers decide which rows a population has. */
  columnsBehind(kind: TableKind, name: string, columns: readonly TableColumn[]): string[];
  /**
   * Makes the engine use only the stored populations, not one being drawn, before data are saved.
   */
  withoutDrafts(kind: TableKind): Promise<void>;
}

export const tablePopulations = new PartKey<TablePopulations>('tablePopulations');

/** The populations of results, which may be closed. */
export interface ResultPopulations {
  /** Whether the table of objects, of a result or a file, has populations. */
  areIn(source: ResultSource): Promise<boolean>;
}

export const resultPopulations = new PartKey<ResultPopulations>('resultPopulations');
