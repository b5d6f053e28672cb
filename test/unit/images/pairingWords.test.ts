import * as assert from 'node:assert/strict';
import { pairingWords } from '../../../src/images/backgroundImagePairing';
import { plainEnglish } from '../../../src/words/translate';

describe('The words about a background image', () => {
  const language = { t: plainEnglish, locale: 'en', describe: (error: unknown) => `Error: ${String(error)}` };

  it('ask whether a suggested file is the right one', () => {
    assert.deepEqual(pairingWords(language, { state: 'suggested', path: 'a.tif' }), {
      state: 'suggested',
      how: 'Same name and size. Use this file?',
      path: 'a.tif',
    });
  });

  it('distinguish a name that many files have from one that no file has', () => {
    const many = pairingWords(language, { state: 'missing', sameName: 2 });
    const none = pairingWords(language, { state: 'missing', sameName: 0 });
    assert.equal(many.how, '2 files in the workspace have this name. Select the right one.');
    assert.equal(none.how, 'No file in the workspace has this name.');
  });

  it('name both sizes where they differ, in the numbers of the locale', () => {
    const found = pairingWords(language, {
      state: 'other-size',
      path: 'a.tif',
      backgroundImage: { width: 2048, height: 100 },
      masks: { width: 1024, height: 50 },
      offers: [],
    });
    assert.equal(found.state, 'unreadable');
    assert.equal(
      found.how,
      "The background image is 2,048 × 100 px, but the masks are 1,024 × 50 px. It isn't shown.",
    );
  });

  it('say that an image is turned by its EXIF orientation where the masks are of the turned one', () => {
    const found = pairingWords(language, {
      state: 'other-size',
      path: 'a.jpg',
      backgroundImage: { width: 4000, height: 3000 },
      masks: { width: 3000, height: 4000 },
      orientation: 6,
      offers: [],
    });
    assert.match(found.how, /turned as its EXIF orientation says/);
  });

  it('say why a file could not be read', () => {
    const found = pairingWords(language, { state: 'unreadable', path: 'a.tif', error: 'no' });
    assert.equal(found.how, 'Error: no');
  });
});
