import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import { CsvDictionary, MAX_STORED_BYTES } from '../../../../src/columns/csv/csvDictionary';
import { DELIMITERS } from '../../../../src/columns/csv/csvGrammar';
import { startCsvKernel } from '../../../../src/columns/csv/csvKernel';
import { NUMBER, type ScannedBlock, SKIP, TEXT } from '../../../../src/columns/csv/csvScan';
import { type FileRange, RangeScan } from '../../../../src/columns/engine/read/rangeScan';
import type { TableFile } from '../../../../src/columns/engine/read/tableFile';
import { toPlainError } from '../../../../src/base/errors';
import { compiledPath, compileKernel, digestOf } from '../../../kernels/compileKernel';

const isFull = Boolean(process.env['IA_FULL']);

/** How a text is read. */
interface Way {
  delimiter: string;
  decimalComma: boolean;
  modes: number[];
  bufferBytes: number;
  range?: FileRange;
  /** Bytes of texts that a column may have. */
  room?: number;
}

/** A file in memory, as far as scanning needs one. */
function fileOf(content: Uint8Array): TableFile {
  return {
    path: 'table.csv',
    size: content.length,
    read(buffer: Uint8Array, position: number, count: number) {
      const read = content.subarray(position, Math.min(position + count, position + buffer.length));
      buffer.set(read);
      return read.length;
    },
  } as unknown as TableFile;
}

/** All results of scanning a text: each bit of its blocks, its dictionaries, how it ended. */
function scanned(content: Uint8Array, way: Way, start: typeof startCsvKernel): unknown {
  const { delimiter, decimalComma, bufferBytes, room = 1 << 20 } = way;
  let modes = Uint8Array.from(way.modes);
  const dictionaryOf = (mode: number) => (mode === TEXT ? new CsvDictionary(room) : undefined);
  const dictionaries = [...modes].map(dictionaryOf);
  const scan = new RangeScan(fileOf(content), dictionaries, bufferBytes, start);
  const range = way.range ?? { start: 0, until: content.length, exact: true };
  const steps = scan.blocks(range, () => ({ delimiter: delimiter.charCodeAt(0), decimalComma, modes }));
  const blocks: unknown[] = [];
  let end: unknown;
  try {
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      blocks.push(bitsOf(step.value));
      // As tables learn: text in a column of numbers makes it one of texts, and one without room
      // for more is left out.
      const { broken, full } = step.value;
      if (broken.length + full.length === 0) continue;
      modes = modes.slice();
      for (const column of broken) {
        modes[column] = TEXT;
        dictionaries[column] = dictionaryOf(TEXT);
      }
      for (const column of full) modes[column] = SKIP;
    }
    end = step.value;
  } catch (error) {
    end = toPlainError(error);
  }
  return { blocks, end, texts: dictionaries.map(dictionary => dictionary?.entriesFrom(2)) };
}

/** A block with words instead of doubles: all that is no number differs in them only. */
function bitsOf({ numbers, ...rest }: ScannedBlock): unknown {
  return { ...rest, words: new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length) };
}

const without = () => undefined;

