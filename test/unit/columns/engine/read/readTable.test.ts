import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import Papa from 'papaparse';
import { isCoded } from '../../../../../src/base/errors';
import { RangeScan } from '../../../../../src/columns/engine/read/rangeScan';
import { startTable, type ReadOptions } from '../../../../../src/columns/engine/read/readTable';
import type { ScanWorker } from '../../../../../src/columns/engine/scanThread';
import { TableTexts, allCells, numbersOf, textsOf } from '../tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

/** A second thread that is none: it scans where it is asked, with the same dictionaries. */
function workerHere(): ScanWorker {
  return {
    async scan(file, range, plan, dictionaries) {
      const steps = new RangeScan(file, dictionaries, 64).blocks(range, () => plan);
      const blocks = [];
      let step = steps.next();
      for (; !step.done; step = steps.next()) blocks.push(step.value);
      return { blocks, ...step.value };
    },
    dispose: () => undefined,
  };
}

/** A second thread that breaks down. */
function brokenWorker(): ScanWorker {
  return { scan: () => Promise.reject(new Error('out of memory')), dispose: () => undefined };
}

/** Ways of reading with equal results: at once, in tiny pieces, in two, without column memory. */
const ways: [name: string, options: ReadOptions][] = [
  ['at once', {}],
  ['by tiny pieces', { rangeBytes: 16 }],
  ['by two', { rangeBytes: 24, startScanWorker: workerHere }],
  ['with a second thread that breaks', { rangeBytes: 24, startScanWorker: brokenWorker }],
  ['with no memory for columns', { budget: 1 }],
];

async function read(text: string | Uint8Array, options?: ReadOptions) {
  const table = await texts.table(text, options);
  return { table, names: table.columns.map(({ name }) => name), cells: allCells(table) };
}

describe('the reading of a table', () => {
  it('reports every block, also while it waits for a second thread', async () => {
    const text = ['a,b', ...Array.from({ length: 4000 }, (_, row) => `${row},${'x'.repeat(20)}`)].join('\n');
    for (const options of [{}, { budget: 1 }]) {
      const path = await texts.file(text);
      const reading = await startTable(
        path,
        { rangeBytes: 2000, startScanWorker: workerHere, ...options },
        undefined,
      );
      const reports: number[] = [];
      await reading.finish(undefined, bytesDone => reports.push(bytesDone));
      reading.table.dispose();
      const steps = reports.map((bytes, at) => bytes - (reports[at - 1] ?? 0));
      assert.ok(Math.max(...steps) < 10_000, `Steps of ${Math.max(...steps)} bytes`);
      assert.equal(reports.at(-1), text.length);
    }
  });
});

