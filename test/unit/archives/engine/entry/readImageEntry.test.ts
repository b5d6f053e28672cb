import assert from 'node:assert/strict';
import { reason } from '../../../../../src/base/reasons';
import { isCoded } from '../../../../../src/base/errors';
import { ClassNames } from '../../../../../src/archives/engine/classNames';
import { maskOf } from '../../../../../src/archives/engine/imageObjects';
import { readImageEntry } from '../../../../../src/archives/engine/readImageEntry';
import { goldenMasks, image, record } from '../archives';
import { cell, contents, plain, readIn } from './imageEntries';
import { slowMask } from './slowDecoder';

describe('the entry of an image', () => {
  for (const shape of ['cropped', 'full-frame'] as const)
    it(`has every golden mask bit for bit, ${shape}`, async () => {
      for (const mask of goldenMasks) {
        const [height, width] = mask.size;
        const isCropped = shape === 'cropped';
        const size = isCropped ? mask.cropped.size : mask.size;
        const counts = isCropped ? mask.cropped.counts : mask.counts;
        const entry = await readIn(
          JSON.stringify(image('a', width, height, [record(1, mask.bbox, size, counts)])),
        );
        assert.equal(entry.objects.count, 1, mask.name);
        const [x1, y1, x2, y2] = mask.bbox;
        assert.deepEqual([...entry.objects.boxes], [x1, y1, x2, y2], mask.name);
        assert.equal(entry.objects.areas[0], mask.area, mask.name);
        const pixels = new Uint8Array(width * height);
        const { x, y, height: rows, runs } = maskOf(entry.objects, 0);
        let at = 0;
        runs.forEach((run, i) => {
          for (let n = 0; n < run; n++, at++)
            if (i % 2 === 1) pixels[(x + Math.floor(at / rows)) * height + y + (at % rows)] = 1;
        });
        assert.deepEqual(pixels, slowMask(mask.counts, height, width), mask.name);
      }
    });

  it('reads the same in chunks of any length, with any white space', async () => {
    const whole = contents(await readIn(JSON.stringify(plain)));
    assert.equal(whole.objects.length, 4);
    assert.deepEqual(
      whole.objects.map(({ className }) => className),
      ['Cell', 'Böse "Zelle" 😀', 'Cell', ''],
    );
    assert.deepEqual(
      whole.objects.map(({ score }) => score),
      [NaN, NaN, 0.25, 0.5],
    );
    assert.equal(whole.withoutClass, 1);
    for (const length of [1, 2, 3, 7, 50, 333])
      assert.deepEqual(contents(await readIn(JSON.stringify(plain), length)), whole);
    for (const indent of [' ', '\t', '\r\n  ']) {
      const spaced = `\ufeff\n${JSON.stringify(plain, null, '#').replaceAll('#', indent)} \r\n`;
      assert.deepEqual(contents(await readIn(spaced)), whole);
      assert.deepEqual(contents(await readIn(spaced, 5)), whole);
    }
  });

  it('reads the same when every character of its strings is escaped', async () => {
    const whole = contents(await readIn(JSON.stringify(plain)));
    const escaped = JSON.stringify(plain).replace(/"((?:[^"\\]|\\.)*)"/g, (text: string) => {
      const characters = [...(JSON.parse(text) as string)].flatMap(character => character.split(''));
      return `"${characters.map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;
    });
    assert.deepEqual(contents(await readIn(escaped)), whole);
    assert.deepEqual(contents(await readIn(JSON.stringify(plain).replaceAll('/', '\\/'))), whole);
  });

  it('accepts members in any order, also objects before the size', async () => {
    const whole = contents(await readIn(JSON.stringify(plain)));
    const names = Object.keys(plain);
    for (let turn = 0; turn < names.length; turn++) {
      const turned = [...names.slice(turn), ...names.slice(0, turn)];
      for (const order of [turned, [...turned].reverse()]) {
        const text = JSON.stringify(Object.fromEntries(order.map(name => [name, plain[name]])));
        assert.deepEqual(contents(await readIn(text, 64)), whole, order.join());
      }
    }
  });

  it('uses the last of two members with one name, as JSON.parse does', async () => {
    const objects = (...cells: Record<string, unknown>[]) =>
      JSON.stringify(Object.fromEntries(cells.map(item => [String(item['id']), item])));
    const text = `{"width":5,"height":5,"objects":${objects(cell(1, 0), cell(2, 1))},"id":"a","width":90,"id":"b","objects":${objects(
      cell(7, 30),
    )},"height":50}`;
    const { id, size, objects: found } = contents(await readIn(text));
    assert.deepEqual(
      { id, size, ids: found.map(object => object.id) },
      { id: 'b', size: [90, 50], ids: [7] },
    );
  });

  it('uses the last of two objects with one key, and lists the other', async () => {
    const one = JSON.stringify(cell(1, 0));
    const other = JSON.stringify(cell(1, 20));
    for (const text of [
      `{"width":50,"height":50,"objects":{"1":${one},"2":${one},"1":${other}}}`,
      `{"width":50,"height":50,"objects":{"2":${one},"1":${one},"1":${other}}}`,
    ]) {
      const { objects, unreadable } = contents(await readIn(text));
      assert.deepEqual(
        objects.map(({ id, mask }) => [id, mask.x]),
        [
          [1, 0],
          [1, 20],
        ],
      );
      assert.deepEqual(unreadable, [{ key: '1', reason: reason('A later object has the same key') }]);
    }
  });

  it('accepts keys in any order and form', async () => {
    const records = ['9', '10', '2', 'zelle', '01', '\\u0031', ''].map(
      key => `"${key}":${JSON.stringify(cell(1, 3))}`,
    );
    const { objects, unreadable, idsOtherThanKeys } = await readIn(
      `{"width":50,"height":50,"objects":{${records.join()}}}`,
    );
    assert.equal(objects.count, 7);
    assert.deepEqual(unreadable, []);
    assert.equal(idsOtherThanKeys, 6);
  });

  it('accepts an array of objects, also an empty one', async () => {
    const list = { width: 50, height: 50, objects: [cell(0, 1), cell(1, 9)] };
    assert.equal((await readIn(JSON.stringify(list))).objects.count, 2);
    assert.equal((await readIn('{"width":5,"height":5,"objects":[]}')).objects.count, 0);
    assert.equal((await readIn('{"objects":{},"width":5,"height":5}')).objects.count, 0);
    assert.deepEqual(contents(await readIn('{"objects":{},"width":5,"height":5}')).id, 'entry');
  });

  it('skips unknown members of any length', async () => {
    const filler = Array.from({ length: 30_000 }, (_, at) => ({ at, text: `}],"objects":{${at}` }));
    const long = { extra: filler, ...plain, more: 'x'.repeat(700_000) };
    const whole = contents(await readIn(JSON.stringify(plain)));
    assert.deepEqual(contents(await readIn(JSON.stringify(long), 10_000)), whole);
  });

  it('reads a record far longer than the chunks it arrives in', async () => {
    const side = 3000;
    const runs: number[] = [];
    for (let at = 0; at < (side * side) / 4; at++) runs.push(2, 2);
    const entry = await readIn(
      JSON.stringify(image('a', side, side, [{ ...cell(1, 0), rle: { size: [side, side], counts: runs } }])),
      65_536,
    );
    assert.equal(entry.objects.areas[0], (side * side) / 2);
  });

  it('stops when it is canceled', async () => {
    const open = async function* () {
      yield await Promise.resolve(Buffer.from('{'));
    };
    await assert.rejects(
      readImageEntry({ open, size: 100, entryId: 'a' }, new ClassNames(), { signal: AbortSignal.abort() }),
      error => isCoded(error, 'cancelled'),
    );
  });
});
