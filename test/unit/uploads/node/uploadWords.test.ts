import * as assert from 'node:assert/strict';
import {
  failureText,
  nameOf,
  refusedText,
  unchangedText,
  unfinishedText,
} from '../../../../src/uploads/node/uploadWords';
import { CodedError, canceledError } from '../../../../src/base/errors';
import { plainEnglish } from '../../../../src/words/translate';

const uploaded = [{ uri: 'file:///z.tif', id: '1', fileName: 'z.tif' }];
const tooLarge = (name: string) => ({
  uri: `file:///${encodeURIComponent(name)}`,
  error: new CodedError('file-too-large', '', { subject: name }),
});
const canceled = (name: string) => ({ uri: `file:///${name}`, error: canceledError() });

describe('What a person reads of an upload that failed', () => {
  it('is nothing where nothing failed', () => {
    assert.equal(failureText(plainEnglish, { uploaded, failed: [] }), '');
    assert.equal(refusedText(plainEnglish, [], 3), '');
  });

  it('names a single file and says why', () => {
    assert.match(
      failureText(plainEnglish, { uploaded, failed: [tooLarge('a b.tif')] }),
      /^Couldn't upload a b\.tif\. .*larger than 2 GB/,
    );
  });

  it('counts several, and explains one that was not just canceled', () => {
    assert.match(
      failureText(plainEnglish, { uploaded, failed: [canceled('a'), tooLarge('b')] }),
      /^Couldn't upload 2 of 3 files\. .*"b".*larger than 2 GB/,
    );
  });

  it('is no failure where all was canceled', () => {
    assert.equal(
      failureText(plainEnglish, { uploaded, failed: [canceled('a'), canceled('b')] }),
      'Upload canceled. Uploaded 1 files; 2 not uploaded.',
    );
  });

  it('comes before anything is uploaded for what is refused', () => {
    assert.match(
      refusedText(plainEnglish, [tooLarge('a.tif')], 1),
      /^a\.tif can't be analyzed\. .*larger than 2 GB/,
    );
    assert.match(
      refusedText(plainEnglish, [tooLarge('a.tif'), tooLarge('b.tif')], 12),
      /^2 of 12 files can't be analyzed\./,
    );
  });

  it('has the name as it is written, also where the URI is damaged', () => {
    assert.equal(nameOf('file:///c%20d/a%20b.tif'), 'a b.tif');
    assert.equal(nameOf('file:///100%.tif'), '100%.tif');
  });
});

describe('What a person reads of files that a closed window left', () => {
  const text = (fileCount: number, mayBeSent: number) =>
    unfinishedText(plainEnglish, { fileName: 'a.tif', fileCount, mayBeSent });

  it('counts them', () => {
    assert.equal(text(1, 0), "a.tif wasn't uploaded because its window closed.");
    assert.equal(text(12, 0), "12 files weren't uploaded because their window closed.");
  });

  it('says which may be on the service already', () => {
    assert.match(text(1, 1), /^a\.tif was being uploaded .* may already be on the service/);
    assert.match(text(12, 1), /1 of them was being sent and may already be on the service/);
    assert.match(text(12, 3), /3 of them were being sent and may already be on the service/);
  });
});

describe('What a person reads of files that are uploaded already', () => {
  it('counts them among those selected', () => {
    const files = [{ fileName: 'a.tif' }, { fileName: 'b.tif' }];
    assert.equal(
      unchangedText(plainEnglish, files, 12),
      "2 of 12 files are already uploaded and haven't changed.",
    );
    assert.equal(
      unchangedText(plainEnglish, files, 2),
      "All 2 files are already uploaded and haven't changed.",
    );
    assert.equal(
      unchangedText(plainEnglish, files.slice(1), 1),
      "b.tif is already uploaded and hasn't changed.",
    );
  });
});
