import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inDetail, inLabel, inMessage, inTooltip, nameInSentence } from '../../../src/words/inertText';

/** What notifications and input boxes make a link of (src/vs/base/common/linkedText.ts). */
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/i;
/** What VS Code makes an icon of, even escaped (src/vs/base/browser/ui/iconLabel/iconLabels.ts). */
const ICON = /\$\([a-z0-9-~]+\)/i;
/** What Markdown makes a link of. Angle brackets are escaped by VS Code. */
const MARKDOWN_LINK = /\]\(|:\/\/|www\.|@\w/i;
const CONTROLS = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const oneLiners = { inMessage, inLabel, inDetail };

describe('A text of others', () => {
  it('is no link and no icon where it is shown, whatever it holds', () => {
    const pieces = [
      '[',
      ']',
      '(',
      ')',
      '$',
      '$(',
      '](',
      'command:',
      'https://',
      'file:',
      'zap',
      '~spin',
      '\\',
      ' ',
    ];
    const others = ['\n', '\u200b', '\u202e', '\u2066', '\u0000', '\ud83d', '"', 'x', 'www.', '@', '😀'];
    const texts = fc.array(fc.constantFrom(...pieces, ...others), { maxLength: 14 }).map(all => all.join(''));
    fc.assert(
      fc.property(fc.oneof({ weight: 9, arbitrary: texts }, fc.string({ unit: 'binary' })), text => {
        for (const show of Object.values(oneLiners)) {
          const shown = show(text);
          for (const hostile of [LINK, ICON, CONTROLS]) assert.doesNotMatch(shown, hostile, show.name);
        }
        assert.doesNotMatch(inDetail(text), MARKDOWN_LINK);
        assert.doesNotMatch(inTooltip([text, text]), LINK);
      }),
      { numRuns: process.env['IA_FULL'] ? 20_000 : 4000 },
    );
  });

  it('reads as it was written', () => {
    const text = 'see [this](command:workbench.action.quit) $(zap) at https://example.org, été 😀 नमस्ते';
    for (const show of Object.values(oneLiners)) assert.equal(show(text).replaceAll('\u200b', ''), text);
    assert.equal(
      inMessage('Uploaded plate 1 (2).png [raw] for $5.'),
      'Uploaded plate 1 (2).png [raw] for $5.',
    );
  });

  it('shows what turns the direction of a text, and other controls, as a mark', () => {
    assert.equal(inLabel('cells\u202egnp.exe'), 'cells\ufffdgnp.exe');
    assert.equal(inLabel('a\u0007b\u001bc\ud800'), 'a\ufffdb\ufffdc\ufffd');
    assert.equal(inLabel('a\u200eb\u00adc\ufeffd'), 'abcd');
    assert.equal(inLabel('a\r\nb\tc\u2028d'), 'a b c d');
  });

  it('is cut to the length of its place, never within a character', () => {
    for (const [show, max] of [
      [inMessage, 800],
      [inLabel, 200],
      [inDetail, 400],
    ] as const) {
      assert.equal(show('x'.repeat(10_000)), `${'x'.repeat(max - 1)}…`);
      assert.doesNotMatch(show(`x${'😀'.repeat(10_000)}`), CONTROLS);
      assert.doesNotMatch(show('😀'.repeat(10_000)), CONTROLS);
      assert.equal(show('y'.repeat(max)), 'y'.repeat(max));
    }
  });

  it('leaves out the middle of a long name in a sentence', () => {
    const name = nameInSentence(`${'plate'.repeat(100)}_t0001.tif`);
    assert.match(name, /^plate.+….+_t0001\.tif$/);
    assert.equal(name.length, 120);
    assert.doesNotMatch(nameInSentence('😀'.repeat(500)), CONTROLS);
    assert.equal(nameInSentence('plate.tif'), 'plate.tif');
  });

  it('keeps the lines of a tooltip, but not any number of them', () => {
    assert.equal(inTooltip(['a\nb', 'c']), 'a\nb\nc');
    assert.equal(inTooltip(Array.from({ length: 500 }, () => 'line')).split('\n').length, 40);
  });
});
