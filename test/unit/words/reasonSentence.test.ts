import * as assert from 'node:assert/strict';
import { reason } from '../../../src/base/reasons';
import { reasonSentence } from '../../../src/words/reasonWords';
import { plainEnglish } from '../../../src/words/translate';

describe('A reason as a sentence of its own', () => {
  it('ends with a period', () => {
    assert.equal(
      reasonSentence(plainEnglish, reason('quote-never-closed', 3)),
      'The quote opened on line 3 is never closed.',
    );
  });

  it('keeps the punctuation of quoted text', () => {
    assert.equal(reasonSentence(plainEnglish, reason('quoted', ' Out of credits! ')), 'Out of credits!');
  });
});