function assertSame(content: Uint8Array, way: Way): void {
  const found = scanned(content, way, startCsvKernel);
  const wanted = scanned(content, way, without);
  // Bytes are compared in a fraction of the time.
  if (!serialize(found).equals(serialize(wanted))) assert.deepEqual(found, wanted);
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Numbers from 0 to 1, the same for the same seed. */
function randomsFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x6d2b_79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** What cells of a column can be, by what is unusual about them. */
const cellKinds: Record<string, (random: () => number, row: number) => string> = {
  measures: random => (random() * 1000).toFixed(Math.floor(random() * 7)),
  'long measures': random => `${random() * 10 ** Math.floor(random() * 18 - 6)}`,
  'measures below zero': random => (random() - 0.5).toPrecision(1 + Math.floor(random() * 17)),
  'integers of many digits': random => `${Math.floor(random() * 1e9)}${Math.floor(random() * 1e11)}`,
  exponents: random =>
    `${(random() - 0.5).toPrecision(1 + Math.floor(random() * 17))}e${Math.floor(random() * 700 - 350)}`,
  'zeros before digits': random => `${'0'.repeat(random() * 20)}${(random() * 100).toFixed(12)}`,
  'nothing or NA': random =>
    ['', 'NA', 'NaN', 'nan', 'null', '-', 'n/a', 'NAN', '1.5'][Math.floor(random() * 9)] ?? '',
  'numbers in quotes': random => (random() < 0.5 ? `"${random().toFixed(3)}"` : ' 7 '),
  'repeated names': (_, row) => `image ${Math.floor(row / 7)}.tif`,
  classes: random =>
    ['A', 'B', 'class with a name of more than thirty-two letters', ''][Math.floor(random() * 4)] ?? '',
  'unique names': (random, row) => `${row}-${random()}`,
  'names in quotes': (random, row) => `"row ${row}, ""${Math.floor(random() * 3)}"" of\nthree"`,
  'plain quotes': random => `"${['', 'x', 'a, b', 'é'][Math.floor(random() * 4)]}"`,
  'odd quotes': random => ['"a"b', 'a"b', '""', '""""', '"x'.concat('"')][Math.floor(random() * 5)] ?? '',
  'long texts': random =>
    'x'.repeat(MAX_STORED_BYTES - 2 + Math.floor(random() * 4)) + Math.floor(random() * 2),
};

interface MadeTable {
  content: Uint8Array;
  modes: number[];
}

/** A table whose columns have cells of all kinds, or of some; a few rows are unusual. */
function madeTable(seed: number, rows: number, delimiter: string, decimalComma: boolean): MadeTable {
  const random = randomsFrom(seed);
  const all = Object.entries(cellKinds);
  const width = 1 + Math.floor(random() * 12);
  const kinds = Array.from(
    { length: width },
    () => all[Math.floor(random() * random() * all.length)] ?? all[0],
  );
  const lineEnd = ['\n', '\n', '\r\n', '\r'][Math.floor(random() * 4)] ?? '\n';
  const oddRows = random() < 0.5 ? 0 : random() * 0.3;
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    const cells = kinds.map(kind => kind?.[1](random, row) ?? '');
    if (random() < oddRows) {
      if (random() < 0.4) cells.pop();
      else if (random() < 0.6) cells.push('more');
      else lines.push('');
    }
    lines.push(cells.map(cell => (decimalComma ? cell.replace('.', ',') : cell)).join(delimiter));
  }
  const last = random() < 0.5 ? lineEnd : '';
  // Columns of numbers and text as they are, and some as what they aren't.
  const modes = kinds.map(kind => {
    const isText = /name|class|quotes|text/.test(kind?.[0] ?? '') && kind?.[0] !== 'numbers in quotes';
    if (random() < 0.1) return Math.floor(random() * 3);
    return isText ? TEXT : NUMBER;
  });
  return { content: utf8(lines.join(lineEnd) + last), modes };
}

const seed = fc.integer();
const delimiters = fc.constantFrom(...DELIMITERS);
const buffers = fc.constantFrom(100, 777, 778, 4096, 65_536);

