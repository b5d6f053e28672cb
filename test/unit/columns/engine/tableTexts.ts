import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Filter, SortKey } from '../../../../src/columns/viewSpec';
import {
  gatherCodes,
  gatherNumbers,
  type TableSource,
} from '../../../../src/columns/engine/read/tableSource';
import { openTable, type ReadOptions } from '../../../../src/columns/engine/read/readTable';
import type { Table } from '../../../../src/columns/engine/read/table';
import { TableView } from '../../../../src/columns/engine/tableView';

/** Tables made of texts: each in a file of a folder that goes at the end. */
export class TableTexts {
  private folder = '';
  private readonly open: Table[] = [];

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'tables-'));
  }

  async end(): Promise<void> {
    for (const table of this.open) table.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }

  async file(content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, `${this.open.length} ${Math.random()}.csv`);
    await writeFile(path, content);
    return path;
  }

  async table(content: string | Uint8Array, options?: ReadOptions, signal?: AbortSignal): Promise<Table> {
    const table = await openTable(await this.file(content), signal, undefined, options);
    this.open.push(table);
    return table;
  }

  async view(content: string | Uint8Array, options?: ReadOptions): Promise<Viewed> {
    return new Viewed(await this.table(content, options));
  }
}

/** A table's rows as a reader of the screen sees them. */
export class Viewed extends TableView {
  async window(
    start: number,
    end: number,
    sort: SortKey[] = [],
    filters: Filter[] = [],
    signal?: AbortSignal,
  ): Promise<{ rows: string[][]; fileRows: number[] }> {
    const { order, subset } = await this.rows({ sort, filters }, signal);
    const fileRows: number[] = [];
    for (let at = start; at < Math.min(end, subset.count); at++) fileRows.push(order?.[at] ?? at);
    return { rows: this.texts(fileRows), fileRows };
  }

  texts(fileRows: number[]): string[][] {
    return this.table.cells(
      fileRows,
      this.table.columns.map(({ index }) => index),
      Infinity,
    ).rows;
  }
}

/** All cells of a table. */
export function allCells(table: TableSource): string[][] {
  return new Viewed(table).texts(Array.from({ length: table.rowCount }, (_, row) => row));
}

export async function numbersOf(table: TableSource, column: number): Promise<number[]> {
  return [...(await gatherNumbers(table, column, { rows: undefined, count: table.rowCount }))];
}

/** A column's texts by way of its codes. */
export async function textsOf(table: TableSource, column: number): Promise<string[]> {
  const { codes, texts } = await gatherCodes(table, column, { rows: undefined, count: table.rowCount });
  return Array.from(codes, code => texts.text(code));
}
