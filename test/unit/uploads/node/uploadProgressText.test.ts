import { equal } from 'node:assert/strict';
import { uploadPercent, uploadProgressText } from '../../../../src/uploads/node/uploadWords';
import type { UploadProgress } from '../../../../src/uploads/node/fileUpload';
import { plainEnglish } from '../../../../src/words/translate';

const progress = (more: Partial<UploadProgress> = {}): UploadProgress => ({
  file: 'a.tif',
  filesDone: 0,
  filesTotal: 1,
  bytesSent: 500_000,
  bytesTotal: 2_000_000,
  ...more,
});
const text = (more?: Partial<UploadProgress>) =>
  uploadProgressText({ t: plainEnglish, locale: 'en' }, progress(more));

describe('The progress of an upload', () => {
  it('names the bytes', () => {
    equal(text(), '500 kB of 2 MB');
  });

  it('names the files where there are several, and speed and time left once they are known', () => {
    equal(
      text({ filesDone: 1, filesTotal: 3, bytesPerSecond: 1e6, secondsLeft: 90 }),
      '1 of 3 files · 500 kB of 2 MB · 1 MB/s · 2 min left',
    );
  });

  it('is a percentage, also of nothing', () => {
    equal(uploadPercent(progress()), 25);
    equal(uploadPercent(progress({ bytesSent: 0, bytesTotal: 0 })), 0);
  });
});
