import type { Rgb } from './palette';

/** What decides the colour of an object. A column is one of the linked objects table, from 0. */
export type ColourBy =
  | { kind: 'class' }
  | { kind: 'object' }
  | { kind: 'column'; column: number; name: string }
  | { kind: 'measure'; measure: MaskMeasure };

/** Measurements made here that objects can be coloured by. */
export type MaskMeasure = 'area' | 'perimeter';

/** The part of a column's values that the colour scale spreads over; what lies outside takes its ends. */
export interface ValueRange {
  low: number;
  high: number;
}

/** How the masks look now. */
export interface MasksLook {
  fill: boolean;
  opacity: number;
  /** Per class. */
  colours: readonly Rgb[];
  hidden: ReadonlySet<number>;
  colourBy: ColourBy;
}

/** Whether both colour by the same thing. */
export function sameColouring(a: ColourBy, b: ColourBy): boolean {
  if (a.kind === 'column' && b.kind === 'column') return a.column === b.column && a.name === b.name;
  if (a.kind === 'measure' && b.kind === 'measure') return a.measure === b.measure;
  return a.kind === b.kind;
}
