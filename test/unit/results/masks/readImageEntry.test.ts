import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isCoded } from '../../../../src/base/errors';
import { encodeBase64 } from '../../../../src/formats/base64';
import { readObjectMask } from '../../../../src/formats/objectMask';
import { encodeCounts } from '../../../../src/formats/runLengthEncoding';
import { ClassNames } from '../../../../src/results/masks/classNames';
import { maskOf } from '../../../../src/results/masks/imageObjects';
import { readImageEntry } from '../../../../src/results/masks/readImageEntry';
import { goldenMasks, image, record, rectangle } from './archives';
import { slowMask } from './slowDecoder';

function readIn(text: string, pieceLength = Infinity) {
  const bytes = Buffer.from(text);
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += pieceLength)
      yield await Promise.resolve(bytes.subarray(at, at + pieceLength));
  };
  const classes = new ClassNames(['Cell']);
  return readImageEntry(open, bytes.length, 'entry', classes).then(entry => ({ ...entry, classes }));
}

type Entry = Awaited<ReturnType<typeof readIn>>;

/** The pixels of each object, and what else is known of it, for comparison. */
function contents({ objects, classes, unreadable, idsOtherThanKeys, withoutClass, id, filename }: Entry) {
  return {
    id,
    filename,
    size: [objects.width, objects.height],
    unreadable,
    idsOtherThanKeys,
    withoutClass,
    objects: Array.from({ length: objects.count }, (_, object) => ({
      id: objects.ids[object],
      className: classes.names[objects.classes[object] ?? 0],
      score: objects.scores[object],
      area: objects.areas[object],
      mask: maskOf(objects, object),
    })),
  };
}

/** What the entry means by JSON.parse and the slow way. */
function expected(text: string) {
  const parsed = JSON.parse(text) as { width: number; height: number; objects: Record<string, unknown> };
  const good: { key: string; mask: unknown }[] = [];
  const bad: { key: string; reason: string }[] = [];
  for (const [key, value] of Object.entries(parsed.objects)) {
    try {
      good.push({ key, mask: readObjectMask(value, parsed.width, parsed.height) });
    } catch (error) {
      assert.ok(isCoded(error));
      bad.push({ key, reason: error.details.reason ?? '' });
    }
  }
  return { good, bad };
}

async function failsBecause(text: string, reason: RegExp): Promise<void> {
  await assert.rejects(
    readIn(text),
    error => isCoded(error, 'damaged-archive') && reason.test(error.details.reason ?? ''),
    text.slice(0, 100),
  );
}

