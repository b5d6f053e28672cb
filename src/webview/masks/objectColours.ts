import { makeColourScale, objectColour, SCALE_STEPS } from './colourScale';
import type { MasksLook, ValueRange } from './masksLook';
import { packed, type Rgb } from './palette';

/** What is known of the objects of an image, each in the order of its labels. */
export interface ObjectFacts {
  classes: Uint16Array;
  /** 1 = its row passes the table's filter; absent when nothing is filtered. */
  shown?: Uint8Array | undefined;
  /** What objects are coloured by, NaN where it is not known; absent while it is not there. */
  values?: Float64Array | undefined;
}

/** After so many objects colours come again: far from each other by then. */
const OBJECT_COLOURS = 999;

/** An object without a value: neither end of the scale. */
export const NO_VALUE: Rgb = [140, 140, 140];

/**
 * Packed RGBA of every label: 0 for background and for what is hidden. Recolouring, filtering and hiding make a new one;
 * no mask is decoded for them.
 */
export class ObjectColours {
  private readonly scale = makeColourScale().map(colour => packed(colour));
  private readonly none = packed(NO_VALUE);
  private ofObjects: readonly number[] | undefined;

  /** Label → colour; `range` is where the scale begins and ends. */
  palette(facts: ObjectFacts, look: MasksLook, range: ValueRange | undefined): Uint32Array {
    const { classes, shown } = facts;
    const colourOf = this.colouring(facts, look, range);
    const visible = look.colours.map((_, position) => !look.hidden.has(position));
    const palette = new Uint32Array(classes.length + 1);
    for (let object = 0; object < classes.length; object++) {
      if (shown && shown[object] !== 1) continue;
      if (visible[classes[object] ?? 0] === false) continue;
      palette[object + 1] = colourOf(object);
    }
    return palette;
  }

  private colouring(
    { classes, values }: ObjectFacts,
    { colours, colourBy }: MasksLook,
    range: ValueRange | undefined,
  ): (object: number) => number {
    const ofClass = colours.map(colour => packed(colour));
    const byClass = (object: number) => ofClass[classes[object] ?? 0] ?? this.none;
    switch (colourBy.kind) {
      case 'class':
        return byClass;
      case 'object': {
        const own = (this.ofObjects ??= Array.from({ length: OBJECT_COLOURS }, (_, at) =>
          packed(objectColour(at)),
        ));
        return object => own[object % OBJECT_COLOURS] ?? this.none;
      }
      case 'column':
      case 'measure': {
        // Values are on their way, or never come where no table is.
        if (!values || !range) return byClass;
        const { scale, none } = this;
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

/** Bit (i & 7) of byte (i >> 3) is set where object i is not shown; undefined when all are. */
export function hiddenBits(palette: Uint32Array): ArrayBuffer | undefined {
  const count = palette.length - 1;
  const bits = new Uint8Array(Math.ceil(count / 8));
  let any = false;
  for (let object = 0; object < count; object++) {
    if (palette[object + 1] !== 0) continue;
    bits[object >> 3] = (bits[object >> 3] ?? 0) | (1 << (object & 7));
    any = true;
  }
  return any ? bits.buffer : undefined;
}

/** The colour of a packed pixel. */
export function unpacked(pixel: number): Rgb {
  return [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
}
