import * as v from 'valibot';
import { asRecord, type StoredKind } from '../base/storedKind';
import type { AddedColumns } from '../columns/tableSummary';
import { micronName, pixelUnit } from '../columns/pixelMeasures';
import type { Steps } from '../base/steps';
import { withStoredInSteps } from './storedImages';

/*
 * Columns of a table with lengths and areas of other columns in µm. They are stored with the pixel
 * sizes of the conversion, so that a reopened table has the same numbers without reading any image.
 */

/** Stored data of a table: converted columns by name, and pixel sizes by paths of images. */
const conversion = v.object({
  columns: v.array(v.string()),
  /** As texts: µm² per pixel, and µm per side for square pixels. */
  sizes: v.record(v.string(), v.array(v.string())),
});

export type Conversion = v.InferOutput<typeof conversion>;

/** The conversions of a result by table. */
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
  /** Lengths can only be converted if pixels are square. */
  isSquare: boolean;
}

/** The stored form of a pixel size. */
export function storedSize({ area, isSquare }: PixelArea): string[] {
  return [String(area), isSquare ? String(Math.sqrt(area)) : ''];
}

/**
 * The converted columns of a table. `names` are the names in its file, `images` the paths of all
 * images, `imageOf` the image of each text of its image column. Columns that the file no longer has
 * are left out.
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
  const withSizes = yield* withStoredInSteps(images, stored);
  const [areas, sides] = withSizes.columns.map(({ values }) => values.map(numberOf));
  return columns.flatMap(name => {
    const position = names.indexOf(name);
    const factorsOfImages = pixelUnit(name) === 'px²' ? areas : sides;
    if (position < 0 || !factorsOfImages) return [];
    return [
      { name: micronName(name), of: position, factors: imageOf.map(image => factorsOfImages[image] ?? null) },
    ];
  });
}

function numberOf(text: string): number | null {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? number : null;
}
