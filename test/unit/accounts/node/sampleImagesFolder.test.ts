import { equal } from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleImagesFolder } from '../../../../src/accounts/node/accountsOnDisk';

describe('The folder of sample images', () => {
  it('is the one of earlier versions where that exists', async () => {
    const storage = await mkdtemp(join(tmpdir(), 'image-analysis-sample-folder-'));
    try {
      equal(await sampleImagesFolder(storage), join(storage, 'sample', 'images'));
      await mkdir(join(storage, 'sample', 'pictures'), { recursive: true });
      equal(await sampleImagesFolder(storage), join(storage, 'sample', 'pictures'));
    } finally {
      await rm(storage, { recursive: true });
    }
  });
});
