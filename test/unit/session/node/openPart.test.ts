import assert from 'node:assert/strict';
import { openPart } from '../../../../src/session/node/openPart';
import { CodedError, isCoded, type ErrorCode } from '../../../../src/base/errors';

describe('Opening a part of several files', () => {
  /** Opens a, b and c; each attempt fails with the next error. Resolves with what was done. */
  async function opened(...errors: [code: ErrorCode, subject?: string][]): Promise<string[]> {
    const calls: string[] = [];
    const file = (path: string) => ({
      path,
      discard: () => {
        calls.push(`discard ${path}`);
        return Promise.resolve(true);
      },
    });
    const work = openPart({
      fetch: () => {
        calls.push('fetch');
        return Promise.resolve(['a', 'b', 'c'].map(file));
      },
      filesOf: files => files,
      open: () => {
        const [code, subject] = errors.shift() ?? [];
        return code
          ? Promise.reject(new CodedError(code, 'Failed', subject === undefined ? {} : { subject }))
          : Promise.resolve();
      },
    });
    await work.catch((error: unknown) => {
      assert.ok(isCoded(error));
      calls.push(error.code);
    });
    return calls;
  }

  it('discards only the damaged one', async () => {
    assert.deepEqual(await opened(['damaged-table', 'b']), ['fetch', 'discard b', 'fetch']);
  });

  it('is attempted twice at most', async () => {
    assert.deepEqual(await opened(['damaged-table', 'b'], ['damaged-table', 'c']), [
      'fetch',
      'discard b',
      'fetch',
      'discard c',
      'damaged-table',
    ]);
  });

  it('discards nothing for other failures, or where the damaged one is unknown', async () => {
    assert.deepEqual(await opened(['cancelled', 'b']), ['fetch', 'cancelled']);
    assert.deepEqual(await opened(['not-a-file', 'b']), ['fetch', 'not-a-file']);
    assert.deepEqual(await opened(['damaged-table']), ['fetch', 'damaged-table']);
  });
});
