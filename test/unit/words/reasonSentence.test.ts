import * as assert from 'node:assert/strict';
import { reasonForLog } from '../../../src/base/reasonForLog';
import { quoted, reason } from '../../../src/base/reasons';
import { readReason, reasonSentence, reasonWords } from '../../../src/words/reasonWords';
import { inMessage } from '../../../src/words/inertText';
import { plainEnglish, type Translate, type Message } from '../../../src/words/translate';

describe('A reason as a sentence of its own', () => {
  it('ends with a period', () => {
    assert.equal(
      reasonSentence(plainEnglish, reason('The quote opened on line {0} is never closed', 3)),
      'The quote opened on line 3 is never closed.',
    );
  });

  it('keeps the punctuation of quoted text', () => {
    assert.equal(reasonSentence(plainEnglish, quoted(' Out of credits! ')), 'Out of credits!');
  });
});

describe('A reason', () => {
  const damaged = { message: 'The values of column "{0}" are damaged', args: ['Area'] };

  it('is translated with its arguments as they are', () => {
    const why = reason('The quote opened on line {0} is never closed', '{0} $&');
    const german: Translate = (message: Message, ...args: (string | number)[]) =>
      message === why.message ? plainEnglish('Zitat ab Zeile {0}', ...args) : why.message;
    assert.equal(reasonWords(german, why), 'Zitat ab Zeile {0} $&');
    assert.equal(reasonForLog(why), 'The quote opened on line {0} $& is never closed');
  });

  it('that comes from elsewhere has the code of the list, not its own', () => {
    assert.deepEqual(
      readReason({
        ...damaged,
        code: 'This browser, or VS Code on this machine, has no API key for the account',
        more: 1,
      }),
      {
        ...damaged,
        code: 'parquet-damaged',
      },
    );
  });

  it('that comes from elsewhere is quoted where the build does not list it, and takes no arguments', () => {
    for (const message of [
      'Sign in at {0}',
      '[Sign in](command:{0})',
      'constructor',
      '__proto__',
      '{1}',
      '',
    ]) {
      const read = readReason({ message, args: ['https://example.org'], code: 'parquet-damaged' });
      assert.deepEqual(read, quoted(message));
      assert.equal(reasonWords(plainEnglish, read ?? assert.fail()), message);
    }
    const link = readReason({ message: '[Sign in](command:quit)', args: [] }) ?? assert.fail();
    assert.equal(inMessage(reasonSentence(plainEnglish, link)), '[Sign in]\u200b(command:quit).');
  });

  it('that slipped by without being read is no template either', () => {
    const unlisted = { message: 'Sign in at {0}', args: ['https://example.org'] };
    assert.equal(reasonWords(plainEnglish, unlisted), 'Sign in at {0}');
  });

  it('of a former version is quoted', () => {
    assert.deepEqual(readReason({ kind: 'no-progress', args: [24] }), quoted('no-progress, 24'));
    assert.deepEqual(readReason({ kind: 'quoted', args: ['No credits'] }), quoted('No credits'));
  });

  it('is nothing else', () => {
    for (const value of [
      null,
      'text',
      3,
      {},
      { message: 3, args: [] },
      { ...damaged, args: [{}] },
      { ...damaged, args: 'x' },
    ])
      assert.equal(readReason(value), undefined);
  });
});
