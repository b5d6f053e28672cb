import { deepEqual, rejects } from 'node:assert/strict';
import { canceledError } from '../../../../src/base/errors';
import { BackgroundImages } from '../../../../src/images/engine/backgroundImages';
import { FileByteSource } from '../../../../src/images/engine/fileByteSource';

describe('Opening a background image', () => {
  const { read, release } = FileByteSource.prototype;

  afterEach(() => Object.assign(FileByteSource.prototype, { read, release }));

  it('leaves its file closed when it is canceled during the first read', async () => {
    const files: string[] = [];
    Object.assign(FileByteSource.prototype, {
      async read(this: FileByteSource, offset: number, length: number) {
        await read.call(this, offset, length);
        files.push('opened');
        throw canceledError();
      },
      async release(this: FileByteSource) {
        await release.call(this);
        files.push('closed');
      },
    });
    const path = 'test/golden/images/channels-focus-time.ome.tif';
    await rejects(new BackgroundImages().open(path), { code: 'cancelled' });
    deepEqual(files, ['opened', 'closed']);
  });
});
