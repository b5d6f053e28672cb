import * as assert from 'node:assert/strict';
import { pagePolicy } from '../../../../src/pages/editor/pagePolicy';

describe('The policy of a page', () => {
  const directives = new Map(
    pagePolicy('https://pages.example', 'n0nce')
      .split('; ')
      .map(directive => directive.split(/ (.*)/, 2) as [string, string]),
  );

  it('allows no form, no other base of its addresses, and nothing that it does not name', () => {
    for (const directive of ['default-src', 'base-uri', 'form-action'])
      assert.equal(directives.get(directive), `'none'`);
  });

  it('allows the one script that has the nonce', () => {
    assert.equal(directives.get('script-src'), `'nonce-n0nce'`);
  });
});
