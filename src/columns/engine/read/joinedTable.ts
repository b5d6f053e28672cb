import { Pacer } from '../../../base/node/slices';
import { CsvDictionary } from '../../csv/csvDictionary';
import { MISSING_CODES, MISSING_HIGH } from '../../csv/csvScan';
import type { CandidateRows } from './candidateRows';
import type { Table } from './table';
import {
  CellDecoder,
  type CellTexts,
  type CodeColumn,
  type Column,
  DictionaryTexts,
  ValueCache,
  type NumberColumn,
  type TableSource,
} from './tableSource';

const TEXT_LIMIT = 0x7fff_ffff;

interface TablePart {
  table: Table;
  label: string;
}

/**
 * Several tables below each other, columns joined by name (the n-th of a name with the n-th), each
 * row after its table's label.
 */
export class JoinedTable implements TableSource {
  readonly columns: Column[];
  readonly rowCount: number;
  readonly delimiter: string;
  readonly raggedRows: { count: number; first: number[] };
  private readonly firstRows: number[] = [];
  /** By part, the position in its table of each column of the joined table; −1 for none. */
  private readonly columnsOf: number[][];
  /** One cache for all parts, which share the bytes that their stored columns leave. */
  readonly cache = new ValueCache(() => this.parts.reduce((sum, { table }) => sum + table.room, 0));

  constructor(
    private readonly parts: readonly TablePart[],
    labelColumn: string,
  ) {
    this.columns = [{ index: 0, name: labelColumn, kind: 'text', isLabel: true }];
    this.columnsOf = parts.map(() => [-1]);
    const positions = new Map<string, number>();
    const joined = new Set<Column>();
    let rows = 0;
    this.raggedRows = { count: 0, first: [] };
    parts.forEach(({ table }, part) => {
      table.shareCache(this.cache, `table ${part}`);
      this.firstRows.push(rows);
      this.raggedRows.count += table.raggedRows.count;
      this.raggedRows.first.push(...table.raggedRows.first.map(row => row + this.firstRow(part)));
      rows += table.rowCount;
      const occurrences = new Map<string, number>();
      for (const { index, name, kind, isRounded } of table.columns) {
        const occurrence = occurrences.get(name) ?? 0;
        occurrences.set(name, occurrence + 1);
        const key = `${occurrence}:${name}`;
        let position = positions.get(key);
        if (position === undefined) {
          position = this.columns.push({ index: this.columns.length, name, kind }) - 1;
          positions.set(key, position);
        }
        (this.columnsOf[part] ??= [])[position] = index;
        const column = this.columns[position];
        // A column without values has no kind. Of the others, one column of text makes all text.
        if (!column || table.isBlank(index)) continue;
        if (!joined.has(column) || kind === 'text') column.kind = kind;
        if (isRounded) column.isRounded = true;
        if (column.kind === 'text') delete column.isRounded;
        joined.add(column);
      }
    });
    this.raggedRows.first.splice(20);
    this.rowCount = rows;
    this.delimiter = parts[0]?.table.delimiter ?? ',';
  }

  get hasByteOrderMark(): boolean {
    return this.parts.some(({ table }) => table.hasByteOrderMark);
  }

  get paths(): string[] {
    return this.parts.flatMap(({ table }) => table.paths);
  }

  async numbers(column: number, signal?: AbortSignal): Promise<NumberColumn> {
    const joined: NumberColumn = { values: [], firstRows: [] };
    for (const [part, { table }] of this.parts.entries()) {
      const partColumn = this.columnInPart(part, column);
      if (partColumn < 0) {
        joined.values.push(absentNumbers(table.rowCount));
        joined.firstRows.push(this.firstRow(part));
        continue;
      }
      const numbers = await table.numbers(partColumn, signal);
      joined.values.push(...numbers.values);
      joined.firstRows.push(...numbers.firstRows.map(row => row + this.firstRow(part)));
    }
    return joined;
  }

  async residuals(column: number, signal?: AbortSignal): Promise<NumberColumn[]> {
    const { kind, isRounded } = this.columns[column] ?? {};
    if (kind !== 'text' && !isRounded) return [];
    const residuals: NumberColumn[][] = [];
    for (const [part, { table }] of this.parts.entries()) {
      const partColumn = this.columnInPart(part, column);
      residuals.push(partColumn < 0 ? [] : await table.residuals(partColumn, signal));
    }
    const count = Math.max(0, ...residuals.map(partResiduals => partResiduals.length));
    return Array.from({ length: count }, (_, occurrence) => {
      const joined: NumberColumn = { values: [], firstRows: [] };
      for (const [part, { table }] of this.parts.entries()) {
        const partResiduals = residuals[part]?.[occurrence] ?? {
          values: [new Float64Array(table.rowCount)],
          firstRows: [0],
        };
        joined.values.push(...partResiduals.values);
        joined.firstRows.push(...partResiduals.firstRows.map(row => row + this.firstRow(part)));
      }
      return joined;
    });
  }

