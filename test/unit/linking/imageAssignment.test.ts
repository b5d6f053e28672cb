import assert from 'node:assert/strict';
import fc from 'fast-check';
import { assignImages, type NamedObjects, type NamedRows } from '../../../src/linking/imageAssignment';
import { ObjectList, Rounding } from '../../../src/linking/objectEvidence';

type SameNamed = Parameters<typeof assignImages>[0];

const tools: Parameters<typeof assignImages>[1] = {
  positions: () => Promise.resolve(undefined),
  pause: () => Promise.resolve(),
};

/** Objects with the IDs 1, 2 and so on and these areas. */
function list(...areas: number[]): ObjectList {
  return ObjectList.of(Uint32Array.from(areas.keys()), {
    ids: Float64Array.from(areas.keys(), at => at + 1),
    areas: Float64Array.from(areas),
  });
}

const unknown = (count: number) => list(...Array.from({ length: count }, () => NaN));
const rows = (of: ObjectList, size?: NamedRows['size']): NamedRows => ({ rows: of, ...(size && { size }) });
const image = (objects: ObjectList, size?: NamedObjects['size']): NamedObjects => ({
  objects,
  isDamaged: false,
  ...(size && { size }),
});

function group(parts: Pick<SameNamed, 'texts' | 'images'> & Partial<SameNamed>): SameNamed {
  const areas = parts.texts.flatMap(({ rows: of }) => [...(of?.areas ?? [])]);
  return {
    isNameAllowed: () => true,
    areItemsKnown: false,
    isMissing: false,
    areas: Rounding.of(Float64Array.from(areas)),
    others: parts.texts.flatMap(({ rows: of }, text) => (of ? [{ rows: of, text }] : [])),
    ...parts,
  };
}

describe('which image a text means', () => {
  it('is not told by a size, which is suggested', async () => {
    const parts = {
      texts: [rows(list(5, 5, 5), { width: 30, height: 20 })],
      images: [image(list(5, 5, 5, 5), { width: 30, height: 20 })],
      areItemsKnown: true,
    };
    const { certain: told, suggested } = await assignImages(group(parts), tools);
    assert.deepEqual([told, suggested], [[], [{ text: 0, image: 0 }]]);
  });

  it('is not told by what is left over, which is suggested', async () => {
    const areas = Array.from({ length: 12 }, (_, at) => 20 + ((at * 37) % 101) * 5);
    const { certain: told, suggested } = await assignImages(
      group({
        texts: [rows(list(...areas)), rows(unknown(12))],
        images: [image(list(...areas)), image(list(...areas.toReversed()))],
      }),
      tools,
    );
    assert.deepEqual(told, [{ text: 0, image: 0, by: 'areas', objects: 12 }]);
    assert.deepEqual(suggested, [{ text: 1, image: 1 }]);
  });

  it('does not depend on the order of texts and images, and is one to one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(1, 2, 3, 4, NaN), { maxLength: 5 }), { maxLength: 6 }),
        fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 5 }), { maxLength: 6 }),
        fc.boolean(),
        fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
        async (ofTexts, ofImages, areItemsKnown, keys) => {
          const texts = ofTexts.map((areas): NamedRows => (areas.length === 0 ? {} : rows(list(...areas))));
          const images = ofImages.map(areas => image(list(...areas)));
          const orderOf = (count: number, from: number) => {
            const byKey = Array.from({ length: count }, (_, at) => ({ at, key: keys[from + at] ?? 0 }));
            return byKey.sort((a, b) => a.key - b.key).map(({ at }) => at);
          };
          const [textOrder, imageOrder] = [orderOf(texts.length, 0), orderOf(images.length, 6)];
          const plain = await assignImages(group({ texts, images, areItemsKnown }), tools);
          const mixed = await assignImages(
            group({
              texts: textOrder.map(at => texts[at] ?? {}),
              images: imageOrder.flatMap(at => images[at] ?? []),
              areItemsKnown,
            }),
            tools,
          );
          const words = (pairs: readonly { text: number; image: number; by?: string }[]) =>
            pairs.map(({ text, image: of, by }) => `${text} ${of} ${by}`).sort();
          const back = <T extends { text: number; image: number }>(pair: T): T => ({
            ...pair,
            text: textOrder[pair.text] ?? -1,
            image: imageOrder[pair.image] ?? -1,
          });
          assert.deepEqual(words(mixed.certain.map(back)), words(plain.certain));
          assert.deepEqual(words(mixed.suggested.map(back)), words(plain.suggested));
          const all = [...plain.certain, ...plain.suggested];
          assert.equal(new Set(all.map(({ text }) => text)).size, all.length);
          assert.equal(new Set(all.map(({ image: of }) => of)).size, all.length);
        },
      ),
    ));
});
