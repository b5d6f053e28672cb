import type { ImageOfText } from '../../archives/imageCatalog';
import { runInSlices } from '../../base/node/slices';
import {
  gatherCodes,
  gatherNumbers,
  gatherResiduals,
  type TableSource,
} from '../../columns/engine/read/tableSource';
import { matchRows, RowLinking, type RowLinks } from '../../linking/engine/rowLinking';
import type { MatchCounts } from '../../linking/rowLinks';
import type { ComparedSide } from '../comparison';
import type { ComparisonResult } from './maskComparison';
import { nameOf, PAIR_COLUMNS } from './pairsTable';

/**
 * Links rows of the table of pairs to the objects of both sides. The images of A come first, then
 * those of B. A row of a pair is linked to its object of A; both objects are linked to the row.
 * Throws `cancelled`.
 */
export async function linkPairs(
  table: TableSource,
  compared: ComparisonResult,
  signal: AbortSignal,
): Promise<RowLinking> {
  const allRows = { rows: undefined, count: table.rowCount };
  const { codes, texts } = await gatherCodes(table, PAIR_COLUMNS.indexOf('Image'), allRows, signal);
  const names = Array.from({ length: texts.size }, (_, code) => texts.text(code));
  const linksOf = async (side: ComparedSide): Promise<RowLinks> => {
    const { masks } = compared[side];
    const idColumn = PAIR_COLUMNS.indexOf(side === 'a' ? 'A ID' : 'B ID');
    const byName = imagesOfPairs(compared, side);
    const rows = {
      imageCodes: codes,
      imageOfText: names.map(name => byName.get(name) ?? 'none'),
      ids: await gatherNumbers(table, idColumn, allRows, signal),
      idResiduals: await gatherResiduals(table, idColumn, allRows, signal),
    };
    const identities = masks.summary.images.map(({ index }) => masks.identities(index));
    return runInSlices(matchRows(rows, identities), signal);
  };
  const links = joinLinks(await linksOf('a'), await linksOf('b'));
  return new RowLinking(links.counts, links, new Map(), new Map(), []);
}

/** The images of a side by their names in the table of pairs, which are those of A. */
function imagesOfPairs(compared: ComparisonResult, side: ComparedSide): Map<string, ImageOfText> {
  const byName = new Map<string, ImageOfText>();
  for (const { pair } of compared.images) {
    const name = nameOf(compared.a, pair.a);
    byName.set(name, byName.has(name) ? 'ambiguous' : pair[side]);
  }
  return byName;
}

/** Joins the links of the same rows to two lists of objects, which are concatenated. */
function joinLinks(first: RowLinks, second: RowLinks): RowLinks {
  const count = first.rowOfObject.length;
  const objectOfRow = first.objectOfRow.map((object, row) => {
    const other = second.objectOfRow[row] as number;
    return object >= 0 || other < 0 ? object : count + other;
  });
  const rowOfObject = new Int32Array(count + second.rowOfObject.length);
  rowOfObject.set(first.rowOfObject);
  rowOfObject.set(second.rowOfObject, count);
  const imageStarts = new Uint32Array(first.imageStarts.length + second.imageStarts.length - 1);
  imageStarts.set(first.imageStarts);
  second.imageStarts.forEach((start, image) => {
    imageStarts[first.imageStarts.length - 1 + image] = count + start;
  });
  const matched = objectOfRow.reduce((sum, object) => sum + (object >= 0 ? 1 : 0), 0);
  const counts: MatchCounts = {
    matched,
    rowsWithoutObject: objectOfRow.length - matched,
    objectsWithoutRow: first.counts.objectsWithoutRow + second.counts.objectsWithoutRow,
    ambiguous: 0,
  };
  return { objectOfRow, rowOfObject, imageStarts, counts };
}
