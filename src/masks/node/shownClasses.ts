import { PartKey } from '../../base/parts';
import type { AddSessionParts } from '../../session/node/resultSession';

/** The current visibility of a result's classes, for exports of visible objects. */
interface ShownClasses {
  /** Classes hidden on the masks, by their position. */
  hidden: readonly number[];
  /** #rrggbb by the name of the class. */
  colors: Readonly<Record<string, string>>;
}

export const shownClasses = new PartKey<ShownClasses>('shownClasses');

export const maskParts: AddSessionParts = session => {
  session.add<ShownClasses>(shownClasses, { hidden: [], colors: {} });
};
