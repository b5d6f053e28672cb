import * as v from 'valibot';
import type { HeaderRows } from '../columns/tableSummary';
import { request } from '../protocol/declarations';
import { index, indexes, nothing, text } from '../protocol/schemas';
import { MAX_COLUMN_NAME } from '../columns/imageColumnName';
import { type ImageColumns, imageRoles, MAX_IMAGE_COLUMNS, MAX_VALUE } from './imageColumns';
import type { JoinedSheet } from './sampleSheet';
import type { SheetKey } from './sheetKey';

/** Maximum number of rows of a sample sheet. */
export const MAX_SHEET_ROWS = 500_000;

/** A sheet on disk, and the images to join it with. */
interface SheetToJoin {
  path: string;
  images: Pick<ImageColumns, 'images' | 'columns'>;
  /** The key column, or `by` its name or position; found if both are absent. */
  key?: SheetKey;
  by?: string | number;
  /** Names of the tables' columns. */
  taken: readonly string[];
  /** The rows of the header; found if absent. */
  header?: HeaderRows;
}

/** Requests about images that an engine thread handles. */
export interface ImageRequests {
  /**
   * Reads a sheet (CSV or TSV, in any encoding of tables) and joins it with images. Throws
   * `bad-request` if no column names images or the sheet has more than 500,000 rows, and errors of
   * opening a table.
   */
  joinSheet: { params: SheetToJoin; result: JoinedSheet };
  /**
   * Writes a sheet that can be joined again, see writtenSheet; tab-separated for .tsv. Throws
   * `exists` unless overwrite, `no-space`.
   */
  writeSheet: {
    params: { destination: string; images: ImageColumns; overwrite: boolean; mark: boolean };
    result: { path: string; bytes: number; rows: number };
  };
}

/** Maximum number of values in an edit, and of their characters. */
const MAX_VALUES = 500_000;
const MAX_CHARACTERS = 32_000_000;

/** Schema of texts, or with `orNull` of texts and nulls; at most one for each image. */
function valuesOf<T extends string | null>(orNull: boolean) {
  return v.custom<T[]>(value => {
    if (!Array.isArray(value) || value.length > MAX_VALUES) return false;
    let characters = 0;
    return value.every(entry => {
      if (entry === null) return orNull;
      if (typeof entry !== 'string' || entry.length > MAX_VALUE) return false;
      characters += entry.length;
      return characters <= MAX_CHARACTERS;
    });
  });
}

const name = v.pipe(v.string(), v.maxLength(MAX_COLUMN_NAME));
const value = v.pipe(v.string(), v.maxLength(MAX_VALUE));

/** See ImageDescription. */
const description = {
  name,
  role: v.optional(v.picklist(imageRoles)),
  isNumeric: v.optional(v.literal(true)),
  order: v.optional(valuesOf<string>(false)),
  reference: v.optional(value),
};

/** See ImageEdit. */
const edit = v.variant('kind', [
  v.object({
    kind: v.literal('insert'),
    at: index,
    column: v.object({ ...description, id: v.optional(text), values: valuesOf<string>(false) }),
    removal: v.optional(index),
  }),
  v.object({ kind: v.literal('remove'), at: index, removal: v.optional(index) }),
  v.object({ kind: v.literal('describe'), at: index, column: v.object(description) }),
  v.object({ kind: v.literal('values'), at: index, images: indexes, values: valuesOf<string>(false) }),
  v.object({ kind: v.literal('exclude'), images: indexes, reasons: valuesOf<string | null>(true) }),
]);

const key = v.object({ column: index, names: v.picklist(['images', 'wells']) });

/** How to join the last selected sheet again; without a key, the key column is found. */
const joinAgain = v.object({ key: v.optional(key), isHeaderFirst: v.boolean() });

/** See joinAgain. */
export type JoinAgain = v.InferOutput<typeof joinAgain>;

/** The metadata of images on a page, and names that their columns can't have. */
export interface ShownImageColumns extends ImageColumns {
  taken: string[];
}

/** A joined sheet with the name of its file. */
export interface ShownSheet extends JoinedSheet {
  name: string;
}

/** Requests of the table page about the images of its result. */
export const imagePageRequests = {
  /** All images with their metadata; may read more tables. */
  imageColumns: request(nothing).resolvesTo<ShownImageColumns>(),
  /**
   * Applies edits in order, and stores the result. `patterns` are the ones that the edits were
   * made from; `columns` are the names of the columns at that time. Rejects if an edit isn't valid.
   */
  editImages: request(
    v.object({
      columns: v.pipe(v.array(v.string()), v.maxLength(MAX_IMAGE_COLUMNS)),
      edits: v.pipe(v.array(edit), v.maxLength(1000)),
      patterns: v.pipe(v.array(text), v.maxLength(10)),
    }),
  ).resolvesTo<Record<string, never>>(),
  /**
   * Lets the user select a sample sheet, and joins it; `again` joins the last one differently. Null
   * if canceled. Stores nothing.
   */
  joinSampleSheet: request(v.object({ again: v.optional(joinAgain) })).resolvesTo<ShownSheet | null>(),
  /** Lets the user select a file, and saves the metadata of images as a sheet; null if canceled. */
  saveSampleSheet: request(nothing).resolvesTo<{ saved: { name: string; rows: number } | null }>(),
};

declare module '../protocol/engineRequests' {
  interface EngineRequests extends ImageRequests {}
}
