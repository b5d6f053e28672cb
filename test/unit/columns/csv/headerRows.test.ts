import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTable, readHeadOf, type ReadOptions } from '../../../../src/columns/engine/read/readTable';

/** CellProfiler's file of combined objects: a row of objects above a row of measurements. */
const cellProfiler = [
  'Image,Image,Nuclei,Nuclei,Cytoplasm',
  'ImageNumber,Metadata_Well,ObjectNumber,AreaShape_Area,AreaShape_Area',
  ...Array.from({ length: 300 }, (_, at) => `1,A0${(at % 9) + 1},${at + 1},${100 + at / 2},${200 + at}`),
].join('\n');

describe('The header of a table', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'header-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const read = async (content: string, options: ReadOptions = {}) => {
    const path = join(folder, 'table.csv');
    await writeFile(path, content);
    const table = await openTable(path, undefined, undefined, options);
    try {
      const means: Record<string, number> = {};
      for (const { index, name, kind } of table.columns) {
        if (kind !== 'number') continue;
        const { values } = await table.numbers(index);
        const all = values.flatMap(part => [...part]);
        means[name] = all.reduce((sum, value) => sum + value, 0) / all.length;
      }
      const { rowCount, headerRows, lateDecimals, delimiter } = table;
      const names = table.columns.map(({ name }) => name);
      return { names, rowCount, headerRows, lateDecimals, delimiter, means };
    } finally {
      table.dispose();
    }
  };

  it('has two rows in the files of CellProfiler', async () => {
    const { names, rowCount, headerRows, means } = await read(cellProfiler);
    deepEqual(names, [
      'Image_ImageNumber',
      'Image_Metadata_Well',
      'Nuclei_ObjectNumber',
      'Nuclei_AreaShape_Area',
      'Cytoplasm_AreaShape_Area',
    ]);
    equal(rowCount, 300);
    deepEqual(headerRows, { skipped: 0, rows: 2 });
    equal(means['Nuclei_AreaShape_Area'], 174.75);
  });

  it('is the first row alone where that is wanted', async () => {
    const { names, rowCount, means } = await read(cellProfiler, { header: { skipped: 0, rows: 1 } });
    deepEqual([names[3], rowCount, means], ['Nuclei', 301, {}]);
  });

  it("is below OMERO's line of types, whatever that has in common with it", async () => {
    const csv = '# header well,plate,s,d\nWell,Plate,Drug,Concentration\nA1,P1,DMSO,0.5\nA2,P1,Drug,1.5\n';
    const { names, rowCount, headerRows, means } = await read(csv);
    deepEqual(names, ['Well', 'Plate', 'Drug', 'Concentration']);
    deepEqual([rowCount, headerRows, means], [2, { skipped: 1, rows: 1 }, { Concentration: 1 }]);
    const first = await read(csv, { header: { skipped: 0, rows: 1 } });
    deepEqual([first.names[0], first.rowCount], ['# header well', 3]);
  });

  it('is below lines of comments, which do not tell the delimiter', async () => {
    const { names, headerRows, delimiter } = await read('# made by x, y, z\r\n#\r\na;b\r\n1;2\r\n3;4\r\n');
    deepEqual([names, headerRows, delimiter], [['a', 'b'], { skipped: 2, rows: 1 }, ';']);
  });

  for (const [words, csv, names] of [
    ['begins with # itself', '#,a\n1,2\n', ['#', 'a']],
    ['is one column that begins with #', '#id\n1\n2\n', ['#id']],
    ['has names twice above texts', 'a,a\nx,y\nz,w\n', ['a', 'a']],
    ['has names twice above numbers', 'a,a\n1,2\n3,4\n', ['a', 'a']],
    ['has names once above texts and numbers', 'a,b\nx,y\n1,2\n', ['a', 'b']],
    ['has names twice above the same text twice', 'a,a\nx,x\n1,2\n', ['a', 'a']],
    ['has an empty name', 'a,a,\nx,y,z\n1,2,3\n', ['a', 'a', '']],
    ['is all there is', 'a,a\nx,y\n', ['a', 'a']],
  ] as const)
    it(`is the first row where it ${words}`, async () => {
      const found = await read(csv);
      deepEqual([found.names, found.headerRows], [names, { skipped: 0, rows: 1 }]);
    });

  it('is the rows that are named', async () => {
    const csv = 'Plate 7\n\na,b\nx,y\n1,2\n3,4\n';
    const { names, rowCount, means } = await read(csv, { header: { skipped: 1, rows: 2 } });
    deepEqual([names, rowCount, means], [['a_x', 'b_y'], 2, { a_x: 2, b_y: 3 }]);
  });

  it('is read from no more bytes than a header may have, also in a file without line ends', () => {
    const requested: number[] = [];
    const file = {
      path: 'one line.csv',
      size: 10_000_000,
      read: (target: Uint8Array) => {
        requested.push(target.length);
        target.fill(97);
        return target.length;
      },
    };
    const { bytes } = readHeadOf(file, {}, 3_000_000);
    equal(bytes.length, 3_000_000);
    deepEqual(requested, [262_144, 2_097_152, 3_000_000]);
  });

  describe('says nothing of the decimal mark', () => {
    const rows = (from: number, to: number, row: (at: number) => string) =>
      Array.from({ length: to - from }, (_, at) => row(from + at));
    const late = [
      'Image;Area;Name',
      ...rows(0, 600, at => `a.tif;${100 + at};${at}`),
      ...rows(600, 1200, at => `a.tif;${100 + at},25;${at === 900 ? 'x' : at}`),
    ].join('\n');

    it('so a column of late decimals is noted, and not one that has a word as well', async () => {
      const { means, lateDecimals } = await read(late);
      deepEqual([means, lateDecimals], [{}, { row: 600, columns: 1 }]);
    });

    it('and is read as numbers where the mark is given', async () => {
      const { means, lateDecimals } = await read(late, { decimalComma: true });
      equal(means['Area'], 699.5 + 0.125);
      equal(lateDecimals, undefined);
    });
  });
});
