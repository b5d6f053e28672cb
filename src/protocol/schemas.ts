import * as v from 'valibot';

/**
 * Schemas that several messages of pages share. Long lists and buffers are checked in one pass, without copying them.
 */

const MAX_NUMBERS = 2_000_000;
/** Bytes of a buffer in one message. */
const MAX_BUFFER = 4 * 2 ** 20;
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

export const finiteNumbers = v.custom<number[]>(value => isList(value, Number.isFinite));

/** An ArrayBuffer of at most 4 MB. */
export const buffer = v.custom<ArrayBuffer>(
  value => value instanceof ArrayBuffer && value.byteLength <= MAX_BUFFER,
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

export const sortKey = v.object({ column: index, descending: v.boolean() });

/** See RangeEnd. */
const rangeEnd = v.union([finite, v.pipe(v.string(), v.regex(/^-?\d{1,308}$/))]);

/** See Filter. */
export const filter = v.variant('kind', [
  v.object({
    kind: v.literal('range'),
    column: index,
    from: v.nullable(rangeEnd),
    to: v.nullable(rangeEnd),
  }),
  v.object({
    kind: v.literal('values'),
    column: index,
    values: v.array(v.string()),
    missing: v.optional(v.boolean()),
    exclude: v.optional(v.boolean()),
  }),
  v.object({
    kind: v.literal('text'),
    column: index,
    match: v.picklist(['contains', 'equals', 'regex']),
    text: v.string(),
    caseSensitive: v.optional(v.boolean()),
    exclude: v.optional(v.boolean()),
  }),
  v.object({ kind: v.literal('missing'), column: index, missing: v.boolean() }),
  v.object({ kind: v.literal('rowSet'), set: index, exclude: v.optional(v.boolean()) }),
]);

/** See ViewSpec. */
export const viewFields = {
  sort: v.pipe(v.array(sortKey), v.readonly()),
  filters: v.optional(v.pipe(v.array(filter), v.readonly())),
  upTo: v.optional(index),
};

function isList(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= MAX_NUMBERS && value.every(isElement);
}
