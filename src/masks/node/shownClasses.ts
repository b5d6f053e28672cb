import { PartKey } from '../../base/parts';
import type { AddSessionParts } from '../../session/node/resultSession';

/** How the classes of a result's masks are shown now, for exports of what is shown. */
export interface ShownClasses {
  /** Classes hidden on the masks, by their position. */
  hidden: readonly number[];
  /** #rrggbb by the name of the class. */
  colors: Readonly<Record<string, string>>;
}

export const shownClasses = new PartKey<ShownClasses>('shownClasses');

export const maskParts: AddSessionParts = session => {
  session.add<ShownClasses>(shownClasses, { hidden: [], colors: {} });
};
