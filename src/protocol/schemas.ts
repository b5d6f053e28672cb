import * as v from 'valibot';

/** Schemas of several pages' messages. Long lists and buffers are checked in one pass, uncopied. */

const MAX_NUMBERS = 2_000_000;
/** Corners of a polygon: each is compared with each row or object. */
const MAX_CORNERS = 20_000;
/** A text that is searched for, or a cell's. Characters. */
const MAX_TEXT = 1_000_000;
/** Three million cells have fewer. Characters. */
const MAX_COPIED = 2 ** 28;
/** A file's name. Characters. */
const MAX_NAME = 4096;
/** Values of a filter, and their characters. */
const MAX_VALUES = 100_000;
const MAX_VALUES_CHARACTERS = 16_000_000;
/** Bytes of a buffer in one message. */
const MAX_BUFFER = 4 * 2 ** 20;
/** Characters. */
const MAX_FAILURE = 8192;
/** One of 100,000 points has 10 MB as SVG. Bytes. */
const MAX_DRAWING = 256 * 2 ** 20;
/** At this level a tile covers every image. */
const MAX_LEVEL = 30;

export const nothing = v.object({});

/** A position, counted from 0. */
export const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const finite = v.pipe(v.number(), v.finite());

/** Positions, counted from 0. */
export const indexes = v.custom<number[]>(value =>
  isList(value, item => Number.isSafeInteger(item) && (item as number) >= 0),
);

/** Corners x, y in turn. */
export const polygon = v.custom<number[]>(value => isList(value, Number.isFinite, 2 * MAX_CORNERS));

export const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));

/** For the clipboard. */
export const copiedText = v.pipe(v.string(), v.maxLength(MAX_COPIED));

export const fileName = v.pipe(v.string(), v.maxLength(MAX_NAME));

/** Texts that are at most 16 million characters long together. */
export const texts = v.custom<string[]>(value => {
  let characters = 0;
  const isShort = (item: unknown) =>
    typeof item === 'string' && (characters += item.length) <= MAX_VALUES_CHARACTERS;
  return isList(value, isShort, MAX_VALUES);
});

/** An ArrayBuffer of at most 4 MB. */
export const buffer = v.custom<ArrayBuffer>(
  value => value instanceof ArrayBuffer && value.byteLength <= MAX_BUFFER,
);

/** A drawing, as PNG or SVG. */
export const drawing = v.custom<ArrayBuffer>(
  value => value instanceof ArrayBuffer && value.byteLength <= MAX_DRAWING,
);

/** x1, y1, x2, y2. */
export const box = v.tuple([finite, finite, finite, finite]);

/** Position of a tile. */
export const tileFields = { level: v.pipe(index, v.maxValue(MAX_LEVEL)), x: index, y: index };

/** What went wrong in a page, cut to what a line of the log holds. */
export const failure = v.object({
  message: v.pipe(
    v.string(),
    v.transform(text => text.slice(0, MAX_FAILURE).replace(/[\ud800-\udbff]$/, '')),
  ),
});

/** Whether a value is an array of at most `max` such elements. */
export function isList(value: unknown, isElement: (element: unknown) => boolean, max = MAX_NUMBERS): boolean {
  return Array.isArray(value) && value.length <= max && value.every(item => isElement(item));
}
