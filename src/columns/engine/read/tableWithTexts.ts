import { eachPart, Pacer } from '../../../base/node/slices';
import { EMPTY_CODE, textsOf } from './derivedColumn';
import type { CellTexts, CodeColumn, Column, NumberColumn, TableSource, TableToSave } from './tableSource';

/** A column of texts that is written with a table. */
export interface WrittenTexts {
  name: string;
  /** The text of a row of the file; '' if it has none. */
  textOf: (row: number) => string;
}

function freeName(names: readonly string[], baseName: string): string {
  for (let next = 1; ; next++) {
    const name = next === 1 ? baseName : `${baseName} (${next})`;
    if (!names.includes(name)) return name;
  }
}

/** A table with additional columns of texts, to be saved. */
export class TableWithTexts implements TableToSave {
  readonly columns: readonly Column[];
  readonly paths: readonly string[];
  readonly delimiter: string;
  readonly hasByteOrderMark: boolean;

  constructor(
    private readonly base: TableSource,
    private readonly texts: readonly WrittenTexts[],
  ) {
    ({ paths: this.paths, delimiter: this.delimiter, hasByteOrderMark: this.hasByteOrderMark } = base);
    const names = base.columns.map(({ name }) => name);
    for (const { name } of texts) names.push(freeName(names, name));
    this.columns = [
      ...base.columns,
      ...texts.map((_, position): Column => {
        const index = base.columns.length + position;
        return { index, name: names[index] ?? '', kind: 'text' };
      }),
    ];
  }

  numbers(column: number, signal?: AbortSignal): Promise<NumberColumn> {
    return this.base.numbers(column, signal);
  }

  residuals(column: number, signal?: AbortSignal): Promise<NumberColumn[]> {
    return this.base.residuals(column, signal);
  }

  async codes(column: number, signal?: AbortSignal): Promise<CodeColumn> {
    const writtenTexts = this.texts[column - this.base.columns.length];
    if (!writtenTexts) return this.base.codes(column, signal);
    const distinct = ['', ''];
    const codeOf = new Map([['', EMPTY_CODE]]);
    const codes = new Uint32Array(this.base.rowCount);
    await eachPart(codes.length, new Pacer(signal), (start, end) => {
      for (let row = start; row < end; row++) {
        const text = writtenTexts.textOf(row);
        let code = codeOf.get(text);
        if (code === undefined) codeOf.set(text, (code = distinct.push(text) - 1));
        codes[row] = code;
      }
    });
    return { values: [codes], firstRows: [0], texts: textsOf(distinct) };
  }

  cells(rows: ArrayLike<number>, columns: readonly number[], limit: number): CellTexts {
    const { length } = this.base.columns;
    const baseColumns = columns.filter(column => column < length);
    const baseTexts = this.base.cells(rows, baseColumns, limit);
    if (baseColumns.length === columns.length) return baseTexts;
    let next = 0;
    const baseCells = columns.map(column => (column < length ? next++ : -1));
    const cells = Array.from({ length: rows.length }, (_, index) =>
      columns.map((column, cell) => {
        const writtenTexts = this.texts[column - length];
        return writtenTexts
          ? writtenTexts.textOf(rows[index] ?? -1)
          : (baseTexts.rows[index]?.[baseCells[cell] ?? -1] ?? '');
      }),
    );
    const cut = baseTexts.cut.map(([row, cell]): [number, number] => [row, baseCells.indexOf(cell)]);
    return { ...baseTexts, rows: cells, cut };
  }
}
