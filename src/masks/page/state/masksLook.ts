import { classColor, packed, type Rgb } from '../../../base/colors';
import {
  type ColorMapName,
  makeColorScale,
  objectColor,
  SCALE_STEPS,
  type ValueRange,
} from '../../../pages/page/widgets/colorScale';
import type { PackedNumbers } from '../../../protocol/packed';

/**
 * The source of objects' colors. `column`: position in the linked objects table; it has numbers or
 * texts.
 */
export type ColorBy =
  | { kind: 'class' }
  | { kind: 'object' }
  | { kind: 'column'; column: number; name: string; isText?: true }
  | { kind: 'measure'; measure: MaskMeasure }
  | { kind: 'population' };

/** Measurements from masks that can color objects. */
export type MaskMeasure = 'area' | 'perimeter';

/** The current look of the masks. */
export interface MasksLook {
  fill: boolean;
  opacity: number;
  /** Per class. */
  colors: readonly Rgb[];
  hidden: ReadonlySet<number>;
  colorBy: ColorBy;
  /** The mapping of values to colors. */
  colorMap: ColorMapName;
}

/** Whether both color by the same thing. */
export function sameColoring(a: ColorBy, b: ColorBy): boolean {
  if (a.kind === 'column' && b.kind === 'column')
    return a.column === b.column && a.name === b.name && a.isText === b.isText;
  if (a.kind === 'measure' && b.kind === 'measure') return a.measure === b.measure;
  return a.kind === b.kind;
}

/** A color scale in use. */
export interface ShownScale {
  colorBy: ColorBy;
  colorMap: ColorMapName;
  /** Where its colors begin and end. */
  range: ValueRange;
  /** Lowest and highest value of all objects. */
  min: number;
  max: number;
}

/** Data about an image's objects, each array in the order of labels. */
export interface ObjectAttributes {
  classes: Uint16Array;
  /** 1 for each object whose row matches the table's filter; absent without a filter. */
  shown?: Uint8Array | undefined;
  /**
   * The values that color objects; absent until loaded. For texts: their positions, NaN if unknown.
   * For populations: their positions + 1.
   */
  values?: PackedNumbers | undefined;
  /** The colors of populations. */
  populations?: readonly Rgb[] | undefined;
}

/** Number of objects after which colors repeat. Objects of equal colors are far apart then. */
const OBJECT_COLORS = 999;

/** The color of an object without a value: gray, unlike both ends of the scale. */
export const NO_VALUE: Rgb = [140, 140, 140];

/**
 * Packed RGBA per label: 0 for background and hidden labels. Recoloring, filtering and hiding make
 * a new palette and decode no masks.
 */
export class ObjectColors {
  private readonly scales = new Map<ColorMapName, readonly number[]>();
  private readonly none = packed(NO_VALUE);
  private objectColors: readonly number[] | undefined;

  /** Label → color; `range`: ends of the color scale. */
  palette(attributes: ObjectAttributes, look: MasksLook, range: ValueRange | undefined): Uint32Array {
    const { classes, shown } = attributes;
    const colorOf = this.coloring(attributes, look, range);
    const visible = look.colors.map((_, position) => !look.hidden.has(position));
    const palette = new Uint32Array(classes.length + 1);
    for (let object = 0; object < classes.length; object++) {
      if (shown && shown[object] !== 1) continue;
      if (visible[classes[object] as number] === false) continue;
      palette[object + 1] = colorOf(object);
    }
    return palette;
  }

  private scaleOf(name: ColorMapName): readonly number[] {
    const scale = this.scales.get(name) ?? makeColorScale(name).map(color => packed(color));
    this.scales.set(name, scale);
    return scale;
  }

  private coloring(
    { classes, values, populations }: ObjectAttributes,
    { colors, colorBy, colorMap }: MasksLook,
    range: ValueRange | undefined,
  ): (object: number) => number {
    const classColors = colors.map(color => packed(color));
    const byClass = (object: number) => classColors[classes[object] as number] ?? this.none;
    switch (colorBy.kind) {
      case 'class':
        return byClass;
      case 'object': {
        const objectColors = (this.objectColors ??= Array.from({ length: OBJECT_COLORS }, (_, object) =>
          packed(objectColor(object)),
        ));
        return object => objectColors[object % OBJECT_COLORS] ?? this.none;
      }
      case 'population': {
        if (!values || !populations) return byClass;
        const { none } = this;
        const populationColors = [none, ...populations.map(color => packed(color))];
        return object => populationColors[values[object] as number] ?? none;
      }
      case 'column':
      case 'measure': {
        // Values are loading, or still belong to populations, or no table is linked.
        if (!values || populations) return byClass;
        const { none } = this;
        if (colorBy.kind === 'column' && colorBy.isText)
          return object => {
            const position = values[object] ?? NaN;
            return Number.isNaN(position) ? none : packed(classColor(position));
          };
        if (!range) return byClass;
        const scale = this.scaleOf(colorMap);
        const { low } = range;
        const perUnit = (SCALE_STEPS - 1) / (range.high - low || 1);
        return object => {
          const value = values[object] ?? NaN;
          if (Number.isNaN(value)) return none;
          const step = Math.min(SCALE_STEPS - 1, Math.max(0, Math.round((value - low) * perUnit)));
          return scale[step] ?? none;
        };
      }
    }
  }
}

/** Bit (i & 7) of byte (i >> 3) is set where object i is hidden; undefined if none is. */
export function hiddenBits(palette: Uint32Array): ArrayBuffer | undefined {
  const count = palette.length - 1;
  const bits = new Uint8Array(Math.ceil(count / 8));
  let any = false;
  for (let object = 0; object < count; object++) {
    if (palette[object + 1] !== 0) continue;
    bits[object >> 3] = (bits[object >> 3] as number) | (1 << (object & 7));
    any = true;
  }
  return any ? bits.buffer : undefined;
}

/** The color of a packed pixel. */
export function unpacked(pixel: number): Rgb {
  return [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
}
