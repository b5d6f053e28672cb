import * as assert from 'node:assert/strict';
import { refuseTooLarge } from '../../../../src/uploads/node/uploadableFiles';

const limit = 2 * 1024 ** 3;
const file = (fileName: string, size: number) => ({ uri: `file:///${fileName}`, fileName, folder: '', size });

describe('Files that are too large for the service', () => {
  it('are refused by their size, before anything else is asked', async () => {
    const [fits, tooLarge] = [file('a', limit), file('b', limit + 1)];
    const { files, failed } = await refuseTooLarge({ files: [fits, tooLarge], failed: [], hadFolder: true });
    assert.deepEqual(files, [fits]);
    assert.deepEqual(
      failed.map(({ uri, error }) => [uri, error.code, error.details.subject]),
      [['file:///b', 'file-too-large', 'b']],
    );
  });

  it('leave the others as they are where none is', async () => {
    const expanded = { files: [file('a', 1)], failed: [], hadFolder: false };
    assert.equal(await refuseTooLarge(expanded), expanded);
  });
});
