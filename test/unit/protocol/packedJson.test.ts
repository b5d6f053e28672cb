import assert from 'node:assert/strict';
import { packJson, unpackJson } from '../../../src/protocol/packed';

describe('a packed value', () => {
  it('is the same when it is unpacked, also after it was cloned', () => {
    const value = {
      images: [{ id: 'a', name: 'Zelle 1 – µm.tif', counts: [1, 2.5], isPartial: true }],
      notes: [],
    };
    assert.deepEqual(unpackJson(structuredClone(packJson(value))), value);
  });

  it('has no buffer over 4 MB, also where a character is cut in two', () => {
    const value = Array.from({ length: 3 }, (_, at) => `${'x'.repeat(at)}${'µ'.repeat(2 ** 20)}`);
    const { json } = packJson(value);
    assert.deepEqual(
      json.map(({ byteLength }) => byteLength),
      [4 * 1024 ** 2, json[1]?.byteLength],
    );
    assert.deepEqual(unpackJson<string[]>({ json }), value);
  });

  it('may be nothing at all', () => {
    assert.deepEqual(unpackJson(packJson({})), {});
  });
});
