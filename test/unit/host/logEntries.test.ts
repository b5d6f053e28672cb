import * as assert from 'node:assert/strict';
import { secretMask } from '../../../src/base/secretMask';
import { LogEntries, maskSecrets } from '../../../src/host/logEntries';

describe('A line of the log', () => {
  it('shows no key, however it is written', () => {
    const key = 'a+b/c"d=';
    for (const form of [key, encodeURIComponent(key), JSON.stringify({ key })]) {
      const line = maskSecrets(`before ${form} after`, [secretMask(key)]);
      assert.doesNotMatch(line, /b\/c|b%2Fc|c\\?"d/);
      assert.match(line, /^before .*•••.* after$/);
    }
  });

  it('shows where a link leads, never its signature', () => {
    assert.equal(
      maskSecrets('GET https://store.example/a/b.csv?X-Sig=s3cret&e=1, then <HTTP://h/p#tok=s3cret>', []),
      'GET https://store.example/a/b.csv?••• then <HTTP://h/p?•••>',
    );
  });

  it('shows no signature of a link without a scheme either', () => {
    assert.equal(
      maskSecrets(
        'at //store.example/a.csv?sig=s3cret or "store.example/a.csv?X-Sig=s3cret#x" or /a/b?token=s3cret',
        [],
      ),
      'at //store.example/a.csv?••• or "store.example/a.csv?•••" or /a/b?•••',
    );
  });

  it('is left alone without secrets', () => {
    assert.equal(maskSecrets('What? A file: /a/b#1', [secretMask('unused')]), 'What? A file: /a/b#1');
  });
});

describe('An entry of the log', () => {
  const key = 'k1-Secret-0123456789';
  const entry = (message: string, error?: unknown) => new LogEntries().entry(message, error);

  it('is one line, whatever a service or a page says', () => {
    const said =
      'odd\r\n2026-11-24 03:00:00 [error] forged\u2028\u001b[2J\u001b]0;title\u0007\u009b31m\u202e\ttab';
    assert.equal(
      entry(said),
      'odd\\r\\n2026-11-24 03:00:00 [error] forged\\u2028\\u001b[2J\\u001b]0;title\\u0007\\u009b31m\\u202e\\ttab',
    );
  });

  it('has the stack of an error below, indented, and no line of its own for what the error says', () => {
    const error = new RangeError('bad\n2026 [info] forged\n    at forged (a.js:1:1)');
    const lines = entry('Listing failed', error).split('\n');
    assert.equal(lines[0], 'Listing failed');
    assert.equal(lines[1], '  RangeError: bad\\n2026 [info] forged\\n    at forged (a.js:1:1)');
    assert.ok(lines.length > 2);
    for (const line of lines.slice(2)) assert.match(line, /^ {4}at .*:\d+/);
    assert.ok(!lines.slice(2).some(line => line.includes('forged')));
  });

  it('has an error that was changed, or is none, on one line too', () => {
    const changed = new Error('first');
    assert.ok(changed.stack);
    changed.message = 'second\nline';
    assert.equal(entry('a', changed).split('\n').length, 2);
    const around: { self?: unknown } = {};
    around.self = around;
    assert.equal(entry('a', around), 'a\n  [object Object]');
    assert.equal(entry('a', { code: 'x\n' }), 'a\n  {"code":"x\\n"}');
  });

  it('has at most 8 KB in a line, of whole characters', () => {
    for (const long of ['x'.repeat(50_000), '\u{1f52c}'.repeat(5000), '\u0000'.repeat(8000)]) {
      const lines = entry(long, new Error(long)).split('\n');
      for (const line of lines)
        assert.ok(Buffer.byteLength(line) <= 8 * 1024 + 4, `${Buffer.byteLength(line)}`);
      assert.match(lines[0] ?? '', /^[^\ufffd]*…$/);
    }
  });

  it('has no part of a key that stands where reading ends', () => {
    for (let before = 32_768 - key.length; before < 32_768; before++) {
      const text = `${key.repeat(1600).slice(0, before - (before % key.length))}${'-'.repeat(before % key.length)}${key.repeat(3)}`;
      const line = new LogEntries([key]).entry(text);
      assert.ok(!line.includes('k1-S'), line.slice(-40));
    }
  });
});
