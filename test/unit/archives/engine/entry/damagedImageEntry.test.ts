import assert from 'node:assert/strict';
import { reasonText, sentences } from '../../../words/reasonText';
import { isCoded } from '../../../../../src/base/errors';
import { record } from '../archives';
import { cell, expectedMasks, plain, readIn } from './imageEntries';

async function failsBecause(text: string, reason: RegExp): Promise<void> {
  await assert.rejects(
    readIn(text),
    error => isCoded(error, 'damaged-archive') && reason.test(reasonText(error)),
    text.slice(0, 100),
  );
}

describe('the entry of an image that is damaged', () => {
  it('lists each malformed mask with its reason and reads the others', async () => {
    const bad: [string, Record<string, unknown>, RegExp][] = [
      ['o', record(2, [0, 0, 4, 4], [4, 4], 'o'), /cut off/],
      ['5o', record(3, [0, 0, 4, 4], [4, 4], '5o'), /cut off/],
      ['4d3', record(4, [0, 0, 2, 2], [2, 2], '4d3'), /exceed the mask's 4 pixels/],
      ['N1', record(5, [0, 0, 4, 4], [4, 4], 'N1'), /negative/],
      ['never ends', record(6, [0, 0, 4, 4], [4, 4], 'ooooooooooooo0'), /too long to be valid/],
      ['below', record(7, [0, 0, 3, 4], [4, 3], '5'), /cover 5 of 12/],
      ['0 high', record(8, [0, 0, 4, 0], [0, 4], ''), /mask size is 0/],
      ['negative', record(9, [0, 0, 4, -4], [-4, 4], '4'), /mask size is -4/],
      ['huge', record(10, [0, 0, 4, 4], [100_000, 100_000], '4'), /too large/],
      [
        'outside 48…111',
        { ...record(11, [0, 0, 4, 4], [4, 4], ''), rle: { size: [4, 4], counts: '4 ' } },
        /of the runs isn't valid/,
      ],
      ['outside the image', record(12, [38, 0, 42, 4], [4, 4], '0`0'), /beyond the image/],
      ['fits neither', record(13, [0, 0, 5, 4], [4, 4], '0`0'), /matches neither/],
      ['fraction', { ...cell(14, 0), rle: { size: [4.5, 3], counts: [12] } }, /whole numbers/],
      ['no rle', { id: 15, bbox: [0, 0, 1, 1] }, /no run-length/],
      ['no record', null as unknown as Record<string, unknown>, /isn't an object record/],
    ];
    const objects: Record<string, unknown> = { 1: cell(1, 5), 99: cell(99, 20) };
    bad.forEach(([, item], at) => {
      objects[at + 2] = item;
    });
    const text = JSON.stringify({ width: 40, height: 40, objects });
    const entry = await readIn(text);
    assert.deepEqual([...entry.objects.ids], [1, 99]);
    assert.deepEqual(
      entry.unreadable.map(({ key }) => key),
      bad.map((_, at) => String(at + 2)),
    );
    bad.forEach(([name, , reason], at) =>
      assert.match(sentences([entry.unreadable[at]?.reason ?? assert.fail()]), reason, name),
    );
    assert.deepEqual(expectedMasks(text).bad, entry.unreadable);
  });

  it('fails as a whole only when it is not an image entry', async () => {
    const good = JSON.stringify(plain);
    await failsBecause('', /ends early, after 0 bytes|isn't a JSON object/);
    await failsBecause('[]', /isn't a JSON object/);
    await failsBecause('null', /isn't a JSON object/);
    for (const end of [1, 30, 100, good.length - 1])
      await failsBecause(good.slice(0, end), /ends early, after/);
    await failsBecause(`${good}x`, /Invalid JSON at byte/);
    await failsBecause(good.replace('"id":1', '"id":01'), /Invalid JSON at byte/);
    await failsBecause(good.replace('"id":1', '"id":1,'), /Invalid JSON at byte/);
    await failsBecause('{"width":5,"height":5}', /no valid "objects" field/);
    await failsBecause('{"width":5,"height":5,"objects":null}', /no valid "objects" field/);
    await failsBecause('{"width":5,"height":"5","objects":{}}', /height isn't/);
    await failsBecause('{"width":0,"height":5,"objects":{}}', /width isn't/);
    await failsBecause('{"width":16777217,"height":5,"objects":{}}', /width isn't/);
    await failsBecause(`{"a":${'['.repeat(1e6)}`, /nested/);
    await failsBecause(
      `{"width":5,"height":5,"objects":{"1":{"derived_objects":${'['.repeat(1e5)}`,
      /nested/,
    );
  });
});
