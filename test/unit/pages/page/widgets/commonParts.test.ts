import { deepEqual, equal, ok } from 'node:assert/strict';
import fc from 'fast-check';
import { CommonParts } from '../../../../../src/pages/page/widgets/commonParts';

const within = (max: number) => (text: string) => text.length <= max;
const cuts = (texts: readonly string[], max: number, keep?: 'start' | 'end') => {
  const parts = CommonParts.of(texts);
  return texts.map(text => parts.cut(text, within(max), keep));
};

describe('a text that is cut', () => {
  it('loses its end where the texts differ in their folders', () =>
    deepEqual(cuts(['control/coins_1.png', 'treated/coins_1.png'], 12), ['control/coi…', 'treated/coi…']));

  it('loses its beginning where the texts differ in their names', () => {
    const folder = 'Plate 3/Well B1/';
    deepEqual(cuts([`${folder}img_007.tif`, `${folder}img_012.tif`], 14), [
      '…1/img_007.tif',
      '…1/img_012.tif',
    ]);
  });

  it('loses what is between where the texts differ at both ends', () =>
    deepEqual(cuts(['control/image_1.png', 'treated/image_1.png', 'control/image_23.png'], 16), [
      'control/im…1.png',
      'treated/im…1.png',
      'control/i…23.png',
    ]));

  it('loses several of the parts that all have, the longest first', () =>
    deepEqual(cuts(['Screening plate 3/control/coins_1.png', 'Screening plate 3/treated/coins_1.png'], 12), [
      '…control/co…',
      '…treated/co…',
    ]));

  it('keeps its start, or its end, where the texts have nothing in common or too little', () => {
    deepEqual(cuts(['mitotic', 'interphase'], 5), ['mito…', 'inte…']);
    deepEqual(cuts(['mitotic', 'interphase'], 5, 'end'), ['…otic', '…hase']);
    deepEqual(cuts(['control/image.png', 'treated/image.png'], 4), ['con…', 'tre…']);
    deepEqual(cuts(['the only text'], 6), ['the o…']);
  });

  it('is cut in the same way while texts are added that have the same in common', () => {
    const parts = CommonParts.of(['control/img_1.png']);
    equal(parts.isKnown, false);
    equal(parts.add('treated/img_1.png'), true);
    equal(parts.isKnown, true);
    for (const text of ['', 'washed/img_1.png', 'control/img_1.png']) equal(parts.add(text), false);
    equal(parts.add('control/img_2.png'), true);
    equal(parts.add('treated/img_3.png'), false);
  });

  it('has all of its parts, fits, and tells texts apart wherever their differences fit', () =>
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom('a', 'bc', 'def', '/', '_', '1', '23', ' '), { maxLength: 9 }), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.integer({ min: 1, max: 20 }),
        (lists, max) => {
          const texts = lists.map(list => list.join(''));
          const parts = CommonParts.of(texts);
          for (const text of texts) {
            const of = parts.partsOf(text);
            equal(of.map(part => part.text).join(''), text);
            const cut = parts.cut(text, within(max));
            ok(cut.length <= max && (cut === text || cut.includes('…')));
          }
        },
      ),
    ));
});
