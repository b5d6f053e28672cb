import type { ColorMapName } from '../../../pages/page/widgets/colorScale';
import type { ValueRange } from '../../../pages/page/widgets/valueScale';
import type { ColorBy } from '../masksLook';

/** A scale of colors in use. */
export interface ShownScale {
  of: ColorBy;
  colorMap: ColorMapName;
  /** Where its colors begin and end. */
  range: ValueRange;
  /** Lowest and highest value there is. */
  min: number;
  max: number;
}
