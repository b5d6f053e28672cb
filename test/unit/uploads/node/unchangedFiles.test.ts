import * as assert from 'node:assert/strict';
import { findUnchanged } from '../../../../src/uploads/node/uploadableFiles';
import type { FilesystemItem } from '../../../../src/service/wire';
import { CodedError } from '../../../../src/base/errors';
import type { RecordedUpload } from '../../../../src/uploads/node/uploadRecords';

const file = (fileName: string, folder = '') => ({
  uri: `file:///${folder}/${fileName}`,
  fileName,
  folder,
  size: 10,
});

/** An account with given files on the service, by folder ID, two a page, and given uploads. */
class Account {
  requests = 0;
  readonly records = new Map<string, RecordedUpload>();
  readonly identities = new Map<string, string>();
  items: Record<string, FilesystemItem[]> = {};

  /** Remembers the upload of a file that has not changed since, and puts it on the service. */
  upload(one: ReturnType<typeof file>, itemId: string, destinationFolder?: string): void {
    const { uri, fileName, size } = one;
    const record = { uri, fileName, size, identity: 'as sent', uploadedAt: '2026-01-01T00:00:00Z' };
    this.records.set(uri, { itemId, record: { ...record, ...(destinationFolder && { destinationFolder }) } });
    this.identities.set(uri, 'as sent');
  }

  async find(
    files: ReturnType<typeof file>[],
    destinationFolder = '',
    signal = new AbortController().signal,
  ) {
    const found = await findUnchanged(
      {
        client: {
          listFilesystemItems: ({ folderId, startingAfter } = {}) => {
            this.requests += 1;
            const all = this.items[folderId ?? ''] ?? [];
            const start =
              startingAfter === undefined ? 0 : all.findIndex(({ id }) => id === startingAfter) + 1;
            return Promise.resolve({
              results: all.slice(start, start + 2),
              count: Math.min(2, all.length - start),
              skipped: 0,
            });
          },
        },
        uploadRecords: {
          ofFiles: uris => Promise.resolve(new Map([...this.records].filter(([uri]) => uris.has(uri)))),
        },
        open: ({ uri, size }) => ({
          facts: () => {
            const identity = this.identities.get(uri);
            if (identity === undefined) return Promise.reject(new CodedError('not-a-file', 'gone'));
            return Promise.resolve({ size, identity });
          },
        }),
      },
      files,
      destinationFolder,
      signal,
    );
    return Object.fromEntries([...found.values()].map(({ fileName, id }) => [fileName, id]));
  }
}

const item = (id: string, __t = 'File', name = id) => ({ id, __t, name });

describe('Files that are uploaded already', () => {
  let account: Account;

  beforeEach(() => {
    account = new Account();
    account.items = { '': ['1', '2', '3', '4', '5'].map(id => item(id)) };
  });

  it('are those recorded here, unchanged and still on the service', async () => {
    const [a, b, c] = [file('a'), file('b'), file('c')];
    account.upload(a, '1');
    account.upload(b, '5');
    assert.deepEqual(await account.find([a, b, c]), { a: '1', b: '5' });
  });

  it('are found without a request where nothing was uploaded from here', async () => {
    assert.deepEqual(await account.find([file('a')]), {});
    assert.equal(account.requests, 0);
  });

  it('are not those that were deleted from the service', async () => {
    account.upload(file('a'), 'gone');
    assert.deepEqual(await account.find([file('a')]), {});
  });

  it('are not those that changed, have another size, or are unreadable', async () => {
    const [changed, grown, unreadable] = [file('a'), file('b'), file('c')];
    for (const [index, one] of [changed, grown, unreadable].entries()) account.upload(one, String(index + 1));
    account.identities.set(changed.uri, 'later');
    account.identities.delete(unreadable.uri);
    assert.deepEqual(await account.find([changed, { ...grown, size: 11 }, unreadable]), {});
    assert.equal(account.requests, 0);
  });

  it('are looked for in their folder, which is found by its path', async () => {
    account.items = {
      '': [item('1'), item('2'), item('f1', 'File', 'plates'), item('f2', 'Folder', 'plates')],
      f2: [item('f3', 'Folder', 'day 1')],
      f3: [item('x'), item('y'), item('z')],
    };
    const one = file('a', 'day 1');
    account.upload(one, 'z', 'plates/day 1');
    assert.deepEqual(await account.find([one], '/plates/'), { a: 'z' });
    assert.deepEqual(await account.find([one], 'elsewhere'), {}, 'the destination is another');
  });

  it('are not found where the folder is gone', async () => {
    account.upload(file('a'), '1', 'plates');
    assert.deepEqual(await account.find([file('a')], 'plates'), {});
  });

  it('are not looked for without end', async () => {
    account.items = { '': Array.from({ length: 1000 }, (_, index) => item(`i${index}`)) };
    account.upload(file('a'), 'i999');
    assert.deepEqual(await account.find([file('a')]), {});
    assert.ok(account.requests <= 101);
  });

  it('can be canceled', async () => {
    account.upload(file('a'), '1');
    await assert.rejects(account.find([file('a')], '', AbortSignal.abort()), { code: 'cancelled' });
  });
});
