import type { ObjectRef } from '../../masks/objectRef';
import type { OpenImages, PositionOffset, LinkReport } from '../../masks/linkReport';
import { positionOffset } from '../positionOffset';
import { findRowColumns } from '../../columns/rowColumns';
import { matchRows, type RowLinks } from '../rowMatching';
import type { LinkParams } from '../../masks/linkRequests';
import type { Masks } from '../../masks/engine/masks';
import { runInSlices } from '../../base/node/slices';
import { gatherCodes, gatherNumbers, gatherRests, numbersAt } from '../../columns/engine/read/gather';
import type { TableSource } from '../../columns/engine/read/tableSource';

import { linkImages } from './imageLinking';

/** Limits of the sample whose positions are compared: each image in it has to be decoded. */
const MAX_COMPARED = 400;
const MAX_COMPARED_IMAGES = 2;

/** Links between rows of the objects table and objects of the masks, in both directions. */
export class RowLinking {
  private constructor(
    readonly report: LinkReport,
    private readonly links: RowLinks,
    /** The path of an image as the rows linked to it give it, or else as it was uploaded. */
    readonly paths: ReadonlyMap<number, string>,
    /** Images that can't be told apart. */
    readonly open: readonly OpenImages[],
  ) {}

  /** Matches rows by (image, ID) in the given columns, or in those found by their names. Throws `cancelled`. */
  static async create(
    table: TableSource,
    masks: Masks,
    { imageColumn: selectedImage, idColumn: selectedId, ...known }: LinkParams,
    signal: AbortSignal,
  ): Promise<RowLinking> {
    const named = findRowColumns(table.columns.map(({ name }) => name));
    const image = selectedImage ?? named.image;
    const id = selectedId ?? named.id;
    const images = masks.summary.images;
    const all = { rows: undefined, count: table.rowCount };
    const found = image === undefined ? undefined : await gatherCodes(table, image, all, signal);
    const texts = found && Array.from({ length: found.texts.size }, (_, code) => found.texts.text(code));
    const ids =
      id === undefined ? new Float64Array(all.count).fill(NaN) : await gatherNumbers(table, id, all, signal);
    const idRests = id === undefined ? [] : await gatherRests(table, id, all, signal);
    const areas = named.area === undefined ? undefined : await gatherNumbers(table, named.area, all, signal);
    const ofImages =
      found &&
      texts &&
      (await linkImages(
        table,
        masks,
        { texts, codes: found.codes, ids, idRests, ...(areas && { areas }), columns: named },
        known,
        signal,
      ));
    const steps = matchRows(
      {
        ...(found && { imageCodes: found.codes }),
        imageOfText: ofImages?.imageOfText ?? [],
        ids,
        idRests,
        ...(areas && { areas }),
      },
      images.map(({ index }) => masks.identities(index)),
    );
    const links = await runInSlices(steps, signal);
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
      ...(ofImages?.sameNames && { sameNames: ofImages.sameNames }),
    };
    return new RowLinking(report, links, ofImages?.paths ?? new Map(), ofImages?.open ?? []);
  }

  /** The row in the file's order; null for an object without one. */
  rowOf({ image, object }: ObjectRef): number | null {
    const start = this.links.imageStarts[image];
    const end = this.links.imageStarts[image + 1];
    if (start === undefined || end === undefined || object < 0 || start + object >= end) return null;
    const row = this.links.rowOfObject[start + object] ?? -1;
    return row < 0 ? null : row;
  }

  /** Rows of all objects of an image, −1 for an object without a row; a view of the links, to be used at once. */
  rowsOfImage(image: number): Int32Array {
    const { imageStarts, rowOfObject } = this.links;
    return rowOfObject.subarray(imageStarts[image] ?? 0, imageStarts[image + 1] ?? 0);
  }

  /** The object of a row in the file's order; null for a row without one. */
  objectOf(row: number): ObjectRef | null {
    const object = this.links.objectOfRow[row] ?? -1;
    if (object < 0) return null;
    const { imageStarts } = this.links;
    // The last image that starts at or before the object. An image without objects starts where the next one does.
    let low = 0;
    let high = imageStarts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((imageStarts[middle] ?? 0) <= object) low = middle;
      else high = middle - 1;
    }
    return { image: low, object: object - (imageStarts[low] ?? 0) };
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
  for (let image = 0; image + 1 < imageStarts.length && compared < MAX_COMPARED_IMAGES; image++) {
    const rowsOfObjects = rowOfObject.subarray(imageStarts[image] ?? 0, imageStarts[image + 1] ?? 0);
    const linked = Uint32Array.from(rowsOfObjects.keys()).filter(
      object => (rowsOfObjects[object] ?? -1) >= 0,
    );
    if (linked.length === 0) continue;
    compared++;
    const step = Math.ceil(linked.length / (MAX_COMPARED / MAX_COMPARED_IMAGES));
    const objects = linked.filter((_, at) => at % step === 0);
    const rows = Int32Array.from(objects, object => rowsOfObjects[object] ?? -1);
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