describe('the kernel that scans delimited text', function () {
  it('makes the same blocks as JavaScript of any text', () => {
    const letters = [
      'a',
      'é',
      '1',
      '.',
      '-',
      ' ',
      '"',
      '"',
      '""',
      '\n',
      '\n',
      '\r',
      '\r\n',
      'NA',
      '',
      ...DELIMITERS,
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...letters), { maxLength: 80 }),
        delimiters,
        fc.boolean(),
        fc.array(fc.constantFrom(SKIP, NUMBER, TEXT, TEXT), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(16, 100, 777),
        (parts, delimiter, decimalComma, modes, bufferBytes) =>
          assertSame(utf8(parts.join('')), { delimiter, decimalComma, modes, bufferBytes }),
      ),
      { numRuns: isFull ? 30_000 : 400 },
    );
  });

  it('reads every number to the same double', () => {
    const digits = [
      '0',
      '00',
      '1',
      '5',
      '9',
      '99',
      '123456789',
      '.',
      ',',
      '-',
      'e',
      'E-',
      'e+',
      '"',
      '\n',
      '\n',
    ];
    const more = fc.array(fc.constantFrom(...digits), { minLength: 20, maxLength: 200 });
    const exponent = fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-'), fc.nat(330)).map(([sign, size]) => `${sign}${size}`),
    );
    const plain = fc.array(
      fc
        .tuple(fc.bigInt({ min: 0n, max: 10n ** 19n }), fc.nat(20), fc.boolean(), fc.boolean(), exponent)
        .map(([digits, at, negative, quoted, power]) => {
          const text = digits.toString().padStart(at + 1, '0');
          const size = `${text.slice(0, text.length - at)}.${text.slice(text.length - at)}`;
          const cell = `${negative ? '-' : ''}${size}${power}`;
          return quoted ? `"${cell}"\n` : `${cell}\n`;
        }),
      { minLength: 10, maxLength: 30 },
    );
    fc.assert(
      fc.property(fc.oneof(more, plain), fc.boolean(), (parts, decimalComma) => {
        const text = parts.join('');
        const content = utf8(decimalComma ? text.replaceAll('.', ',') : text);
        assertSame(content, { delimiter: ';', decimalComma, modes: [NUMBER], bufferBytes: 777 });
      }),
      { numRuns: isFull ? 30_000 : 300 },
    );
  });

  it('makes the same blocks of tables of all kinds, by pieces of any size', () => {
    fc.assert(
      fc.property(seed, delimiters, fc.boolean(), buffers, (number, delimiter, decimalComma, bufferBytes) => {
        const { content, modes } = madeTable(number, isFull ? 600 : 200, delimiter, decimalComma);
        assertSame(content, { delimiter, decimalComma, modes, bufferBytes });
      }),
      { numRuns: isFull ? 1500 : 60 },
    );
  });

  it('makes the same of damaged tables, errors too, from any byte on', () => {
    const bytes = utf8('",;\t|\r\n0123456789.-+eENA x\0\xff');
    fc.assert(
      fc.property(seed, delimiters, fc.boolean(), buffers, (number, delimiter, decimalComma, bufferBytes) => {
        const random = randomsFrom(number + 1);
        const { content, modes } = madeTable(number, 60, delimiter, decimalComma);
        const damaged = [...content];
        for (let change = 0; change < 1 + random() * 8; change++) {
          const at = Math.floor(random() * damaged.length);
          const put = bytes[Math.floor(random() * bytes.length)] ?? 0;
          damaged.splice(at, Math.floor(random() * 3), ...(random() < 0.8 ? [put] : [put, put]));
        }
        if (random() < 0.2) damaged.length = Math.floor(random() * damaged.length);
        const start = Math.floor(random() * damaged.length);
        const exact = random() < 0.6;
        const range = { start: exact ? 0 : Math.max(1, start), until: damaged.length, exact };
        const room = random() < 0.2 ? 40 : 1 << 20;
        assertSame(Uint8Array.from(damaged), { delimiter, decimalComma, modes, bufferBytes, range, room });
      }),
      { numRuns: isFull ? 10_000 : 200 },
    );
  });

  it('makes the same blocks of a table of more columns than it caches texts of', () => {
    const row = Array.from({ length: 700 }, (_, column) =>
      column % 2 === 0 ? `text ${column}` : `${column}.5`,
    );
    const content = utf8(`${row.join(',')}\n`.repeat(40));
    const modes = row.map((_, column) => (column % 2 === 0 ? TEXT : NUMBER));
    assertSame(content, { delimiter: ',', decimalComma: false, modes, bufferBytes: 65_536 });
  });

  it('reads plain rows itself', () => {
    const content = utf8('name,1.25,-3,NA\n'.repeat(1000));
    let rows = 0;
    const start: typeof startCsvKernel = (columns, maxBytes) => {
      const kernel = startCsvKernel(columns, maxBytes);
      assert.ok(kernel);
      const read = kernel.rows.bind(kernel);
      kernel.rows = (...parameters) => {
        const done = read(...parameters);
        rows += done.row - parameters[4];
        return done;
      };
      return kernel;
    };
    scanned(
      content,
      { delimiter: ',', decimalComma: false, modes: [TEXT, NUMBER, NUMBER, NUMBER], bufferBytes: 777 },
      start,
    );
    // All but those that a piece of the file cuts off, which another one begins with.
    assert.ok(rows >= 980, `${rows} rows`);
  });

  it('is left out where WebAssembly is missing or does not start', () => {
    const place = globalThis as { WebAssembly?: unknown };
    const { WebAssembly: known } = place;
    class Failing {
      constructor() {
        throw new Error('no operations on 16 bytes');
      }
    }
    try {
      for (const other of [undefined, { Module: Failing, Instance: Failing }]) {
        place.WebAssembly = other;
        assert.equal(startCsvKernel(3, 777), undefined);
      }
    } finally {
      place.WebAssembly = known;
    }
    assert.ok(startCsvKernel(3, 777));
  });
});

describe('the kernels', () => {
  const sources = globSync('src/**/*.as').sort();

  it('were compiled from the sources beside them', () => {
    assert.ok(sources.length > 0);
    for (const source of sources) {
      const compiled = readFileSync(compiledPath(source));
      assert.equal(
        compiled.subarray(-64).toString(),
        digestOf(readFileSync(source)),
        `${source}: run scripts/kernels.mjs`,
      );
    }
  });

  it('take no more than 20 kB', () => {
    const sizes = sources.map(source => readFileSync(compiledPath(source)).length);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 20_000, sizes.join(', '));
  });

  // The compiler takes 100 MB.
  if (isFull || process.env['CI'])
    it('are, byte by byte, what the compiler makes of them', async () => {
      for (const source of sources)
        assert.deepEqual(
          readFileSync(compiledPath(source)),
          Buffer.from(await compileKernel(source)),
          source,
        );
    });
});
