import * as assert from 'node:assert/strict';
import { sortedFiles, uploadRow } from '../../../../src/uploads/node/uploadWords';
import { uploadsTotal } from '../../../../src/uploads/node/uploadSessions';
import { CodedError } from '../../../../src/base/errors';
import type { QueuedFile, UploadQueue } from '../../../../src/uploads/node/uploadQueue';
import { plainEnglish } from '../../../../src/words/translate';

const language = { t: plainEnglish, locale: 'en' };
const file = (state: QueuedFile['state'], more: Partial<QueuedFile> = {}): QueuedFile => ({
  uri: 'file:///a.tif',
  fileName: 'a.tif',
  state,
  size: 2_000_000,
  sent: 0,
  ...more,
});

describe('A file of a running upload in a list', () => {
  const shown = (one: QueuedFile) => {
    const { description, action } = uploadRow(language, one);
    return [description, action];
  };

  it('says where it stands, and what can be done about it', () => {
    assert.deepEqual(shown(file('queued')), ['Waiting · 2 MB', 'cancel']);
    assert.deepEqual(shown(file('sending', { sent: 500_000 })), ['500 kB of 2 MB', 'cancel']);
    assert.deepEqual(shown(file('sending', { sent: 500_000, bytesPerSecond: 250_000 })), [
      '500 kB of 2 MB · 250 kB/s',
      'cancel',
    ]);
    assert.deepEqual(shown(file('done')), ['Uploaded · 2 MB', undefined]);
    assert.deepEqual(shown(file('canceled')), ['Canceled', 'retry']);
  });

  it('says why it failed', () => {
    const error = new CodedError('file-changed', '', { subject: 'a.tif' });
    const [description, action] = shown(file('failed', { error }));
    assert.match(description ?? '', /"a\.tif" changed/);
    assert.equal(action, 'retry');
  });

  it('comes first while it is sent, then where it failed', () => {
    const files = (['done', 'queued', 'failed', 'sending', 'canceled'] as const).map(state => file(state));
    assert.deepEqual(
      sortedFiles(files).map(({ state }) => state),
      ['sending', 'failed', 'queued', 'canceled', 'done'],
    );
  });
});

describe('The total of all uploads of a window', () => {
  const total = (...files: QueuedFile[]) => uploadsTotal([{ queue: { files } as unknown as UploadQueue }]);

  it('counts files and bytes; what failed is over', () => {
    assert.deepEqual(
      total(file('done'), file('sending', { sent: 1_000_000 }), file('failed'), file('queued')),
      { filesDone: 2, filesTotal: 4, percent: 62 },
    );
  });

  it('is nothing without uploads, and 0% of empty files', () => {
    assert.equal(total(), undefined);
    assert.equal(total(file('queued', { size: 0 }))?.percent, 0);
  });
});
