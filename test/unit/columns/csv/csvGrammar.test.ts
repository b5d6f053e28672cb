import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  NUMBER,
  scanBlock,
  type ScannedBlock,
  type ScanPlan,
  TEXT,
} from '../../../../src/columns/csv/csvScan';
import { CsvCursor } from '../../../../src/columns/csv/csvHead';
import { ABSENT_CODE, CsvDictionary } from '../../../../src/columns/csv/csvDictionary';
import {
  DELIMITERS,
  cellContent,
  isDelimiter,
  readPreamble,
  writtenRow,
} from '../../../../src/columns/csv/csvGrammar';
import { cellNumber, type DecimalMark } from '../../../../src/columns/csv/csvNumber';

const utf8 = (text: string) => new TextEncoder().encode(text);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** What a reader makes of a text: its rows, or where the quote stands that is never closed. */
type Reading = { rows: (string | undefined)[][] } | { unclosed: true };

/** Rows by CsvCursor, each with this number of cells; undefined where the row has none. */
function byCursor(text: string, delimiter: string, columns: number): Reading {
  const bytes = utf8(text);
  const cursor = new CsvCursor(bytes, delimiter.charCodeAt(0), 0);
  const rows: string[][] = [];
  let row: string[] = [];
  try {
    while (cursor.next()) {
      row.push(decoder.decode(cellContent(bytes, cursor.cellStart, cursor.cellEnd)));
      if (!cursor.endsRow) continue;
      const isBlank = row.length === 1 && cursor.cellStart === cursor.cellEnd;
      if (!isBlank || columns === 1) rows.push(row);
      row = [];
    }
  } catch {
    return { unclosed: true };
  }
  return { rows: rows.map(cells => Array.from({ length: columns }, (_, at) => cells[at])) };
}

/** The blocks that scanRow fills from a text. Stops at a quote that is never closed. */
function blocksOf(
  text: string,
  plan: ScanPlan,
  dictionaries: CsvDictionary[],
  rowsPerBlock: number,
): { blocks: ScannedBlock[]; isUnclosed: boolean } {
  const content = utf8(text);
  const end = content.length;
  const bytes = new Uint8Array(end + 1);
  bytes.set(content);
  const blocks: ScannedBlock[] = [];
  for (let from = 0; from < end;) {
    const block = scanBlock(
      { bytes, from, to: end, stopAt: end, isEnd: true, offset: 0 },
      plan,
      dictionaries,
      rowsPerBlock,
    );
    if (block === 'incomplete') throw new Error('nothing was read at the end of the text');
    if ('unclosedQuote' in block) return { blocks, isUnclosed: true };
    blocks.push(block);
    from = block.end;
  }
  return { blocks, isUnclosed: false };
}

/** The same by scanRow, every column as text. */
function byColumns(text: string, delimiter: string, columns: number, rowsPerBlock: number): Reading {
  const modes = new Uint8Array(columns).fill(TEXT);
  const plan = { delimiter: delimiter.charCodeAt(0), decimalComma: false, modes };
  const dictionaries = Array.from({ length: columns }, () => new CsvDictionary(1 << 20));
  const { blocks, isUnclosed } = blocksOf(text, plan, dictionaries, rowsPerBlock);
  if (isUnclosed) return { unclosed: true };
  const rows = blocks.flatMap(block =>
    Array.from({ length: block.rows }, (_, row) =>
      dictionaries.map((dictionary, column) => {
        const code = block.codes[column * block.rows + row] ?? ABSENT_CODE;
        return code === ABSENT_CODE ? undefined : decoder.decode(dictionary.textBytes(code));
      }),
    ),
  );
  return { rows };
}

/** Numbers of rows' first cells, by CsvCursor; of rows before a quote that stays open. */
function firstNumbers(text: string, delimiter: string, mark: DecimalMark): number[] {
  const bytes = utf8(text);
  const cursor = new CsvCursor(bytes, delimiter.charCodeAt(0), 0);
  const numbers: number[] = [];
  try {
    let first: number | undefined;
    while (cursor.next()) {
      first ??= cellNumber(bytes, cursor.cellStart, cursor.cellEnd, mark);
      if (!cursor.endsRow) continue;
      numbers.push(first);
      first = undefined;
    }
  } catch {
    return numbers;
  }
  return numbers;
}

describe('the grammar of delimited text', () => {
  const letters = ['a', 'é', '1', '.', '-', ' ', '"', '"', '""', '\n', '\r', '\r\n', ...DELIMITERS];
  const text = fc.array(fc.constantFrom(...letters), { maxLength: 40 }).map(parts => parts.join(''));
  const delimiter = fc.constantFrom(...DELIMITERS);
  const columns = fc.integer({ min: 1, max: 5 });

  it('means the same to the reader of cells and to the reader of columns, whatever the text', () => {
    fc.assert(
      fc.property(text, delimiter, columns, fc.integer({ min: 1, max: 9 }), (written, mark, width, rows) => {
        assert.deepEqual(byColumns(written, mark, width, rows), byCursor(written, mark, width));
      }),
      { numRuns: 5000 },
    );
  });

  it('gives both readers the same numbers, down to the last bit', () => {
    const digits = [
      '0',
      '1',
      '7',
      '9',
      '00',
      '123456789',
      '.',
      ',',
      '-',
      '+',
      'e',
      '"',
      ' ',
      'NA',
      ';',
      '\n',
    ];
    const cells = fc.array(fc.constantFrom(...digits), { maxLength: 40 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(cells, fc.boolean(), (written, decimalComma) => {
        const plan = { delimiter: ';'.charCodeAt(0), decimalComma, modes: Uint8Array.of(NUMBER) };
        const found = blocksOf(written, plan, [], 1000).blocks.flatMap(({ numbers }) => [...numbers]);
        assert.deepEqual(found, firstNumbers(written, ';', decimalComma ? ',' : '.'));
      }),
      { numRuns: 5000 },
    );
  });

  it('reads back every row that it writes', () => {
    const row = fc.array(fc.array(fc.constantFrom(...letters), { maxLength: 6 }), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(row, delimiter, (cells, mark) => {
        const texts = cells.map(parts => parts.join(''));
        const written = `${writtenRow(texts, mark)}\n`;
        assert.deepEqual(byCursor(written, mark, texts.length), { rows: [texts] });
      }),
      { numRuns: 1000 },
    );
  });

  it('recognizes each delimiter in a first line that declares it, after a byte order mark', () => {
    for (const mark of DELIMITERS) {
      assert.deepEqual(readPreamble(utf8(`\ufeffSEP=${mark}\r\na`)), { start: 10, delimiter: mark });
      assert.deepEqual(readPreamble(utf8(`sep=${mark}\na`)), { start: 6, delimiter: mark });
    }
    assert.deepEqual(readPreamble(utf8('sep=x\na')), { start: 0 });
    assert.deepEqual(readPreamble(utf8('\ufeffa,b')), { start: 3 });
    assert.ok(!isDelimiter('') && !isDelimiter('x') && !isDelimiter(',;'));
  });
});
