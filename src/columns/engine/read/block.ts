import { NUMBER, SKIP, TEXT } from '../../csv/csvCells';
import type { ScannedBlock } from '../../csv/csvScan';
import { placeInSorted } from '../order/sortedNumbers';

/** A scanned block in its place in the table. */
export class Block {
  private readonly places: Int32Array;

  constructor(
    readonly scanned: ScannedBlock,
    readonly firstRow: number,
  ) {
    const { modes, rows } = scanned;
    this.places = new Int32Array(modes.length);
    let numbers = 0;
    let texts = 0;
    for (let column = 0; column < modes.length; column++) {
      if (modes[column] === NUMBER) this.places[column] = rows * numbers++;
      else if (modes[column] === TEXT) this.places[column] = rows * texts++;
    }
  }

  get rows(): number {
    return this.scanned.rows;
  }

  /** The column's numbers, if it was read as numbers. */
  numbers(column: number): Float64Array | undefined {
    const { modes, numbers, rows } = this.scanned;
    if (modes[column] !== NUMBER) return undefined;
    const place = this.places[column] ?? 0;
    return numbers.subarray(place, place + rows);
  }

  /** The column's codes, if it was read as text and the dictionary had room. */
  codes(column: number): Uint32Array | undefined {
    const { modes, codes, rows, full } = this.scanned;
    if (modes[column] !== TEXT || full.includes(column)) return undefined;
    const place = this.places[column] ?? 0;
    return codes.subarray(place, place + rows);
  }

  /** Bytes of memory that its columns and row starts take. */
  get memory(): number {
    const { numbers, codes, rowStarts } = this.scanned;
    return numbers.byteLength + codes.byteLength + rowStarts.byteLength;
  }

  /** Where a row's bytes are in the file, with the line break. */
  rangeOf(row: number): [start: number, end: number] {
    const { start, end, rowStarts } = this.scanned;
    const inBlock = row - this.firstRow;
    const next = rowStarts[inBlock + 1];
    return [start + (rowStarts[inBlock] ?? 0), next === undefined ? end : start + next];
  }

  /** Whether the column has an integer here that its double is not. */
  isRounded(column: number): boolean {
    return this.scanned.rounded.includes(column);
  }

  /** Whether a row has fewer or more cells than the header. */
  isRagged(row: number): boolean {
    return placeInSorted(this.scanned.ragged, row - this.firstRow) >= 0;
  }

  /** The block with row starts only. */
  withoutColumns(): Block {
    const { scanned, firstRow } = this;
    const modes = new Uint8Array(scanned.modes.length).fill(SKIP);
    const numbers = new Float64Array(0);
    const codes = new Uint32Array(0);
    return new Block({ ...scanned, modes, numbers, codes, full: [] }, firstRow);
  }
}
