import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatherCodes, gatherNumbers } from '../../../../src/columns/engine/read/tableSource';
import { TableHandlers } from '../../../../src/columns/engine/tableHandlers';
import type { Filter, SortKey } from '../../../../src/columns/viewSpec';
import { formulaHandlers } from '../../../../src/formulas/engine/formulaHandlers';
import { randomNumbers } from '../../randomNumbers';

const signal = new AbortController().signal;
const TABLE = 'objects';

const CSV = [
  'Image,ID,A,B,Class',
  'a.tif,90071992547409931,10,4,tumor',
  'a.tif,90071992547409932,1,0,Stroma',
  'b.tif,3,NA,2,',
  'b.tif,4,-8,0.5,tumor',
  'c.tif,5,2.675,-1,"with ""quotes"", NA"',
  '',
].join('\n');
const FIRST = 5;

interface Golden {
  exp: [number, number][];
  ln: [number, number][];
  log10: [number, number][];
  sqrt: [number, number][];
  round: [value: number, digits: number, expected: number][];
}

describe('A computed column', () => {
  let folder: string;
  let tables: TableHandlers;
  let changed: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'computed-'));
    changed = [];
    tables = new TableHandlers({
      startProgress: () => () => undefined,
      onOpened: () => undefined,
      onChanged: table => changed.push(table),
      onGrowth: () => undefined,
    });
    await open(CSV);
  });

  afterEach(async () => {
    tables.dispose();
    await rm(folder, { recursive: true });
  });

  async function open(
    csv: string,
    options: { decimalComma?: boolean; delimiter?: string } = {},
  ): Promise<void> {
    const path = join(folder, 'objects.csv');
    await writeFile(path, csv);
    await tables.handlers.openTable({ table: TABLE, path, options: { memory: 64, ...options } }, signal);
  }

  const compute = async (...formulas: [name: string, formula: string][]) => {
    const computed = formulas.map(([name, formula]) => ({ name, formula }));
    return formulaHandlers(tables).computeColumns({ table: TABLE, computed }, signal);
  };
  const rowsOf = async (columns: number[], filters: Filter[] = [], sort: SortKey[] = []) => {
    const params = { table: TABLE, sort, filters, start: 0, end: 10_000, columns };
    return (await tables.handlers.tableRows(params, signal)).rows;
  };
  /**
   * What a formula gives in each row: as cells, and by way of codes, which have to say the same.
   */
  const textsOf = async (formula: string): Promise<string[]> => {
    await compute(['X', formula]);
    const source = tables.extended(TABLE);
    const column = source.columns.length - 1;
    const all = { rows: undefined, count: source.rowCount };
    const cells = (await rowsOf([column])).map(([text = '']) => text);
    const { codes, texts } = await gatherCodes(source, column, all);
    deepEqual(
      Array.from(codes, code => texts.text(code)),
      cells,
      formula,
    );
    if (source.columns[column]?.kind === 'number') {
      const numbers = await gatherNumbers(source, column, all);
      deepEqual(
        Array.from(numbers, number => (Number.isNaN(number) ? '' : String(number))),
        cells,
        formula,
      );
    }
    return cells;
  };
  const reportOf = async (formula: string) => {
    const params = { table: TABLE, sort: [], formula, rows: 0 };
    return (await formulaHandlers(tables).tableFormulaPreview(params, signal)).report;
  };

  it('has the value of each row, and none where an operand is missing', async () => {
    deepEqual(await textsOf('[A] + [B] * 2'), ['18', '1', '', '-7', '0.6749999999999998']);
    deepEqual(await textsOf('-[A]'), ['-10', '-1', '', '8', '-2.675']);
    deepEqual(await textsOf('[A] > 1'), ['yes', 'no', '', 'no', 'yes']);
    deepEqual(await textsOf('[A] > 1 or yes'), ['yes', 'yes', '', 'yes', 'yes']);
    deepEqual(await textsOf('if([A] > 1, "big", [Class])'), ['big', 'Stroma', '', 'tumor', 'big']);
    deepEqual(await textsOf('if([B] = 0, 0, [A] / [B])'), ['2.5', '0', '', '-16', '-2.675']);
    deepEqual(await textsOf('if([A] > 1, [A])'), ['10', '', '', '', '2.675']);
    deepEqual(await textsOf('round([A], 2)'), ['10', '1', '', '-8', '2.68']);
    deepEqual(await textsOf('max([A], [B], 3)'), ['10', '3', '', '3', '3']);
    deepEqual(await textsOf('[A] ^ 0'), ['1', '1', '', '1', '1']);
    deepEqual(await textsOf('7'), ['7', '7', '7', '7', '7']);
    deepEqual(await textsOf('contains([Class], "TUM")'), ['yes', 'no', '', 'yes', 'no']);
    deepEqual(await textsOf('[Class] = "tumor"'), ['yes', 'no', '', 'yes', 'no']);
    deepEqual(await textsOf('not [Class] <> "tumor"'), ['yes', 'no', '', 'yes', 'no']);
  });

  it('joins texts as the cells say them, to the last digit', async () => {
    deepEqual(await textsOf('[ID] & "-" & [B]'), [
      '90071992547409931-4',
      '90071992547409932-0',
      '3-2',
      '4-0.5',
      '5--1',
    ]);
    deepEqual(await textsOf('[A] & "/" & ([A] > 1)'), ['10/yes', '1/no', '', '-8/no', '2.675/yes']);
    deepEqual(await textsOf('[A] * 2 & [Class]'), [
      '20tumor',
      '2Stroma',
      '',
      '-16tumor',
      '5.35with "quotes", NA',
    ]);
  });

  it('is missing where a number is divided by 0 or has no logarithm, which is counted', async () => {
    deepEqual(await textsOf('1 / [B]'), ['0.25', '', '0.5', '2', '-1']);
    deepEqual(await textsOf('ln([B])'), [
      '1.3862943611198906',
      '',
      '0.6931471805599453',
      '-0.6931471805599453',
      '',
    ]);
    deepEqual(await reportOf('1 / [B]'), { rows: 5, missing: 1, divisionsByZero: 1 });
    deepEqual(await reportOf('[A] / [B]'), { rows: 5, missing: 2, divisionsByZero: 1 });
    deepEqual(await reportOf('log10([B]) + sqrt([A])'), { rows: 5, missing: 4, logarithms: 2, roots: 1 });
    deepEqual(await reportOf('1 / [B] > 1 and yes'), { rows: 5, missing: 1, divisionsByZero: 1 });
    deepEqual(await reportOf('"x" & 1 / [B]'), { rows: 5, missing: 1, divisionsByZero: 1 });
    // Only what is chosen counts.
    deepEqual(await reportOf('if([B] = 0, 0, [A] / [B])'), { rows: 5, missing: 1 });
    deepEqual(await reportOf('if([B] > 1, 1 / ([B] - 2), 1 / [B])'), {
      rows: 5,
      missing: 2,
      divisionsByZero: 2,
    });
    deepEqual(await reportOf('[A] ^ 0.5'), { rows: 5, missing: 2, undefinedResults: 1 });
    deepEqual(await reportOf('exp([A] * 1000)'), { rows: 5, missing: 1, infinite: 3 });
    deepEqual(await reportOf('[A] * 1e300 * 1e300 * 0'), { rows: 5, missing: 5 - 0, undefinedResults: 4 });
  });

  it('says where integers beyond 2⁵³ are rounded', async () => {
    deepEqual(await reportOf('[ID] + 0'), { rows: 5, missing: 0, large: 2, rounded: ['ID'] });
    deepEqual(await reportOf('[ID] & ""'), { rows: 5, missing: 0 });
    deepEqual(await reportOf('[A] * 1e20'), { rows: 5, missing: 1, large: 4 });
  });

  it('stands behind those of images, which it may use, and is a column wherever one is', async () => {
    const images = {
      keyColumn: 0,
      keys: ['a.tif', 'b.tif'],
      columns: [{ name: 'Dose', values: ['0,5', '2'] }],
    };
    await compute(['Per dose', '[B] / [Dose]'], ['Is high', '[Per dose] >= 1']);
    const summary = await tables.handlers.extendTable({ table: TABLE, ...images }, signal);
    deepEqual(
      summary.columns
        .slice(FIRST)
        .map(({ index, name, kind, ofImage, computed }) => [index, name, kind, ofImage ?? computed?.type]),
      [
        [5, 'Dose', 'number', true],
        [6, 'Per dose', 'number', 'number'],
        [7, 'Is high', 'text', 'flag'],
      ],
    );
    deepEqual(changed, [TABLE, TABLE]);
    deepEqual(await rowsOf([1, 6, 7]), [
      ['90071992547409931', '8', 'yes'],
      ['90071992547409932', '0', 'no'],
      ['3', '1', 'yes'],
      ['4', '0.25', 'no'],
      ['5', '', ''],
    ]);
    deepEqual(
      await rowsOf(
        [6],
        [{ kind: 'range', column: 6, from: 0.2, to: null }],
        [{ column: 6, descending: true }],
      ),
      [['8'], ['1'], ['0.25']],
    );
    const yes: Filter = { kind: 'values', column: 7, values: ['yes'] };
    deepEqual(await rowsOf([1], [yes]), [['90071992547409931'], ['3']]);
    const { groups } = await tables.handlers.tableGroup(
      { table: TABLE, sort: [], by: [7], measures: [6] },
      signal,
    );
    deepEqual(
      groups.map(({ keys, rows }) => [keys, rows]),
      [
        [['yes'], 2],
        [['no'], 2],
        [[null], 1],
      ],
    );
    const { found } = await tables.handlers.tableFind({ table: TABLE, sort: [], text: '0.25' }, signal);
    deepEqual(found, { position: 3, row: 3, column: 6 });
    const { statistics } = await tables.handlers.tableStatistics(
      { table: TABLE, sort: [], columns: [6] },
      signal,
    );
    const { count, missing, mean, median, max } = statistics[0] ?? {};
    deepEqual(
      { count, missing, mean, median, max },
      { count: 4, missing: 1, mean: 2.3125, median: 0.625, max: 8 },
    );
    const saved = { table: TABLE, sort: [], destination: join(folder, 'saved.csv'), columns: [1, 7, 6] };
    await tables.handlers.tableSave(saved, signal);
    equal((await readFile(saved.destination, 'utf8')).split('\n')[1], '90071992547409931,yes,8');
  });

  it('that is not valid is there, empty, and says so; it comes back with what it lacked', async () => {
    const { columns } = await compute(['X', '[Dose] * 2'], ['Y', '[X] + 1']);
    deepEqual(columns[FIRST]?.computed, { formula: '[Dose] * 2', type: 'text', isInvalid: true });
    deepEqual(await rowsOf([FIRST, FIRST + 1]), Array(5).fill(['', '']));
    const images = { keyColumn: 0, keys: ['a.tif'], columns: [{ name: 'Dose', values: ['2'] }] };
    await tables.handlers.extendTable({ table: TABLE, ...images }, signal);
    deepEqual((await rowsOf([6, 7]))[0], ['4', '5']);
    await rejects(
      async () =>
        formulaHandlers(tables).tableFormulaPreview(
          { table: TABLE, sort: [], formula: '1 +', rows: 1 },
          signal,
        ),
      { code: 'bad-request' },
    );
  });

  it('goes by the decimal mark of the table, and is previewed in its view', async () => {
    await open('A;B\n1,5;2\n3;4\n', { delimiter: ';', decimalComma: true });
    await compute(['X', '[A] / 4'], ['Y', '[X] * 2 & "!"'], ['Z', '[X] * 2']);
    deepEqual(await rowsOf([2, 3, 4]), [
      ['0,375', '0,75!', '0,75'],
      ['0,75', '1,5!', '1,5'],
    ]);
    const view = { table: TABLE, sort: [{ column: 0, descending: true }], rows: 1, formula: '[Z] + 0.5' };
    const preview = await formulaHandlers(tables).tableFormulaPreview(view, signal);
    deepEqual(preview, { cells: ['2'], report: { rows: 2, missing: 0 } });
  });

  it('follows a table of many parts exactly', async () => {
    const random = randomNumbers(7);
    const rows = 30_000;
    const values = Array.from({ length: rows }, () => [
      random() * 100 - 50,
      Math.round(random() * 4),
      random(),
    ]);
    const lines = values.map((row, at) => [...row, `class ${at % 7}`].join());
    await open(`A,B,C,K\n${lines.join('\n')}\n`);
    await compute(['R', '([A] - [B]) / [C]'], ['S', 'if([B] = 0, "none", [K] & [B])'], ['T', 'sqrt([R])']);
    const source = tables.extended(TABLE);
    const all = { rows: undefined, count: rows };
    const ratios = await gatherNumbers(source, 4, all);
    const roots = await gatherNumbers(source, 6, all);
    const { codes, texts } = await gatherCodes(source, 5, all);
    values.forEach(([a = NaN, b = NaN, c = NaN], at) => {
      const ratio = c === 0 ? NaN : (a - b) / c;
      ok(Object.is(ratios[at], ratio) && Object.is(roots[at], Math.sqrt(ratio)), String(at));
      equal(texts.text(codes[at] ?? 0), b === 0 ? 'none' : `class ${at % 7}${b}`);
    });
    const negative = ratios.filter(ratio => ratio < 0).length;
    deepEqual(await reportOf('sqrt([R])'), { rows, missing: negative, roots: negative });
  });

  it('equals what was recorded with 60 digits', async () => {
    const golden = JSON.parse(await readFile('test/golden/formulas.json', 'utf8')) as Golden;
    for (const name of ['exp', 'ln', 'log10', 'sqrt'] as const) {
      await open(`A,B\n${golden[name].map(([value]) => `${value},`).join('\n')}\n`);
      const found = (await textsOf(`${name}([A])`)).map(Number);
      golden[name].forEach(([value, expected], at) => {
        const bound = name === 'sqrt' ? 0 : 1e-14 * Math.abs(expected);
        ok(Math.abs((found[at] ?? NaN) - expected) <= Math.max(bound, 0), `${name}(${value}): ${found[at]}`);
      });
    }
    await open(`A,B\n${golden.round.map(([value, digits]) => `${value},${digits}`).join('\n')}\n`);
    const rounded = (await textsOf('round([A], [B])')).map(Number);
    golden.round.forEach(([value, digits, expected], at) =>
      ok(rounded[at] === expected, `round(${value}, ${digits}): ${rounded[at]}`),
    );
  });
});
