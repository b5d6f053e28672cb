import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { isCoded } from '../../../../../src/base/errors';
import type { Filter, ViewSpec } from '../../../../../src/columns/viewSpec';
import { openTable, startTable } from '../../../../../src/columns/engine/read/readTable';
import { TableView } from '../../../../../src/columns/engine/tableView';
import { reasonText } from '../../../words/reasonText';
import { TableTexts, numbersOf, textsOf } from '../tableTexts';

const texts = new TableTexts();
const read = (text: string | Uint8Array) => texts.table(text);
const view = (text: string) => texts.view(text);

before(() => texts.start());
after(() => texts.end());

describe('a table', () => {
  it('shows the exact text of its cells, and empty ones for what a row does not have', async () => {
    const { rows, fileRows } = await (await view('a,b,c\n1.50,"x, ""y""",007\n2\n')).window(0, 10, []);
    assert.deepEqual(rows, [
      ['1.50', 'x, "y"', '007'],
      ['2', '', ''],
    ]);
    assert.deepEqual(fileRows, [0, 1]);
  });

  it('leaves the byte order mark out of the first header', async () => {
    assert.equal((await read('\ufeffid,b\n1,2\n')).columns[0]?.name, 'id');
  });

  it('reads UTF-16 and Windows-1252', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Fläche;b\n1;2\n', 'utf16le')]);
    assert.equal((await read(utf16)).columns[0]?.name, 'Fläche');
    const ansi = Buffer.from('Area (µm²),b\n1,2\n', 'latin1');
    assert.equal((await read(ansi)).columns[0]?.name, 'Area (µm²)');
  });

  it('refuses a file that is not text', async () => {
    await assert.rejects(read(Buffer.from('PK\u0003\u0004\0\0\0')), error => isCoded(error, 'damaged-table'));
  });

  it('says by its first bytes that a file is compressed, also where these look like text', async () => {
    // None of the bytes behind the beginning is a control character.
    const looksLikeText = Buffer.from('a,b\n1,2\n3,4\n'.repeat(20));
    const csv = Buffer.from(Array.from({ length: 300 }, (_, i) => `${i},${(i * 7919) % 1013}\n`).join(''));
    for (const [file, why] of [
      [gzipSync(gzipSync(csv)), /^The file is compressed \(gzip\)\. Decompress it first$/],
      [Buffer.concat([Buffer.from('28b52ffd', 'hex'), looksLikeText]), /Zstandard/],
      [Buffer.concat([Buffer.from('BZh91AY&SY'), looksLikeText]), /bzip2/],
      [Buffer.concat([Buffer.from('fd377a585a00', 'hex'), looksLikeText]), /xz/],
      [Buffer.concat([Buffer.from('04224d18', 'hex'), looksLikeText]), /LZ4/],
      [Buffer.concat([Buffer.from('377abcaf271c', 'hex'), looksLikeText]), /7z/],
      [Buffer.concat([Buffer.from('PK\u0003\u0004'), looksLikeText]), /Zip archive or a spreadsheet/],
    ] as const)
      await assert.rejects(
        read(file),
        error => isCoded(error, 'damaged-table') && why.test(reasonText(error)),
        String(why),
      );
    assert.equal((await read('BZh,PK\n1,2\n')).columns[0]?.name, 'BZh');
  });

  it('has typed columns with missing cells as NaN', async () => {
    const table = await read('id,area\n1,5\n2,\n3,NA\n4\n5,7.5\n');
    assert.deepEqual(await numbersOf(table, 1), [5, NaN, NaN, NaN, 7.5]);
  });

  it('shares equal texts of a column', async () => {
    const table = await read('image,id\n"a.tif",1\na.tif,2\nb.tif,3\na.tif,4\n');
    const { values } = await table.codes(0);
    assert.deepEqual(
      values.map(codes => [...codes]),
      [[2, 2, 3, 2]],
    );
    assert.deepEqual(await textsOf(table, 0), ['a.tif', 'a.tif', 'b.tif', 'a.tif']);
  });

  it('names the file whose quote is never closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'table-'));
    try {
      const path = join(folder, 'open quote.csv');
      await writeFile(path, 'a,b\n1,"2\n3,4\n');
      await assert.rejects(
        openTable(path),
        error =>
          isCoded(error, 'damaged-table') && error.details.subject === path && /line 2/.test(error.message),
      );
      await assert.rejects(openTable(join(folder, 'none.csv')), error => isCoded(error, 'not-a-file'));
      await assert.rejects(openTable(folder), error => isCoded(error, 'not-a-file'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('stops reading when it is canceled', async () => {
    await assert.rejects(texts.table('a\n1\n', {}, AbortSignal.abort()), error =>
      isCoded(error, 'cancelled'),
    );
  });

  it('does not read another file that got its descriptor after it was closed', async () => {
    const table = await texts.table('a\n1\n');
    table.dispose();
    // The lowest free number, which was the table's, is given to what is opened next.
    const other = await open(await texts.file('b\n2\n'), 'r');
    try {
      assert.throws(
        () => table.cells([0], [0], 9),
        error => isCoded(error, 'cancelled'),
      );
    } finally {
      await other.close();
    }
  });
});

describe('a table under a sort', () => {
  const text = 'image,id\nimg10,2\nimg2,10\nimg2,\nIMG2,1\n,3\nimg2,10\n';

  it('orders numbers by value, missing ones last both ways, ties as in the file', async () => {
    const sorted = await view(text);
    assert.deepEqual(
      (await sorted.window(0, 9, [{ column: 1, descending: false }])).fileRows,
      [3, 0, 4, 1, 5, 2],
    );
    assert.deepEqual(
      (await sorted.window(0, 9, [{ column: 1, descending: true }])).fileRows,
      [1, 5, 4, 0, 3, 2],
    );
  });

  it('orders texts as people count', async () => {
    const { rows } = await (await view(text)).window(0, 9, [{ column: 0, descending: false }]);
    assert.deepEqual(
      rows.map(row => row[0]),
      ['IMG2', 'img2', 'img2', 'img2', 'img10', ''],
    );
  });

  it('orders accents and numbers with leading zeros as people expect', async () => {
    const words = ['zoo', 'Éa', 'eb', 'a010', 'a9', 'a9b', 'x', '10', '9', 'Ea'];
    const { rows } = await (
      await view(['t', ...words].join('\n'))
    ).window(0, 99, [{ column: 0, descending: false }]);
    assert.deepEqual(rows.flat(), ['9', '10', 'a9', 'a9b', 'a010', 'Ea', 'Éa', 'eb', 'x', 'zoo']);
  });

  it('orders by several columns', async () => {
    const sort = [
      { column: 0, descending: true },
      { column: 1, descending: false },
    ];
    assert.deepEqual((await (await view(text)).window(0, 9, sort)).fileRows, [0, 1, 5, 2, 3, 4]);
  });

  it('returns the position of each row, and any window of rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('', '1', '2', '2.0', '-3'), fc.constantFrom('', 'a', 'b')), {
          minLength: 1,
        }),
        fc.boolean(),
        fc.boolean(),
        async (cells, first, second) => {
          const sorted = await view('n,t\n' + cells.map(row => row.join(',')).join('\n') + '\n');
          const sort = [
            { column: 1, descending: first },
            { column: 0, descending: second },
          ];
          const { fileRows } = await sorted.window(0, cells.length, sort);
          assert.deepEqual(
            [...fileRows].sort((a, b) => a - b),
            Array.from(fileRows.keys()),
          );
          for (const [at, row] of fileRows.entries()) {
            assert.equal(await sorted.position(row, { sort }), at);
            assert.deepEqual((await sorted.window(at, at + 1, sort)).fileRows, [row]);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('covers only the first rows of the file where requested', async () => {
    const table = await view('n\n3\n1\n2\n0\n');
    const sort = [{ column: 0, descending: false }];
    const filters: Filter[] = [{ kind: 'range', column: 0, from: 1, to: null }];
    const order = async (spec: ViewSpec) => {
      const { order, subset } = await table.rows(spec);
      return [...(order ?? Array.from({ length: subset.count }, (_, at) => at))];
    };
    assert.deepEqual(await order({ sort, upTo: 3 }), [1, 2, 0]);
    assert.deepEqual(await order({ sort, filters, upTo: 2 }), [1, 0]);
    assert.deepEqual(await order({ sort: [], filters, upTo: 2 }), [0, 1]);
    assert.deepEqual(await order({ sort: [], upTo: 2 }), [0, 1]);
    assert.deepEqual(await order({ sort, upTo: 99 }), [3, 1, 2, 0]);
    assert.deepEqual(await order({ sort }), [3, 1, 2, 0]);
    assert.equal(await table.position(3, { sort, upTo: 3 }), -1);
    assert.equal(await table.position(3, { sort: [], upTo: 3 }), -1);
  });

  it('has rows read later in the sets that are computed from all rows', async () => {
    const path = await texts.file(`n\n${'7\n'.repeat(1000)}`);
    const { table, finish } = await startTable(path, {});
    const growing = new TableView(table);
    const all = () => Promise.resolve(Uint32Array.from({ length: table.rowCount }, (_, row) => row));
    const sets: Promise<{ set: number; rows: number }>[] = [];
    await finish(undefined, () => sets.push(growing.addComputedSet(all)));
    const first = await sets[0];
    assert.ok(first && first.rows < 1000, `${first?.rows} rows`);
    assert.equal((await growing.filteredRows([{ kind: 'rowSet', set: first.set }])).count, 1000);
    table.dispose();
  });

  it('drops the sets of rows used least recently, not those in use', async () => {
    const table = await view('n\n1\n2\n3\n');
    const { set } = table.addSet(Uint32Array.of(1));
    const { set: unused } = table.addSet(Uint32Array.of(2));
    for (let at = 0; at < 200; at++) {
      table.addSet(Uint32Array.of(0));
      assert.equal((await table.filteredRows([{ kind: 'rowSet', set }])).count, 1);
    }
    await assert.rejects(table.filteredRows([{ kind: 'rowSet', set: unused }]), error =>
      isCoded(error, 'bad-request'),
    );
  });

  it('refuses rows and columns that do not exist', async () => {
    const sorted = await view('a\n1\n');
    await assert.rejects(sorted.position(1, { sort: [] }), error => isCoded(error, 'bad-request'));
    await assert.rejects(sorted.window(0, 1, [{ column: 3, descending: false }]), error =>
      isCoded(error, 'bad-request'),
    );
    assert.deepEqual((await sorted.window(5, 9, [])).rows, []);
  });

  it('still resolves for one caller when another cancels', async () => {
    const sorted = await view(
      'a\n' + Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 200_000).join('\n'),
    );
    const impatient = new AbortController();
    const sort = [{ column: 0, descending: false }];
    const given = sorted.window(0, 2, sort, [], impatient.signal);
    const awaited = sorted.window(0, 2, sort);
    impatient.abort();
    await assert.rejects(given, error => isCoded(error, 'cancelled'));
    assert.deepEqual((await awaited).rows, [['0'], ['1']]);
  });
});
