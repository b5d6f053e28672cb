import { QUOTED } from '../../../../src/base/reasons';
import * as assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../../src/base/errors';
import { checkZip } from '../../../../src/archives/node/archiveContents';
import { zipOf } from '../../results/node/zipOf';

describe('The check of a downloaded archive', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'check-zip-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('says in our words what is wrong, whichever byte it is', async () => {
    const zip = await zipOf({ 'index.json': '{}', 'a_objects.json': '{"objects":{}}' });
    const path = join(folder, 'masks.zip');
    const kinds = new Set<string>();
    for (let at = 0; at < zip.length; at++) {
      const damaged = Buffer.from(zip);
      damaged.writeUInt8(zip.readUInt8(at) ^ 0xff, at);
      await writeFile(path, damaged);
      const file = await open(path);
      try {
        await checkZip(file, damaged.length, new AbortController().signal);
      } catch (error) {
        assert.ok(isCoded(error, 'damaged-archive'), String(error));
        kinds.add(error.details.reason?.message ?? assert.fail(error.message));
      } finally {
        await file.close();
      }
    }
    assert.ok(!kinds.has(QUOTED));
    assert.ok(kinds.has("The archive's list of entries can't be read"), [...kinds].join());
  });
});