describe('difficult tables', () => {
  const cases: [name: string, text: string | Uint8Array, names: string[], cells: string[][]][] = [
    ['an empty file', '', [], []],
    ['a header only', 'a,b', ['a', 'b'], []],
    ['a header only, with a line break', 'a,b\r\n', ['a', 'b'], []],
    ['one column', 'a\n1\n\n3\n', ['a'], [['1'], [''], ['3']]],
    [
      'blank lines between rows',
      '\n\na,b\n\n1,2\n\n3,4\n\n',
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['names that are empty or repeated', ',a,a,\n1,2,3,4\n', ['', 'a', 'a', ''], [['1', '2', '3', '4']]],
    [
      'quotes, doubled quotes and line breaks in quotes',
      'a,b\n"x ""y""","1\r\n2"\n"",z\n',
      ['a', 'b'],
      [
        ['x "y"', '1\r\n2'],
        ['', 'z'],
      ],
    ],
    [
      'CR alone',
      'a,b\r1,2\r3,4',
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['a byte order mark', '\ufeffa,b\n1,2\n', ['a', 'b'], [['1', '2']]],
    ['a declared delimiter', 'sep=;\na;b\n1,5;2\n', ['a', 'b'], [['1,5', '2']]],
    [
      'short and long rows',
      'a,b\n1\n1,2,3\n4,5\n',
      ['a', 'b', ''],
      [
        ['1', '', ''],
        ['1', '2', '3'],
        ['4', '5', ''],
      ],
    ],
    [
      'digits that numbers lose',
      'a,b\n9007199254740993,007\n12.0,1e400\n',
      ['a', 'b'],
      [
        ['9007199254740993', '007'],
        ['12.0', '1e400'],
      ],
    ],
    ['a NUL', 'a,b\nx\0y,1\n', ['a', 'b'], [['x\0y', '1']]],
    [
      'invalid bytes',
      Buffer.from([0x61, 0x2c, 0x62, 0x0a, 0xb5, 0x6d, 0x2c, 0xc3, 0xa9, 0x0a]),
      ['a', 'b'],
      [['µm', 'é']],
    ],
    ['UTF-16, little end first', Buffer.from('\ufeffa\tb\n1\t図\n', 'utf16le'), ['a', 'b'], [['1', '図']]],
    ['UTF-16, big end first', Buffer.from('\ufeffa,b\n1,é\n', 'utf16le').swap16(), ['a', 'b'], [['1', 'é']]],
  ];
  for (const [name, text, names, cells] of cases)
    for (const [way, options] of ways)
      it(`shows ${name}, read ${way}`, async () => {
        const found = await read(text, options);
        assert.deepEqual(found.names, names);
        assert.deepEqual(found.cells, cells);
      });

  it('has 10,000 columns', async () => {
    const header = Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',');
    const row = (seed: number) => Array.from({ length: 10_000 }, (_, at) => String(at * seed)).join(',');
    const table = await texts.table([header, row(1), row(2), row(3)].join('\n'));
    assert.equal(table.columns.length, 10_000);
    assert.deepEqual(await numbersOf(table, 9999), [9999, 19_998, 29_997]);
  });

  it('has a cell of 50 MB', async () => {
    const cell = 'abcdefghij'.repeat(5 * 1024 * 1024);
    const table = await texts.table(`a,b\n1,"${cell}"\n2,x\n`);
    assert.equal(table.rowCount, 2);
    const { rows, cut } = table.cells([0, 1], [0, 1], 100);
    assert.deepEqual([rows[0]?.[1]?.length, rows[1], cut], [99, ['2', 'x'], [[0, 1]]]);
    assert.equal(table.cells([0], [1], Infinity).rows[0]?.[0], cell);
    assert.equal((await textsOf(table, 1))[0]?.length, cell.length);
  });

  it('names the line of a quote that is never closed, however far it is', async () => {
    const text = `a,b\n${'1,2\r\n'.repeat(3000)}"x\n${'3,4\n'.repeat(500_000)}`;
    await assert.rejects(
      texts.table(text),
      error => isCoded(error, 'damaged-table') && error.details.reason?.args[0] === 3002,
    );
  });

  it('stops when it is canceled', async () => {
    // Many blocks: only after some is it due to look whether it is canceled.
    const rows = 4_000_000;
    const { table, finish } = await startTable(await texts.file(`a,b\n${'1,x\n'.repeat(rows)}`), {});
    const stop = new AbortController();
    await assert.rejects(
      finish(stop.signal, () => stop.abort()),
      error => isCoded(error, 'cancelled'),
    );
    assert.ok(table.rowCount > 0 && table.rowCount < rows);
    table.dispose();
  });

  it('reports when its file changes', async () => {
    const path = await texts.file(`a,b\n${'1,x\n'.repeat(1000)}`);
    const { table, finish } = await startTable(path, { budget: 1 });
    await finish();
    await appendFile(path, '2,y\n');
    await assert.rejects(table.numbers(0), error => isCoded(error, 'file-changed'));
    table.dispose();
  });

  it('shows no cells of a file that replaced the one it read', async () => {
    const path = await texts.file('a,b\n1,first\n2,second\n');
    const { table, finish } = await startTable(path, {});
    await finish();
    assert.deepEqual(table.cells([1], [1], Infinity).rows, [['second']]);
    await writeFile(path, 'a,b\n10,another\n20,row altogether\n');
    assert.throws(
      () => table.cells([1], [1], Infinity),
      error => isCoded(error, 'file-changed'),
    );
    table.dispose();
  });

  it('has all cells of rows under a title line read as the header', async () => {
    const row = (cell: string) => Array.from({ length: 100 }, (_, at) => `${cell}${at}`);
    const table = await texts.table(`An experiment\n${row('name ').join()}\n${row('').join()}\n`);
    assert.equal(table.columns.length, 100);
    assert.deepEqual(allCells(table), [row('name '), row('')]);
    assert.deepEqual(await textsOf(table, 99), ['name 99', '99']);
  });

  it('has more columns than a function takes arguments', async () => {
    const row = (cell: string) => `${cell},`.repeat(200_000) + cell;
    const table = await texts.table(`${row('a')}\n${row('1')}\n`);
    const columns = table.columns.map(({ index }) => index);
    assert.equal(table.cells([0], columns, Infinity).rows[0]?.join(''), '1'.repeat(200_001));
  });
});

describe('the kind of a column', () => {
  it('is changed at whatever row proves it wrong, and its texts stay exact', async () => {
    const rows = Array.from({ length: 1500 }, (_, row) => `${row}.0,${row}`);
    const text = ['a,b', ...rows, 'last,1'].join('\n');
    for (const [, options] of ways) {
      const table = await texts.table(text, options);
      assert.deepEqual(
        table.columns.map(({ kind }) => kind),
        ['text', 'number'],
      );
      const cells = await textsOf(table, 0);
      assert.deepEqual([cells[0], cells[1499], cells[1500]], ['0.0', '1499.0', 'last']);
      const numbers = await numbersOf(table, 0);
      assert.deepEqual([numbers[1499], numbers[1500]], [1499, NaN]);
    }
  });

  it('is text for a column without any value', async () => {
    const table = await texts.table('a,b\n,1\nNA,2\n');
    assert.deepEqual(
      table.columns.map(({ kind }) => kind),
      ['text', 'number'],
    );
  });

  it('has no decimal comma where commas may group thousands', async () => {
    assert.equal((await texts.table('a\tb\n1,234\tx\n12,345\ty\n')).decimalComma, false);
    assert.equal((await texts.table('a\tb\n1,234\tx\n0,345\ty\n')).decimalComma, true);
    assert.equal((await texts.table('a;b\n1,234;x\n12,345;y\n')).decimalComma, true);
  });

  it('is never number where a thousands separator could be read as a decimal separator', async () => {
    const kinds = async (text: string) => {
      const { decimalComma, columns } = await texts.table(text);
      return [decimalComma, ...columns.map(({ kind }) => kind)];
    };
    assert.deepEqual(await kinds('a;b\n1,234;1,234,567\n12,345;1,000,000\n'), [false, 'text', 'text']);
    assert.deepEqual(await kinds('a;b\n1,234;7\n12,345;1,234.5\n'), [false, 'text', 'text']);
    assert.deepEqual(await kinds('a;b\n1.234;0,5\n12.345;7,25\n'), [true, 'text', 'number']);
    assert.deepEqual(await kinds('a;b\n1.234;1.234,50\n12.345;8\n'), [true, 'text', 'text']);
    assert.deepEqual(await kinds('a;b\n1.234;0.5\n12.345;7,25\n'), [false, 'number', 'text']);
    assert.deepEqual(await kinds('a\tb\n1.234\t3,4\n12.345\t5,6\n'), [false, 'number', 'text']);
  });

  it('is number with a decimal comma, detected or given', async () => {
    const found = await texts.table('a;b\n1,5;x\n2;y\n');
    assert.equal(found.decimalComma, true);
    assert.deepEqual(await numbersOf(found, 0), [1.5, 2]);
    const said = await texts.table('a;b\n1,5;x\n2;y\n', { decimalComma: false });
    assert.equal(said.columns[0]?.kind, 'text');
    const otherwise = await texts.table('a;b,c\n1;2,3\n', { delimiter: ',' });
    assert.deepEqual(
      otherwise.columns.map(({ name }) => name),
      ['a;b', 'c'],
    );
  });

  it('reports when there is no memory for columns, and still reads them', async () => {
    const table = await texts.table('a,b\n1,x\n2,y\n', { budget: 1 });
    assert.ok(table.isReduced);
    assert.deepEqual(await numbersOf(table, 0), [1, 2]);
    assert.deepEqual(await textsOf(table, 0), ['1', '2']);
  });

  it('is known without memory for columns where that runs out halfway', async () => {
    const wide = Array.from({ length: 300 }, () => `1,${'x'.repeat(3000)}`);
    const narrow = Array.from({ length: 60_000 }, (_, row) => `${row},2`);
    const different = Array.from({ length: 20_000 }, (_, row) => `${row},${'text '.repeat(6)}${row}`);
    for (const [lines, kinds] of [
      [[...wide, ...narrow], 'number text'],
      [different, 'number text'],
      [[...different, 'last,last'], 'text text'],
    ] as const) {
      const budget = 600_000;
      for (const options of [{ budget }, { budget, rangeBytes: 200_000, startScanWorker: workerHere }]) {
        const table = await texts.table(['a,b', ...lines].join('\n'), options);
        assert.ok(table.isReduced && table.columnBytes > budget);
        assert.ok(table.memory < budget, `${table.memory} bytes`);
        assert.equal(table.columns.map(({ kind }) => kind).join(' '), kinds);
        assert.deepEqual(
          await textsOf(table, 1),
          lines.map(line => line.slice(line.indexOf(',') + 1)),
        );
        const numbers = await numbersOf(table, 0);
        assert.deepEqual([numbers[1], numbers[19_999]], [1, Number(lines[19_999]?.split(',')[0])]);
      }
    }
  });
});

describe('a table read', () => {
  const plain = fc.string({ unit: fc.constantFrom('a', 'é', '1', '.', '-', ' ', '図'), maxLength: 6 });
  const wild = fc.string({
    unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', '1', '\t', '😀'),
    maxLength: 6,
  });
  const cell = fc.oneof(
    plain.map(text => ({ text, written: text })),
    wild.map(text => ({ text, written: `"${text.replaceAll('"', '""')}"` })),
    fc.double({ noNaN: true }).map(value => ({ text: String(value), written: String(value) })),
  );
  const tables = fc
    .integer({ min: 2, max: 5 })
    .chain(width =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 30 }),
    );

  it('has the cells that csv-parse and Papa Parse find, however it is divided', async () => {
    await fc.assert(
      fc.asyncProperty(
        tables,
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        fc.constantFrom(...ways),
        async (rows, lineBreak, ended, [, options]) => {
          const header = rows[0]?.map((_, at) => `h${at}`).join(',') ?? '';
          const lines = rows.map(row => row.map(({ written }) => written).join(','));
          const text = [header, ...lines].join(lineBreak) + (ended ? lineBreak : '');
          const expected = rows.map(row => row.map(each => each.text));
          const { cells } = await read(text, { ...options, delimiter: ',' });
          assert.deepEqual(cells, expected);
          const oracle: string[][] = parse(text, { record_delimiter: lineBreak, from_line: 1 });
          assert.deepEqual(cells, oracle.slice(1));
          const other = Papa.parse<string[]>(text, { delimiter: ',', newline: lineBreak });
          assert.deepEqual(cells, other.data.slice(1, rows.length + 1));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('has the numbers that JavaScript reads', async () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.integer().map(String),
      fc
        .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 19 }))
        .map(([digits, places]) => {
          const text = String(digits).padStart(places + 1, '0');
          return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
        }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(number, { minLength: 1, maxLength: 60 }),
        fc.constantFrom(...ways),
        async (numbers, [, options]) => {
          const table = await texts.table(`n,m\n${numbers.map(text => `${text},0`).join('\n')}\n`, options);
          assert.deepEqual(await numbersOf(table, 0), numbers.map(Number));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('has every number of a million (ten million in the full run) as JavaScript reads it', async () => {
    const count = process.env['IA_FULL'] ? 10_000_000 : 1_000_000;
    const columns = 10;
    const perTable = 250_000;
    const bits = new Uint32Array(2);
    const double = new Float64Array(bits.buffer);
    let state = 88_675_123;
    const random = () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state >>> 0;
    };
    const written = (at: number): string => {
      const share = random() / 2 ** 32 + random() / 2 ** 64;
      switch (at % 6) {
        case 0:
          do {
            bits[0] = random();
            bits[1] = random();
          } while (!Number.isFinite(double[0]));
          return String(double[0]);
        case 1:
          return String(share * 1000);
        case 2:
          return (share * 10 ** (random() % 12)).toPrecision(15 + (random() % 5));
        case 3:
          return share.toFixed(random() % 20);
        case 4:
          return `-${random()}${random()}.${random()}`.slice(0, 20);
        default:
          return `${random() % 100_000}`;
      }
    };
    let differences = 0;
    for (let done = 0; done < count; done += perTable) {
      const cells = Array.from({ length: perTable }, (_, at) => written(at));
      const lines: string[] = [Array.from({ length: columns }, (_, at) => `c${at}`).join(',')];
      for (let at = 0; at < perTable; at += columns) lines.push(cells.slice(at, at + columns).join(','));
      const table = await texts.table(lines.join('\n'));
      for (let column = 0; column < columns; column++)
        (await numbersOf(table, column)).forEach((value, row) => {
          if (!Object.is(value, Number(cells[row * columns + column]))) differences++;
        });
    }
    assert.equal(differences, 0);
  });
});
