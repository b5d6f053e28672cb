import * as v from 'valibot';

/*
 * Schemas that several pages' messages share. Long lists and buffers are checked in one pass,
 * without a copy.
 */

/** Maximum length of a list. */
const MAX_NUMBERS = 2_000_000;
/** Maximum corners of a polygon: each corner is compared with each row or object. */
const MAX_CORNERS = 20_000;
/** Maximum characters of a search text or a cell. */
const MAX_TEXT = 1_000_000;
/** Maximum characters of copied cells; three million cells usually have fewer. */
const MAX_COPIED = 2 ** 28;
/** Maximum characters of a file's name. */
const MAX_NAME = 4096;
/** Maximum number of a filter's values, and of all their characters. */
const MAX_VALUES = 100_000;
const MAX_VALUES_CHARACTERS = 16_000_000;
/** Maximum bytes of a buffer in one message. */
const MAX_BUFFER = 4 * 2 ** 20;
/** Maximum characters of a page's error message. */
const MAX_FAILURE = 8192;
/** Maximum bytes of a drawing; an SVG of 100,000 points has 10 MB. */
const MAX_DRAWING = 256 * 2 ** 20;
/** Maximum zoom level of a tile; there one tile covers any image. */
const MAX_LEVEL = 30;

export const nothing = v.object({});

/** A position, counted from 0. */
export const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const finite = v.pipe(v.number(), v.finite());

/** Positions, counted from 0. */
export const indexes = v.custom<number[]>(value =>
  isList(value, item => Number.isSafeInteger(item) && (item as number) >= 0),
);

/** Corners of a polygon: x and y alternate. */
export const polygon = v.custom<number[]>(value => isList(value, Number.isFinite, 2 * MAX_CORNERS));

export const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));

/** Text for the clipboard. */
export const copiedText = v.pipe(v.string(), v.maxLength(MAX_COPIED));

export const fileName = v.pipe(v.string(), v.maxLength(MAX_NAME));

/** Texts with at most 16 million characters in total. */
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

/** Zoom level and position of a tile. */
export const tileFields = { level: v.pipe(index, v.maxValue(MAX_LEVEL)), x: index, y: index };

/** An error in a page; its message is cut to fit a line of the log. */
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