  codes(column: number, signal?: AbortSignal): Promise<CodeColumn> {
    return this.cache.get(
      {
        key: `codes ${column}`,
        make: shared => this.joinCodes(column, shared),
        bytesOf: ({ values, dictionary }) =>
          values.reduce((sum, codes) => sum + codes.byteLength, dictionary.memory),
      },
      signal,
    );
  }

  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    const texts: CellTexts = { rows: [], cut: [], ragged: [] };
    for (let start = 0; start < rows.length;) {
      const part = this.partOf(rows[start] ?? 0);
      const first = this.firstRow(part);
      const end = this.firstRows[part + 1] ?? Infinity;
      let stop = start;
      const partRows: number[] = [];
      for (; stop < rows.length && (rows[stop] ?? 0) >= first && (rows[stop] ?? 0) < end; stop++)
        partRows.push((rows[stop] ?? 0) - first);
      const positions = columns.map(column => this.columnInPart(part, column));
      const partColumns = positions.filter(column => column >= 0);
      const partCells = this.parts[part]?.table.cells(partRows, partColumns, limit);
      const cellPositions = positions
        .map((column, index) => ({ column, at: index }))
        .filter(({ column }) => column >= 0);
      partCells?.rows.forEach(cells => {
        const row = columns.map(column => (column === 0 ? (this.parts[part]?.label ?? '') : ''));
        cellPositions.forEach(({ at: position }, index) => (row[position] = cells[index] ?? ''));
        texts.rows.push(row);
      });
      for (const [row, cell] of partCells?.cut ?? [])
        texts.cut.push([row + start, cellPositions[cell]?.at ?? 0]);
      for (const row of partCells?.ragged ?? []) texts.ragged.push(row + start);
      start = Math.max(stop, start + 1);
    }
    return texts;
  }

  async candidateRows(text: string, caseSensitive: boolean, signal?: AbortSignal): Promise<CandidateRows> {
    const plain = (word: string) => (caseSensitive ? word : word.toLowerCase());
    const parts: (CandidateRows | 'all')[] = [];
    for (const { table, label } of this.parts) {
      const isInLabel = plain(label).includes(plain(text));
      parts.push(isInLabel ? 'all' : await table.candidateRows(text, caseSensitive, signal));
    }
    return {
      isCandidate: row => {
        const part = this.partOf(row);
        const rows = parts[part];
        return rows === 'all' || rows?.isCandidate(row - this.firstRow(part)) === true;
      },
    };
  }

  dispose(): void {
    for (const { table } of this.parts) table.dispose();
  }

  private async joinCodes(
    column: number,
    signal: AbortSignal,
  ): Promise<CodeColumn & { dictionary: CsvDictionary }> {
    const dictionary = new CsvDictionary(TEXT_LIMIT);
    const encoder = new TextEncoder();
    const joined: Omit<CodeColumn, 'texts'> = { values: [], firstRows: [] };
    const add = (text: string) => {
      const bytes = encoder.encode(text);
      return dictionary.add(bytes, 0, bytes.length, false, 0);
    };
    const longs = new Map<number, string>();
    const pacer = new Pacer(signal);
    for (const [part, { table, label }] of this.parts.entries()) {
      const partColumn = this.columnInPart(part, column);
      if (partColumn < 0) {
        joined.values.push(new Uint32Array(table.rowCount).fill(column === 0 ? add(label) : 0));
        joined.firstRows.push(this.firstRow(part));
        continue;
      }
      const partCodes = await table.codes(partColumn, signal);
      const joinedCodes = new Uint32Array(partCodes.texts.size);
      for (let code = 1; code < joinedCodes.length; code++) {
        if (code % 256 === 0 && pacer.isDue) await pacer.pause();
        const text = partCodes.texts.text(code);
        const joinedCode = add(text);
        if (dictionary.longText(joinedCode)) longs.set(joinedCode, text);
        joinedCodes[code] = joinedCode;
      }
      for (const codes of partCodes.values) {
        if (pacer.isDue) await pacer.pause();
        joined.values.push(codes.map(code => joinedCodes[code] ?? 0));
      }
      joined.firstRows.push(...partCodes.firstRows.map(row => row + this.firstRow(part)));
    }
    const texts = new DictionaryTexts(dictionary, new CellDecoder(), () => '');
    return {
      ...joined,
      dictionary,
      texts: { size: texts.size, text: code => longs.get(code) ?? texts.text(code) },
    };
  }

  private firstRow(part: number): number {
    return this.firstRows[part] ?? 0;
  }

  private columnInPart(part: number, column: number): number {
    return this.columnsOf[part]?.[column] ?? -1;
  }

  private partOf(row: number): number {
    let part = this.firstRows.length - 1;
    while (part > 0 && this.firstRow(part) > row) part--;
    return part;
  }
}

function absentNumbers(count: number): Float64Array {
  const values = new Float64Array(count);
  const words = new Uint32Array(values.buffer);
  for (let row = 0; row < count; row++) {
    words[2 * row] = MISSING_CODES.absent;
    words[2 * row + 1] = MISSING_HIGH;
  }
  return values;
}
