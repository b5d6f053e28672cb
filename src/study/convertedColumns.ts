import * as v from 'valibot';
import { asRecord, type StoredKind } from '../base/storedKind';
import type { AddedColumns } from '../columns/tableSummary';
import { micronName, pixelUnit } from '../columns/pixelMeasures';
import type { Steps } from '../base/steps';
import { withStoredInSteps } from './storedImages';

/*
 * Columns of a table that have the lengths and areas of other columns in µm. They are stored with
 * the pixel sizes that they were converted by, so that a table that is opened again shows the same
 * numbers without opening any image.
 */

/** Stored data of a table: converted columns by name, and sizes of pixels by paths of images. */
const conversion = v.object({
  columns: v.array(v.string()),
  /** µm² per pixel, and µm per side where pixels are square; as texts. */
  sizes: v.record(v.string(), v.array(v.string())),
});

export type Conversion = v.InferOutput<typeof conversion>;

/** Those of all tables of a result, by which table it is. */
export const conversionsKind: StoredKind<Record<string, Conversion>> = {
  name: 'conversions',
  valid: value => {
    const tables = Object.entries(asRecord(value));
    return Object.fromEntries(
      tables.filter((entry): entry is [string, Conversion] => v.is(conversion, entry[1])),
    );
  },
};

/** The size of an image's pixels. */
interface PixelArea {
  /** µm² per pixel. */
  area: number;
  /** Lengths have one factor only where pixels are square. */
  isSquare: boolean;
}

/** Stored data about an image's pixels. */
export function storedSize({ area, isSquare }: PixelArea): string[] {
  return [String(area), isSquare ? String(Math.sqrt(area)) : ''];
}

/**
 * The converted columns of a table. `names` are those of its file, `images` the paths of all
 * images, `imageOf` the image of each text of its image column. A column that the file doesn't have
 * any more is left out.
 */
export function* convertedColumns(
  { columns, sizes }: Conversion,
  {
    names,
    images,
    imageOf,
  }: { names: readonly string[]; images: readonly string[]; imageOf: readonly number[] },
): Steps<NonNullable<AddedColumns['converted']>> {
  const stored = { columns: [{ name: 'area' }, { name: 'side' }], values: sizes, excluded: {} };
  const known = yield* withStoredInSteps(images, stored);
  const [areas, sides] = known.columns.map(({ values }) => values.map(numberOf));
  return columns.flatMap(name => {
    const of = names.indexOf(name);
    const sizesOf = pixelUnit(name) === 'px²' ? areas : sides;
    if (of < 0 || !sizesOf) return [];
    return [{ name: micronName(name), of, factors: imageOf.map(image => sizesOf[image] ?? null) }];
  });
}

function numberOf(text: string): number | null {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? number : null;
}
