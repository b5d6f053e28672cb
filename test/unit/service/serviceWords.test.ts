import * as assert from 'node:assert/strict';
import { excerptOf, quotable, wordsOfBody } from '../../../src/service/serviceWords';
import { withoutHanging } from '../hanging';

const key = 'ia_7Hq+/Zk29=xYw!';

describe("A service's own words", () => {
  it('give no key away, however the service writes it', () => {
    const basic = Buffer.from(`lab:${key}`).toString('base64');
    for (const written of [key, encodeURIComponent(key), basic, Buffer.from(key).toString('hex')]) {
      assert.equal(quotable(`no such key: ${written}`, [key]), 'no such key: •••');
      assert.equal(wordsOfBody(JSON.stringify({ errors: [{ detail: `key ${written}` }] }), [key]), 'key •••');
      assert.equal(excerptOf(`<p>${written}</p>`, [key]), '<p>•••</p>');
    }
  });

  it('give no link away, with a scheme or without', () => {
    for (const link of [
      'https://store.example/a/b.csv?X-Sig=abc,def;g',
      '//store.example/a/b.csv?X-Sig=abc',
      'store.example/a/b.csv?X-Sig=abc',
      'store.example:8080/a',
      '10.0.0.7:9000/bucket/b.csv',
      'www.store.example',
      'url=//store.example/a',
      '/a/b.csv?X-Amz-Signature=abc&e=1',
      'https%3A%2F%2Fstore.example%2Fa%3FX-Sig%3Dabc',
    ]) {
      assert.equal(quotable(`see ${link} for more`), 'see [link] for more', link);
    }
    assert.equal(
      excerptOf('{"id":1,"url":"https:\\/\\/store.example\\/a?s=1","n":2}', []),
      '{"id":1,"url":"[link]","n":2}',
    );
  });

  it('are left as they are where they hold neither', () => {
    for (const text of [
      'Plate 1/2: 3.5 of 4.0 images. Why?',
      'a.tif and b.tif; 5 < 7 && x = 1',
      'lab@example.org',
    ])
      assert.equal(quotable(text, [key]), text);
  });

  it('are read at once, however long a word of them is', () => {
    const length = 64 * 1024 * 1024;
    withoutHanging(() => {
      for (const text of ['a-', 'a.', '?', '&a', '://', '%2f', '//', ' '])
        quotable(text.repeat(length / text.length), [key]);
    });
  });

  it('hold no part of a key where reading ended', () => {
    for (let before = 3900; before < 4200; before++)
      for (const written of [key, encodeURIComponent(key), Buffer.from(key).toString('base64')]) {
        // A link becomes short, so that the end of what is read is shown.
        const quoted = quotable(`https://x.example/${'a'.repeat(before)} ${written} ${'b'.repeat(5000)}`, [
          key,
        ]);
        assert.ok(!quoted?.includes(written.slice(0, 5)), `${before}: ${quoted}`);
      }
  });
});
