import * as v from 'valibot';

/**
 * Schemas that several messages of pages share. Long lists and buffers are checked in one pass, without copying them.
 */

const MAX_NUMBERS = 2_000_000;
/** More than a table has that is opened, also one joined of several. */
const MAX_COLUMNS = 2 ** 20;
/** Columns where one may be named twice, such as those of a plot. */
const MAX_FEW_COLUMNS = 4096;
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
const MAX_FILTERS = 1000;
const MAX_SORT_KEYS = 1000;
/** Bytes of a buffer in one message. */
const MAX_BUFFER = 4 * 2 ** 20;
/** Characters. */
const MAX_FAILURE = 8192;
/** A plot of 100,000 points has 10 MB as SVG. Bytes. */
const MAX_PLOT = 256 * 2 ** 20;
/** Channels of a look; more would only use up memory. */
const MAX_CHANNELS = 4096;
/** At this level a tile covers every image. */
const MAX_LEVEL = 30;

export const nothing = v.object({});

/** A position, counted from 0. */
export const index = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const finite = v.pipe(v.number(), v.finite());

/** Positions, counted from 0. */
export const indexes = v.custom<number[]>(value =>
  isList(value, each => Number.isSafeInteger(each) && (each as number) >= 0),
);

/** Columns of a table by their position, each once. */
export const columns = v.custom<number[]>(
  value => isList(value, isColumn, MAX_COLUMNS) && areDistinct(value as number[]),
);

/** A few columns of a table by their position, in which one may stand more than once. */
export const fewColumns = v.custom<number[]>(value => isList(value, isColumn, MAX_FEW_COLUMNS));

/** Corners x, y in turn. */
export const polygon = v.custom<number[]>(value => isList(value, Number.isFinite, 2 * MAX_CORNERS));

export const text = v.pipe(v.string(), v.maxLength(MAX_TEXT));

/** For the clipboard. */
export const copiedText = v.pipe(v.string(), v.maxLength(MAX_COPIED));

export const fileName = v.pipe(v.string(), v.maxLength(MAX_NAME));

/** Texts that are at most 16 million characters long together. */
export const texts = v.custom<string[]>(value => {
  let characters = 0;
  const isShort = (each: unknown) =>
    typeof each === 'string' && (characters += each.length) <= MAX_VALUES_CHARACTERS;
  return isList(value, isShort, MAX_VALUES);
});

/** An ArrayBuffer of at most 4 MB. */
export const buffer = v.custom<ArrayBuffer>(
  value => value instanceof ArrayBuffer && value.byteLength <= MAX_BUFFER,
);

/** A drawing, as PNG or SVG. */
export const plot = v.custom<ArrayBuffer>(
  value => value instanceof ArrayBuffer && value.byteLength <= MAX_PLOT,
);

/** x1, y1, x2, y2. */
export const box = v.tuple([finite, finite, finite, finite]);

const tile = { level: v.pipe(index, v.maxValue(MAX_LEVEL)), x: index, y: index };

/** Position of a tile. */
export const tileFields = tile;

/** See ObjectRef. */
export const objectRefFields = { image: index, object: index };

const colorPart = v.pipe(
  finite,
  v.transform(value => Math.max(0, Math.min(255, value))),
);

/** See BackgroundImageLook. */
export const backgroundImageLook = v.object({
  page: index,
  z: index,
  t: index,
  channels: v.pipe(
    v.array(
      v.object({
        shown: v.boolean(),
        color: v.tuple([colorPart, colorPart, colorPart]),
        low: finite,
        high: finite,
      }),
    ),
    v.maxLength(MAX_CHANNELS),
  ),
});

/** What went wrong in a page, cut to what a line of the log holds. */
export const failure = v.object({
  message: v.pipe(
    v.string(),
    v.transform(text => text.slice(0, MAX_FAILURE).replace(/[\ud800-\udbff]$/, '')),
  ),
});

export const sortKey = v.object({ column: index, descending: v.boolean() });

/** See RangeEnd. */
const rangeEnd = v.union([finite, v.pipe(v.string(), v.regex(/^-?\d{1,308}$/))]);

/** See Filter. */
const filter = v.variant('kind', [
  v.object({
    kind: v.literal('range'),
    column: index,
    from: v.nullable(rangeEnd),
    to: v.nullable(rangeEnd),
  }),
  v.object({
    kind: v.literal('values'),
    column: index,
    values: texts,
    missing: v.optional(v.boolean()),
    exclude: v.optional(v.boolean()),
  }),
  v.object({
    kind: v.literal('text'),
    column: index,
    match: v.picklist(['contains', 'equals', 'regex']),
    text,
    caseSensitive: v.optional(v.boolean()),
    exclude: v.optional(v.boolean()),
  }),
  v.object({ kind: v.literal('missing'), column: index, missing: v.boolean() }),
  v.object({ kind: v.literal('rowSet'), set: index, exclude: v.optional(v.boolean()) }),
]);

export const filters = v.pipe(v.array(filter), v.maxLength(MAX_FILTERS));

/** See ViewSpec. */
export const viewFields = {
  sort: v.pipe(v.array(sortKey), v.maxLength(MAX_SORT_KEYS), v.readonly()),
  filters: v.optional(v.pipe(filters, v.readonly())),
  upTo: v.optional(index),
};

function isList(value: unknown, isElement: (element: unknown) => boolean, max = MAX_NUMBERS): boolean {
  return Array.isArray(value) && value.length <= max && value.every(each => isElement(each));
}

function isColumn(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < MAX_COLUMNS;
}

function areDistinct(positions: readonly number[]): boolean {
  const seen = new Uint8Array(positions.reduce((most, each) => Math.max(most, each + 1), 0));
  for (const position of positions) {
    if (seen[position] === 1) return false;
    seen[position] = 1;
  }
  return true;
}
