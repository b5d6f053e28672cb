import { PartKey } from '../../base/parts';
import type { AddSessionParts } from '../../session/node/resultSession';

/** The hidden classes and the class colors of a result, for exports of visible objects. */
interface ShownClasses {
  /** Positions of the hidden classes. */
  hidden: readonly number[];
  /** #rrggbb by class name. */
  colors: Readonly<Record<string, string>>;
}

export const shownClasses = new PartKey<ShownClasses>('shownClasses');

export const maskParts: AddSessionParts = session => {
  session.add<ShownClasses>(shownClasses, { hidden: [], colors: {} });
};
