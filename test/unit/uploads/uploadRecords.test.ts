import * as assert from 'node:assert/strict';
import { UploadRecords, type UploadRecord } from '../../../src/uploads/uploadRecords';
import { MemoryState } from '../jobs/memoryState';

function record(name: string): UploadRecord {
  return {
    uri: `file:///${name}`,
    fileName: name,
    size: 3,
    sha256: 'ab',
    uploadedAt: '2024-01-01T00:00:00.000Z',
  };
}

describe('the upload records', () => {
  it('find what was remembered, also in another session', async () => {
    const state = new MemoryState();
    const kept = { ...record('a.tif'), destinationFolder: 'plates/1' };
    await new UploadRecords(state).add('item1', kept);
    assert.deepEqual(await new UploadRecords(state).find('item1'), kept);
    assert.equal(await new UploadRecords(state).find('item2'), undefined);
  });

  it('keep what is added at the same time', async () => {
    const records = new UploadRecords(new MemoryState());
    const names = Array.from({ length: 100 }, (_, index) => `f${index}`);
    await Promise.all(names.map(name => records.add(name, record(name))));
    for (const name of names) assert.equal((await records.find(name))?.fileName, name);
  });

  it('keep what another window added meanwhile', async () => {
    const state = new MemoryState();
    const [here, there] = [new UploadRecords(state), new UploadRecords(state)];
    // Ids that differ by the number of shards fall into the same value.
    for (let index = 0; index < 64; index++)
      await (index % 2 ? here : there).add(`f${index}`, record(`${index}`));
    for (let index = 0; index < 64; index++)
      assert.equal((await here.find(`f${index}`))?.fileName, `${index}`);
  });

  it('take the newest of two records of an item', async () => {
    const records = new UploadRecords(new MemoryState());
    await records.add('item', record('old'));
    await records.add('item', record('new'));
    assert.equal((await records.find('item'))?.fileName, 'new');
  });

  it('are at most 20,000, the newest, in values that are small enough to be written often', async function () {
    this.timeout(60_000);
    const state = new MemoryState();
    const records = new UploadRecords(state);
    // One more than fits into each value, put there directly: adding them one by one would write each value 1,250 times.
    await records.add('seed', record('seed'));
    const [shard] = [...state.values.keys()];
    assert.ok(shard);
    const full = Array.from({ length: 1250 }, (_, index) => [`old${index}`, record(`old${index}`)]);
    state.values.set(shard, JSON.stringify(full));
    await records.add('seed', record('newest'));
    const kept = JSON.parse(state.values.get(shard) ?? '') as unknown[];
    assert.equal(kept.length, 1250);
    assert.deepEqual(kept.at(-1), ['seed', record('newest')]);
    assert.deepEqual((kept[0] as unknown[])[0], 'old1');
  });

  it('spread evenly', async () => {
    const state = new MemoryState();
    const records = new UploadRecords(state);
    for (let index = 0; index < 1600; index++)
      await records.add((index * 7919).toString(16).padStart(24, '5'), record('x'));
    assert.equal(state.values.size, 16);
    for (const text of state.values.values()) assert.ok((JSON.parse(text) as unknown[]).length < 200);
  });

  it('pass over what is damaged', async () => {
    const state = new MemoryState();
    const records = new UploadRecords(state);
    await records.add('item', record('a'));
    const [shard] = [...state.values.keys()];
    assert.ok(shard);
    for (const damaged of ['null', '{"a":1}', '[1,null,["item"],["item",{"uri":1}]]']) {
      state.values.set(shard, damaged);
      assert.equal(await records.find('item'), undefined);
    }
    await records.add('item', record('b'));
    assert.equal((await records.find('item'))?.fileName, 'b');
  });

  it('go on after a write that failed', async () => {
    const state = new MemoryState();
    const records = new UploadRecords(state);
    state.failing = true;
    await assert.rejects(records.add('item', record('a')), /disk is gone/);
    state.failing = false;
    await records.add('item', record('b'));
    assert.equal((await records.find('item'))?.fileName, 'b');
  });
});
