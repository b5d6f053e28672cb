import { deepEqual, rejects } from 'node:assert/strict';
import { UploadsElsewhere } from '../../../../src/uploads/node/accountUploads';

describe('The listed uploads of other windows', () => {
  const states = ['sending'] as const;

  it('lose the one that was canceled', async () => {
    const canceled: string[] = [];
    const list = await UploadsElsewhere.of({
      elsewhere: () => Promise.resolve(['a', 'b'].map(id => ({ id, states }))),
      cancelElsewhere: ({ id }) => Promise.resolve(void canceled.push(id)),
    });
    await list.cancel({ id: 'a', states });
    deepEqual([canceled, list.batches.map(({ id }) => id)], [['a'], ['b']]);
  });

  it('keep one that could not be canceled, and the failure reaches the caller', async () => {
    const list = await UploadsElsewhere.of({
      elsewhere: () => Promise.resolve([{ id: 'a', states }]),
      cancelElsewhere: () => Promise.reject(new Error('disk full')),
    });
    await rejects(list.cancel({ id: 'a', states }), /disk full/);
    deepEqual(list.batches, [{ id: 'a', states }]);
  });
});
