import { Pacer } from '../../../base/node/slices';
import { FIRST_TEXT, type TableSource } from '../read/tableSource';

/** Characters of a text that are of use to a reader. */
const MAX_CHARACTERS = 1000;

/** A column that says the same in every row. */
export interface ConstantColumn {
  column: number;
  /** Its text in the first row; null where it is empty. */
  text: string | null;
}

/** The columns that say the same in all of several rows; most columns differ within the first few, so that this takes no time. */
export async function constantColumns(table: TableSource, signal?: AbortSignal): Promise<ConstantColumn[]> {
  if (table.rowCount < 2) return [];
  const pacer = new Pacer(signal);
  const found: ConstantColumn[] = [];
  for (const { index, kind, isRounded } of table.columns) {
    if (pacer.isDue) await pacer.pause();
    // Rounded integers that differ can be equal doubles.
    if (isRounded) continue;
    const isConstant =
      kind === 'number'
        ? areEqual((await table.numbers(index, signal)).values, value => (value === value ? value : null))
        : areEqual((await table.codes(index, signal)).values, code => (code < FIRST_TEXT ? null : code));
    if (isConstant === undefined) continue;
    const [[text = ''] = []] = table.cells([0], [index], MAX_CHARACTERS).rows;
    found.push({ column: index, text: isConstant.isMissing ? null : text.slice(0, MAX_CHARACTERS) });
  }
  return found;
}

/** Whether all values are the same, `plain` giving null for a missing one; undefined where they are not. */
function areEqual(
  parts: readonly (Float64Array | Uint32Array)[],
  plain: (value: number) => number | null,
): { isMissing: boolean } | undefined {
  let first: number | null | undefined;
  for (const part of parts)
    for (let at = 0; at < part.length; at++) {
      const value = plain(part[at] as number);
      if (first === undefined) first = value;
      else if (value !== first) return undefined;
    }
  return first === undefined ? undefined : { isMissing: first === null };
}
