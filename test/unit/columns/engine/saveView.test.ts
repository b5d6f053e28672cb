import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { isCoded } from '../../../../src/base/errors';
import { openTable } from '../../../../src/columns/engine/read/readTable';
import { saveView } from '../../../../src/columns/engine/saveTable';
import { TableTexts } from './tableTexts';

const texts = new TableTexts();
before(() => texts.start());
after(() => texts.end());

describe('saving a view', () => {
  it('writes what is shown, with the exact texts', async () => {
    const view = await texts.view('a;b;c\n1,50;"x;""y""";007\n2;\n3,0;z;1e400\n');
    const destination = await texts.file('');
    const rows = await view.rows({ sort: [{ column: 0, descending: true }], filters: [] });
    await assert.rejects(
      saveView(view.table, rows, { columns: [0, 1, 2], destination, overwrite: false }),
      error => isCoded(error, 'exists'),
    );
    const saved = await saveView(view.table, rows, { columns: [2, 0, 1], destination, overwrite: true });
    const written = await readFile(destination, 'utf8');
    assert.equal(written, 'c;a;b\n1e400;3,0;z\n;2;\n007;1,50;"x;""y"""\n');
    assert.deepEqual([saved.rows, saved.bytes], [3, Buffer.byteLength(written)]);
  });

  it('never writes over the table itself', async () => {
    const view = await texts.view('a\n1\n');
    const rows = await view.rows({ sort: [] });
    const own = view.table.paths[0] ?? '';
    await assert.rejects(
      saveView(view.table, rows, { columns: [0], destination: own, overwrite: true }),
      error => isCoded(error, 'bad-request'),
    );
    assert.equal(await readFile(own, 'utf8'), 'a\n1\n');
  });

  it('refuses names of other formats, and writes nothing', async () => {
    const view = await texts.view('a\n1\n');
    const rows = await view.rows({ sort: [] });
    for (const ending of ['parquet', 'XLSX', 'json', 'zip', 'csv.gz']) {
      const destination = `${await texts.file('')}.${ending}`;
      await assert.rejects(
        saveView(view.table, rows, { columns: [0], destination, overwrite: true }),
        error =>
          isCoded(error, 'bad-request') &&
          error.details.reason?.message ===
            'A file whose name ends in {0} is of another format than {1}, which is saved',
        ending,
      );
      await assert.rejects(readFile(destination), { code: 'ENOENT' });
    }
    for (const ending of ['CSV', 'txt', '2026-11-28', 'plate 1']) {
      const destination = `${await texts.file('')}.${ending}`;
      await saveView(view.table, rows, { columns: [0], destination, overwrite: true });
    }
  });

  it('separates cells by tabs where the name says so', async () => {
    const view = await texts.view('a,b\n"x\ty","1,5"\n');
    const rows = await view.rows({ sort: [] });
    const destination = `${await texts.file('')}.tsv`;
    await saveView(view.table, rows, { columns: [0, 1], destination, overwrite: false });
    assert.equal(await readFile(destination, 'utf8'), 'a\tb\n"x\ty"\t1,5\n');
  });

  it('is read again with tabs where the file name says so, although each text has a comma', async () => {
    const view = await texts.view('"a, b",c\n"x, y",1\n"z, w",2\n');
    const destination = `${await texts.file('')}.tsv`;
    await saveView(view.table, await view.rows({ sort: [] }), {
      columns: [0, 1],
      destination,
      overwrite: false,
    });
    const again = await openTable(destination);
    assert.deepEqual(
      again.columns.map(({ name }) => name),
      ['a, b', 'c'],
    );
    again.dispose();
  });

  it('is read as one column again where only one is shown, whatever its cells hold', async () => {
    const view = await texts.view('"a, b",c\n"x;y",1\nz,2\n,3\n');
    const destination = `${await texts.file('')}.tsv`;
    await saveView(view.table, await view.rows({ sort: [] }), {
      columns: [0],
      destination,
      overwrite: false,
    });
    const again = await texts.view(await readFile(destination));
    assert.deepEqual(
      again.table.columns.map(({ name }) => name),
      ['a, b'],
    );
    assert.deepEqual(again.texts([0, 1, 2]), [['x;y'], ['z'], ['']]);
  });

  // Instruments write such files: a delimiter too many at the end of each line.
  it('is no slower where all rows have a cell too many', async () => {
    const view = await texts.view(`a,b\n${'1,2,\n'.repeat(400_000)}`);
    assert.equal(view.texts([399_999]).flat().length, 3);
    const destination = await texts.file('');
    const saved = await saveView(view.table, await view.rows({ sort: [] }), {
      columns: [0, 1],
      destination,
      overwrite: true,
    });
    assert.equal(saved.bytes, 4 * 400_001);
    assert.deepEqual(view.table.cells([7, 399_999], [0], 9).ragged, [0, 1]);
  });

  it('writes every row once, however long rows are', async () => {
    const lines = Array.from(
      { length: 3000 },
      (_, at) => `${at},${'x'.repeat(at % 700 === 3 ? 600_000 : 3)}`,
    );
    const view = await texts.view(`n,t\n${lines.join('\n')}\n`);
    const destination = await texts.file('');
    const saved = await saveView(view.table, await view.rows({ sort: [] }), {
      columns: [0, 1],
      destination,
      overwrite: true,
    });
    assert.equal(saved.rows, 3000);
    assert.ok((await readFile(destination, 'utf8')) === `n,t\n${lines.join('\n')}\n`);
  });
});

describe('The byte order mark of a saved table', () => {
  const MARK = '\ufeff';
  const saved = async (content: string | Uint8Array, markHeader?: boolean) => {
    const view = await texts.view(content);
    const columns = view.table.columns.map(({ index }) => index);
    const options = { columns, destination: await texts.file(''), overwrite: true, markHeader };
    const { bytes } = await saveView(view.table, await view.rows({ sort: [] }), options);
    const written = await readFile(options.destination);
    assert.equal(bytes, written.length);
    return written.toString('utf8');
  };

  it('is that of its file', async () => {
    assert.equal(await saved(`${MARK}Area (px²)\n1\n`), `${MARK}Area (px²)\n1\n`);
    assert.equal(await saved(`${MARK}area\n1\n`, true), `${MARK}area\n1\n`);
    assert.equal(await saved('Area (px²)\n1\n'), 'Area (px²)\n1\n');
    // UTF-16 always has one; a spreadsheet reads the UTF-8 that is written by it.
    assert.equal(await saved(Buffer.from(`${MARK}Area (px²)\n1\n`, 'utf16le')), `${MARK}Area (px²)\n1\n`);
  });

  it('is there in one made here whose header is not ASCII', async () => {
    assert.equal(await saved('Area (px²)\n1\n', true), `${MARK}Area (px²)\n1\n`);
    assert.equal(await saved('area\nµ\n', true), 'area\nµ\n');
    assert.equal(await saved('Area (px²)\n1\n', false), 'Area (px²)\n1\n');
  });

  it('does not become a part of its first column when it is read again', async () => {
    const again = await texts.table(await saved('Größe,b\n1,2\n', true));
    assert.deepEqual(
      again.columns.map(({ name }) => name),
      ['Größe', 'b'],
    );
  });
});
