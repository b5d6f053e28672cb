import type { Event } from '../../base/event';
import { PartKey } from '../../base/parts';

/**
 * Offered with a session by the subject that knows populations, for those that paint objects by
 * them; the engine says which there are.
 */
export interface PopulationChanges {
  /** Those of the objects table are others, or have other rows or colors. */
  readonly onDidChange: Event<void>;
}

export const populationChanges = new PartKey<PopulationChanges>('populationChanges');