describe('the entry of an image', () => {
  for (const shape of ['cropped', 'full-frame'] as const)
    it(`gives every golden mask bit for bit, ${shape}`, async () => {
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

  const cell = (id: number, x: number) => rectangle(id, x, 2, x + 3, 6);
  const plain = image('img', 40, 30, [
    record(1, [2, 3, 5, 6], [3, 3], '09', 'Cell'),
    record(2, [7, 3, 9, 6], [3, 2], '2120', 'Böse "Zelle" 😀'),
    { ...cell(12, 11), model_score: 0.25 },
    {
      ...record(13, [2, 3, 5, 6], [3, 3], '09', ''),
      model_score: 5e-1,
      extra: [{ deep: [1, [2, '}']] }, null, true],
    },
  ]);

  it('reads the same in pieces of any length, with any white space', async () => {
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

  it('takes members in any order, also objects before the size', async () => {
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

  it('takes the last of two members of a name, as every reader of JSON does', async () => {
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

  it('takes the last of two objects under one key, and lists the other', async () => {
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
      assert.deepEqual(unreadable, [{ key: '1', reason: 'another object further on has the same key' }]);
    }
  });

  it('takes keys in any order and of any form', async () => {
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

  it('takes a list of objects too, and none', async () => {
    const list = { width: 50, height: 50, objects: [cell(0, 1), cell(1, 9)] };
    assert.equal((await readIn(JSON.stringify(list))).objects.count, 2);
    assert.equal((await readIn('{"width":5,"height":5,"objects":[]}')).objects.count, 0);
    assert.equal((await readIn('{"objects":{},"width":5,"height":5}')).objects.count, 0);
    assert.deepEqual(contents(await readIn('{"objects":{},"width":5,"height":5}')).id, 'entry');
  });

  it('lists each malformed mask with its reason and reads the others', async () => {
    const bad: [string, Record<string, unknown>, RegExp][] = [
      ['o', record(2, [0, 0, 4, 4], [4, 4], 'o'), /cut off/],
      ['5o', record(3, [0, 0, 4, 4], [4, 4], '5o'), /cut off/],
      ['4d3', record(4, [0, 0, 2, 2], [2, 2], '4d3'), /past its 4 pixels/],
      ['N1', record(5, [0, 0, 4, 4], [4, 4], 'N1'), /negative/],
      ['never ends', record(6, [0, 0, 4, 4], [4, 4], 'ooooooooooooo0'), /does not end/],
      ['below', record(7, [0, 0, 3, 4], [4, 3], '5'), /sum to 5 of 12/],
      ['0 high', record(8, [0, 0, 4, 0], [0, 4], ''), /its size is 0/],
      ['negative', record(9, [0, 0, 4, -4], [-4, 4], '4'), /its size is -4/],
      ['huge', record(10, [0, 0, 4, 4], [100_000, 100_000], '4'), /too large/],
      [
        'outside 48…111',
        { ...record(11, [0, 0, 4, 4], [4, 4], ''), rle: { size: [4, 4], counts: '4 ' } },
        /not of the encoding/,
      ],
      ['outside the image', record(12, [38, 0, 42, 4], [4, 4], '0`0'), /outside its image/],
      ['fits neither', record(13, [0, 0, 5, 4], [4, 4], '0`0'), /fits neither/],
      ['fraction', { ...cell(14, 0), rle: { size: [4.5, 3], counts: [12] } }, /whole numbers/],
      ['no rle', { id: 15, bbox: [0, 0, 1, 1] }, /no run-length/],
      ['no record', null as unknown as Record<string, unknown>, /not an object record/],
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
    bad.forEach(([name, , reason], at) => assert.match(entry.unreadable[at]?.reason ?? '', reason, name));
    assert.deepEqual(expected(text).bad, entry.unreadable);
  });

  it('fails as a whole only when it makes no sense', async () => {
    const good = JSON.stringify(plain);
    await failsBecause('', /ends in the middle|not a JSON object/);
    await failsBecause('[]', /not a JSON object/);
    await failsBecause('null', /not a JSON object/);
    for (const end of [1, 30, 100, good.length - 1])
      await failsBecause(good.slice(0, end), /ends in the middle/);
    await failsBecause(`${good}x`, /not JSON at byte/);
    await failsBecause(good.replace('"id":1', '"id":01'), /not JSON at byte/);
    await failsBecause(good.replace('"id":1', '"id":1,'), /not JSON at byte/);
    await failsBecause('{"width":5,"height":5}', /no map of objects/);
    await failsBecause('{"width":5,"height":5,"objects":null}', /no map of objects/);
    await failsBecause('{"width":5,"height":"5","objects":{}}', /height is not/);
    await failsBecause('{"width":0,"height":5,"objects":{}}', /width is not/);
    await failsBecause('{"width":16777217,"height":5,"objects":{}}', /width is not/);
    await failsBecause(`{"a":${'['.repeat(1e6)}`, /nested/);
    await failsBecause(
      `{"width":5,"height":5,"objects":{"1":{"derived_objects":${'['.repeat(1e5)}`,
      /nested/,
    );
  });

  it('skips what it does not know, however long', async () => {
    const filler = Array.from({ length: 30_000 }, (_, at) => ({ at, text: `}],"objects":{${at}` }));
    const long = { extra: filler, ...plain, more: 'x'.repeat(700_000) };
    const whole = contents(await readIn(JSON.stringify(plain)));
    assert.deepEqual(contents(await readIn(JSON.stringify(long), 10_000)), whole);
  });

  it('reads a record far longer than the pieces it comes in', async () => {
    const side = 3000;
    const runs: number[] = [];
    for (let at = 0; at < (side * side) / 4; at++) runs.push(2, 2);
    const entry = await readIn(
      JSON.stringify(image('a', side, side, [{ ...cell(1, 0), rle: { size: [side, side], counts: runs } }])),
      65_536,
    );
    assert.equal(entry.objects.areas[0], (side * side) / 2);
  });

  it('agrees with parsing it as a whole, whatever the records hold', async () => {
    const odd = fc.oneof(fc.json({ maxDepth: 2 }), fc.integer({ min: -5, max: 50 }).map(String));
    const size = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }));
    const good = size.chain(([height, width]) =>
      fc
        .record({
          x: fc.integer({ min: 0, max: 18 }),
          y: fc.integer({ min: 0, max: 18 }),
          first: fc.nat(height * width),
        })
        .map(({ x, y, first }) =>
          JSON.stringify({
            ...rectangle(0, x, y, x + width, y + height),
            rle: { size: [height, width], counts: [first, height * width - first] },
          }),
        ),
    );
    const fields = fc.constantFrom('bbox', 'id', 'rle', 'pred_class', 'model_score', 'derived_objects');
    const changed = fc
      .tuple(good, fc.array(fc.tuple(fields, odd), { maxLength: 2 }))
      .map(([text, changes]) =>
        changes.reduce((json, [field, value]) => `${json.slice(0, -1)},"${field}":${value}}`, text),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(good, changed, odd), { maxLength: 8 }),
        fc.integer({ min: 1, max: 400 }),
        async (records, length) => {
          const objects = records.map((text, at) => `"${at}":${text}`).join();
          const text = `{"width":20,"height":20,"objects":{${objects}}}`;
          const { good: masks, bad } = expected(text);
          const entry = await readIn(text, length);
          assert.deepEqual(entry.unreadable, bad);
          assert.deepEqual(
            Array.from({ length: entry.objects.count }, (_, object) => maskOf(entry.objects, object)),
            masks.map(({ mask }) => mask),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  describe('written record by record', () => {
    const corner = fc.integer({ min: 0, max: 15 });
    const usual = fc
      .record({
        x: corner,
        y: corner,
        height: fc.integer({ min: 1, max: 5 }),
        width: fc.integer({ min: 1, max: 5 }),
        first: fc.nat(25),
        id: fc.integer({ min: 0, max: 300 }),
        className: fc.constantFrom('Cell', 'Nucleus', ''),
        score: fc.constantFrom(0.25, 0.95, -1e-3, 1),
        extra: fc.constantFrom('{}', '{"a":[1,"}"]}', 'null', '"\\u0041"'),
      })
      .map(({ x, y, height, width, first, id, className, score, extra }) => {
        const zeros = Math.min(first, height * width);
        const counts = encodeBase64(encodeCounts([zeros, height * width - zeros]));
        return {
          bbox: `"bbox":[${[x, y, x + width, y + height].join()}]`,
          id: `"id":${id}`,
          rle: `"rle":{"size":[${height},${width}],"counts":"${counts}"}`,
          half: `"rle":{"size":[${height},${width}]}`,
          pred_class: `"pred_class":"${className}"`,
          model_score: `"model_score":${score}`,
          derived_objects: `"derived_objects":${extra}`,
        };
      });
    const written = (members: readonly string[]) => (record: Record<string, string>) =>
      `{${members.map(member => record[member] ?? '').join()}}`;
    const plain = usual.map(written(['bbox', 'id', 'rle', 'pred_class', 'derived_objects']));
    const scored = usual.map(written(['model_score', 'rle', 'pred_class', 'bbox', 'derived_objects', 'id']));
    const twice = usual.map(written(['id', 'bbox', 'rle', 'pred_class', 'rle', 'id']));
    const halved = usual.map(written(['bbox', 'rle', 'pred_class', 'half', 'id']));
    const bare = usual.map(written(['rle', 'pred_class', 'id']));
    const spaced = plain.map(text => text.replaceAll(':', ' : '));

    /** Objects and unreadable ones as JSON.parse finds them, or undefined when it finds no JSON. */
    function parsed(text: string) {
      try {
        const { objects } = JSON.parse(text) as { objects: Record<string, Record<string, unknown>> };
        const { good, bad } = expected(text);
        const found = good.map(({ key, mask }) => {
          const { id, pred_class: name, model_score: score } = objects[key] ?? {};
          return {
            id: typeof id === 'number' ? id : Number(key),
            className: typeof name === 'string' ? name : '',
            score: typeof score === 'number' ? score : NaN,
            mask,
          };
        });
        return { objects: found, unreadable: bad };
      } catch (error) {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      }
    }

    async function agrees(records: readonly string[], length: number): Promise<void> {
      const objects = records.map((text, at) => `"${at}":${text}`).join();
      const text = `{"width":20,"height":20,"objects":{${objects}}}`;
      const wanted = parsed(text);
      if (!wanted) {
        await assert.rejects(readIn(text, length), error => isCoded(error, 'damaged-archive'), text);
        return;
      }
      const { objects: found, unreadable } = contents(await readIn(text, length));
      const actual = found.map(({ id, className, score, mask }) => ({ id, className, score, mask }));
      assert.deepEqual({ objects: actual, unreadable }, wanted, text);
    }

    it('agrees with parsing it as a whole when records follow each other in any form', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(plain, plain, plain, scored, twice, halved, bare, spaced), { maxLength: 40 }),
          fc.integer({ min: 1, max: 3000 }),
          agrees,
        ),
        { numRuns: 150 },
      );
    });

    it('agrees with parsing it as a whole when any byte of a record is another', async () => {
      const bytes = fc.constantFrom(...'"\\{}[],:-.0179eE A=/\n\t');
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.array(plain, { minLength: 2, maxLength: 6 }), fc.array(scored, { minLength: 2 })),
          fc.nat(),
          fc.nat(),
          bytes,
          fc.integer({ min: 50, max: 3000 }),
          async (records, which, place, byte, length) => {
            const at = 1 + (which % (records.length - 1));
            const record = records[at] ?? '';
            const changed = place % record.length;
            const other = `${record.slice(0, changed)}${byte}${record.slice(changed + 1)}`;
            await agrees(records.with(at, other), length);
          },
        ),
        { numRuns: 1500 },
      );
    });
  });

  it('stops when cancelled', async () => {
    const open = async function* () {
      yield await Promise.resolve(Buffer.from('{'));
    };
    await assert.rejects(readImageEntry(open, 100, 'a', new ClassNames(), AbortSignal.abort()), error =>
      isCoded(error, 'cancelled'),
    );
  });
});
