import * as assert from 'node:assert/strict';
import { secretMask } from '../../../../src/base/secretMask';
import { maskSecrets } from '../../../../src/app/log/maskSecrets';

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
