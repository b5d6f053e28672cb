import type { Rgb } from '../../base/rgb';
import type { ColorMapName } from '../../pages/page/widgets/colorScale';

/** What decides the color of an object. A column is one of the linked objects table, from 0. */
export type ColorBy =
  | { kind: 'class' }
  | { kind: 'object' }
  | { kind: 'column'; column: number; name: string }
  | { kind: 'measure'; measure: MaskMeasure };

/** Measurements made here that objects can be colored by. */
export type MaskMeasure = 'area' | 'perimeter';

/** How the masks look now. */
export interface MasksLook {
  fill: boolean;
  opacity: number;
  /** Per class. */
  colors: readonly Rgb[];
  hidden: ReadonlySet<number>;
  colorBy: ColorBy;
  /** How values become colors. */
  colorMap: ColorMapName;
}

/** Whether both color by the same thing. */
export function sameColoring(a: ColorBy, b: ColorBy): boolean {
  if (a.kind === 'column' && b.kind === 'column') return a.column === b.column && a.name === b.name;
  if (a.kind === 'measure' && b.kind === 'measure') return a.measure === b.measure;
  return a.kind === b.kind;
}
