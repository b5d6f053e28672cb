import type { Event } from '../../base/event';
import { PartKey } from '../../base/parts';
import type { TableColumn } from '../../columns/tableSummary';
import type { TableKind } from '../../service/resultParts';
import type { ResultSource } from '../../session/node/resultSource';

/**
 * A subject offers its populations with a session, for painting and writing objects; the engine
 * lists them.
 */
interface KnownPopulations {
  /** Those of the objects table are others, or have other rows or colors. */
  readonly onDidChange: Event<void>;
  /** Whether a table that was opened has any. */
  areIn(kind: TableKind): boolean;
  /** The first one that a table with these columns can't have; undefined if it can have all. */
  impossible(kind: TableKind, columns: readonly TableColumn[]): string | undefined;
  /** Has the engine use the stored ones, and none that is being drawn: for what is saved. */
  withoutDrafts(kind: TableKind): Promise<void>;
}

export const knownPopulations = new PartKey<KnownPopulations>('knownPopulations');

/** Populations of results that needn't be open. */
export interface ResultPopulations {
  /** Whether the objects table of a result has any. */
  areIn(source: ResultSource): Promise<boolean>;
}

export const resultPopulations = new PartKey<ResultPopulations>('resultPopulations');
