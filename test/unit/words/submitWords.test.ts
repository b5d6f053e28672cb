import { equal } from 'node:assert/strict';
import { analyzeTitle, confirmSubmitWords, generateMasksWords } from '../../../src/words/submitWords';
import { plainEnglish } from '../../../src/words/translate';

describe('The words before a submit', () => {
  it('say what is analyzed', () => {
    const title = (names: string[], count: number, folder?: string, hasFolders = false) =>
      analyzeTitle(plainEnglish, {
        names,
        count,
        hasFolders,
        ...(folder !== undefined && { folders: [folder] }),
      });
    equal(title(['coins.png'], 1), 'Analyze coins.png');
    equal(title(['a.png'], 9, 'mine'), 'Analyze mine (9 images)');
    equal(title(['a.png'], 3), 'Analyze 3 images');
    equal(title(['plates'], 2, 'mine', true), 'Analyze 2 items');
    equal(title([], 1), 'Analyze 1 item');
  });

  it('say what is confirmed, of how many images, and what it costs', () => {
    const confirm = (count: number, more: { hasFolders?: boolean; masks?: boolean; isFree?: boolean } = {}) =>
      confirmSubmitWords(plainEnglish, { count, hasFolders: false, masks: false, isFree: false, ...more });
    equal(confirm(1), 'Analyze 1 image, without masks. This uses credits.');
    equal(confirm(9), 'Analyze 9 images, without masks. This uses credits.');
    equal(
      confirm(1, { masks: true, isFree: true }),
      'Analyze 1 image and generate its masks. The sample service uses no credits.',
    );
    equal(confirm(9, { masks: true }), 'Analyze 9 images and generate their masks. This uses credits.');
    equal(confirm(2, { hasFolders: true }), 'Analyze 2 items, without masks. This uses credits.');
    equal(
      confirm(2, { hasFolders: true, masks: true }),
      'Analyze 2 items and generate their masks. This uses credits.',
    );
  });

  it("say how many files are uploaded already and aren't sent again", () => {
    const confirm = (count: number, uploaded: number) =>
      confirmSubmitWords(plainEnglish, {
        count,
        hasFolders: false,
        masks: false,
        isFree: false,
        uploaded,
      }).split('credits. ')[1];
    equal(confirm(1, 1), "It is already uploaded and hasn't changed, so it isn't sent again.");
    equal(confirm(3, 1), "1 of them is already uploaded and hasn't changed, so it isn't sent again.");
    equal(confirm(3, 2), "2 of them are already uploaded and haven't changed, so they aren't sent again.");
    equal(confirm(3, 3), "All are already uploaded and haven't changed, so they aren't sent again.");
  });

  it('ask before masks are generated', () => {
    const ask = (images: number | undefined, isFree = false) =>
      generateMasksWords(plainEnglish, { name: 'mine', images, isFree });
    equal(ask(undefined).question, 'Generate the masks of "mine"?');
    equal(ask(1).question, 'Generate the masks of "mine" (1 image)?');
    equal(ask(9).question, 'Generate the masks of "mine" (9 images)?');
    equal(ask(9).detail, 'The service generates masks only on request. This uses credits.');
    equal(
      ask(9, true).detail,
      'The service generates masks only on request. The sample service uses no credits.',
    );
  });
});
