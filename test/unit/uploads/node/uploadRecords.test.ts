import * as assert from 'node:assert/strict';
import { silentLog } from '../../../../src/base/log';
import { UploadRecords, type UploadRecord } from '../../../../src/uploads/node/uploadRecords';
import { MemoryLines } from './memoryLines';

function record(name: string): UploadRecord {
  return {
    uri: `file:///${name}`,
    fileName: name,
    size: 3,
    identity: '3:1:2',
    uploadedAt: '2024-01-01T00:00:00.000Z',
  };
}

/** Records that are written when `tick` is called, as if time had passed. */
function recordsOf(lines = new MemoryLines(), log = silentLog) {
  let tick: () => void = () => undefined;
  const records = new UploadRecords({ lines, log, delay: () => new Promise(resolve => (tick = resolve)) });
  return { records, lines, tick: () => tick() };
}

describe('The upload records', () => {
  it('find what was added, also in another session', async () => {
    const { records, lines } = recordsOf();
    const added = { ...record('a.tif'), destinationFolder: 'plates/1' };
    records.add('item1', added);
    assert.deepEqual(await records.find('item1'), added);
    assert.deepEqual(await recordsOf(lines).records.find('item1'), added);
    assert.equal(await records.find('item2'), undefined);
    assert.equal(await records.find('item'), undefined);
  });

  it('are written together a moment after the first, in one write', async () => {
    const { records, lines, tick } = recordsOf();
    for (let index = 0; index < 1000; index++) records.add(`item${index}`, record(`${index}`));
    assert.equal(lines.writes.length, 0);
    tick();
    await records.flush();
    assert.deepEqual(
      lines.writes.map(written => written.length),
      [1000],
    );
    assert.equal((await records.find('item999'))?.fileName, '999');
  });

  it('write nothing where nothing was added', async () => {
    const { records, lines } = recordsOf();
    await records.flush();
    records.dispose();
    assert.equal(lines.writes.length, 0);
  });

  it('preserve what another window added meanwhile', async () => {
    const { records: here, lines } = recordsOf();
    const { records: there } = recordsOf(lines);
    here.add('a', record('a'));
    there.add('b', record('b'));
    await here.flush();
    await there.flush();
    assert.equal((await here.find('b'))?.fileName, 'b');
    assert.equal((await there.find('a'))?.fileName, 'a');
  });

  it('use the newest of two records of an item', async () => {
    const { records } = recordsOf();
    records.add('item', record('old'));
    records.add('item', record('new'));
    assert.equal((await records.find('item'))?.fileName, 'new');
  });

  it('get a hash later', async () => {
    const { records } = recordsOf();
    records.add('item', record('a'));
    assert.equal((await records.find('item'))?.sha256, undefined);
    records.addHash('item', 'ab');
    records.addHash('other', 'cd');
    assert.deepEqual(await records.find('item'), { ...record('a'), sha256: 'ab' });
    assert.equal(await records.find('other'), undefined);
  });

  it('find the latest upload of each of some files', async () => {
    const { records } = recordsOf();
    records.add('1', record('a'));
    records.add('2', record('b'));
    records.add('3', record('a'));
    records.addHash('1', 'ab');
    const found = await records.ofFiles(new Set(['file:///a', 'file:///b', 'file:///c']));
    assert.deepEqual([...found].map(([uri, { itemId }]) => [uri, itemId]).sort(), [
      ['file:///a', '3'],
      ['file:///b', '2'],
    ]);
    assert.deepEqual(found.get('file:///b')?.record, record('b'));
  });

  it('find the uploads that became some items, with their hashes', async () => {
    const { records } = recordsOf();
    records.add('1', record('a'));
    records.add('2', record('b'));
    records.add('3', record('c'));
    records.addHash('1', 'ab');
    records.addHash('4', 'cd');
    const found = await records.ofItems(new Set(['1', '3', '4']));
    assert.deepEqual([...found].sort(), [
      ['1', { ...record('a'), sha256: 'ab' }],
      ['3', record('c')],
    ]);
  });

  it('announce what is added', () => {
    const { records } = recordsOf();
    const heard: string[] = [];
    records.onDidAdd(({ itemId }) => heard.push(itemId));
    records.add('a', record('a'));
    records.addHash('a', 'ab');
    assert.deepEqual(heard, ['a']);
  });

  it('pass over what is damaged', async () => {
    const { records, lines } = recordsOf();
    lines.appendNow(['["item",{"uri":"file:///a","fileNa', 'null', '{"a":1}', '[1,{}]', '["item",null]']);
    assert.equal(await records.find('item'), undefined);
    records.add('item', record('b'));
    lines.appendNow(['["item",{"uri":1}', '["item"']);
    assert.equal((await records.find('item'))?.fileName, 'b');
    assert.equal((await records.ofFiles(new Set(['file:///b']))).size, 1);
  });

  it('find items whatever characters are in their IDs', async () => {
    const { records } = recordsOf();
    for (const id of ['say "x"', 'ü/µ', 'two\nlines', '\\']) records.add(id, record(id));
    for (const id of ['say "x"', 'ü/µ', 'two\nlines', '\\'])
      assert.equal((await records.find(id))?.fileName, id);
  });

  it('are written with the next ones after a write that failed', async () => {
    const errors: string[] = [];
    const { records, lines } = recordsOf(new MemoryLines(), {
      ...silentLog,
      error: message => errors.push(message),
    });
    lines.failing = true;
    records.add('item1', record('a'));
    await records.flush();
    assert.deepEqual(errors, ['Uploads could not be recorded']);
    lines.failing = false;
    records.add('item2', record('b'));
    assert.equal((await records.find('item1'))?.fileName, 'a');
    assert.equal((await records.find('item2'))?.fileName, 'b');
  });

  it('are written before the window closes', () => {
    const { records, lines } = recordsOf();
    records.add('item', record('a'));
    records.dispose();
    assert.equal(lines.writes.length, 1);
    assert.ok(lines.disposed);
  });
});
