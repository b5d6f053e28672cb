import { positionOffset, type PositionOffset } from '../formats/positionOffset';
import { findRowColumns, matchImages, matchRows, type RowLinks } from '../formats/rowMatching';
import type { LinkReport } from '../protocol/linkEngine';
import type { ObjectRef } from '../protocol/masksEngine';
import type { Masks } from '../results/masks/masks';
import { runInSlices } from '../results/slices';
import { gatherCodes, gatherNumbers, numbersAt } from '../results/table/gather';
import type { TableSource } from '../results/table/tableSource';

/** Objects whose position is compared with their row's, and images they are of: others would have to be decoded. */
const COMPARED = 400;
const COMPARED_IMAGES = 2;

/** Rows of the objects table tied to objects of the masks, both ways. */
export class RowLinking {
  private constructor(
    readonly report: LinkReport,
    private readonly links: RowLinks,
    private readonly origins: ReadonlyMap<number, string>,
  ) {}

  /** Matches rows by (image, id) under the given columns, or those whose names say so. Throws `cancelled`. */
  static async make(
    table: TableSource,
    masks: Masks,
    chosen: { imageColumn?: number; idColumn?: number },
    signal: AbortSignal,
  ): Promise<RowLinking> {
    const named = findRowColumns(table.columns.map(({ name }) => name));
    const image = chosen.imageColumn ?? named.image;
    const id = chosen.idColumn ?? named.id;
    const images = masks.summary.images;
    const all = { rows: undefined, count: table.rowCount };
    const found = image === undefined ? undefined : await gatherCodes(table, image, all, signal);
    const texts = found && Array.from({ length: found.texts.size }, (_, code) => found.texts.text(code));
    const imageOfText = texts ? matchImages(texts, images) : [];
    const ids = id === undefined ? undefined : await gatherNumbers(table, id, all, signal);
    const areas = named.area === undefined ? undefined : await gatherNumbers(table, named.area, all, signal);
    const steps = matchRows(
      {
        ...(found && { imageCodes: found.codes }),
        imageOfText,
        ids: ids ?? new Float64Array(all.count).fill(NaN),
        ...(areas && { areas }),
      },
      images.map(({ index }) => masks.identities(index)),
    );
    const links = await runInSlices(steps, signal);
    const origins = new Map<number, string>();
    imageOfText.forEach((matched, at) => {
      if (typeof matched === 'number') origins.set(matched, texts?.[at] ?? '');
    });
    const nameOf = (column: number | undefined) =>
      column === undefined ? undefined : table.columns[column]?.name;
    const imageColumn = nameOf(image);
    const idColumn = nameOf(id);
    const offset = named.position && (await comparePositions(table, masks, links, named.position, signal));
    const report = {
      ...(imageColumn !== undefined && { imageColumn }),
      ...(idColumn !== undefined && { idColumn }),
      ...links.counts,
      ...(offset && { positionOffset: offset }),
    };
    return new RowLinking(report, links, origins);
  }

  rowOf({ image, object }: ObjectRef): number | null {
    const start = this.links.imageStarts[image];
    const end = this.links.imageStarts[image + 1];
    if (start === undefined || end === undefined || object < 0 || start + object >= end) return null;
    const row = this.links.rowOfObject[start + object] ?? -1;
    return row < 0 ? null : row;
  }

  /** Rows of all objects of an image, −1 where there is none; a view, not to be kept. */
  rowsOfImage(image: number): Int32Array {
    const { imageStarts, rowOfObject } = this.links;
    return rowOfObject.subarray(imageStarts[image] ?? 0, imageStarts[image + 1] ?? 0);
  }

  objectOf(row: number): ObjectRef | null {
    const object = this.links.objectOfRow[row] ?? -1;
    if (object < 0) return null;
    const { imageStarts } = this.links;
    // The last image that starts at or before the object; images without objects start where the next one does.
    let low = 0;
    let high = imageStarts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((imageStarts[middle] ?? 0) <= object) low = middle;
      else high = middle - 1;
    }
    return { image: low, object: object - (imageStarts[low] ?? 0) };
  }

  /** The text by which rows name the image. */
  originOf(image: number): string | null {
    return this.origins.get(image) ?? null;
  }
}

/** Compares positions in the table with the centroids of the objects that their rows are linked to. */
async function comparePositions(
  table: TableSource,
  masks: Masks,
  { imageStarts, rowOfObject }: RowLinks,
  columns: { x: number; y: number },
  signal: AbortSignal,
): Promise<PositionOffset | undefined> {
  const dx: number[] = [];
  const dy: number[] = [];
  let compared = 0;
  for (let image = 0; image + 1 < imageStarts.length && compared < COMPARED_IMAGES; image++) {
    const rowsHere = rowOfObject.subarray(imageStarts[image] ?? 0, imageStarts[image + 1] ?? 0);
    const linked = Uint32Array.from(rowsHere.keys()).filter(object => (rowsHere[object] ?? -1) >= 0);
    if (linked.length === 0) continue;
    compared++;
    const step = Math.ceil(linked.length / (COMPARED / COMPARED_IMAGES));
    const objects = linked.filter((_, at) => at % step === 0);
    const rows = Int32Array.from(objects, object => rowsHere[object] ?? -1);
    const x = await numbersAt(table, columns.x, rows, signal);
    const y = await numbersAt(table, columns.y, rows, signal);
    const { centroids } = await masks.measures(image, objects, signal);
    for (const at of objects.keys()) {
      dx.push((x[at] ?? NaN) - (centroids[at * 2] ?? NaN));
      dy.push((y[at] ?? NaN) - (centroids[at * 2 + 1] ?? NaN));
    }
  }
  return positionOffset(Float64Array.from(dx), Float64Array.from(dy));
}
