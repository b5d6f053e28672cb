import assert from 'node:assert/strict';
import { serialize } from 'node:v8';
import fc from 'fast-check';
import { toPlainError } from '../../../../src/base/errors';
import { ClassNames } from '../../../../src/archives/engine/classNames';
import { MasksKernels } from '../../../../src/archives/engine/masksKernel';
import { readImageEntry } from '../../../../src/archives/engine/readImageEntry';
import { encodeCounts, runsFromMask } from '../../../../src/archives/runLengthEncoding';
import { goldenMasks, image, record } from './archives';

const isFull = Boolean(process.env['IA_FULL']);

const kernels = new MasksKernels();

/**
 * Everything that comes of reading an entry in pieces of so many bytes: each bit of its columns,
 * its notes, or its error.
 */
async function read(bytes: Uint8Array, pieceBytes: number, used?: MasksKernels): Promise<unknown> {
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes)
      yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
  };
  const all = new ClassNames(['Cell', 'Nucleus']);
  const classes = all.recording();
  let outcome: unknown;
  try {
    const source = { open, size: bytes.length, entryId: 'entry' };
    outcome = await readImageEntry(source, classes, { kernels: used });
  } catch (error) {
    outcome = toPlainError(error);
  }
  return { outcome, classes: all.names, used: [...classes.names] };
}

async function assertSame(text: string | Uint8Array, pieceBytes: number): Promise<void> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const found = await read(bytes, pieceBytes, kernels);
  const wanted = await read(bytes, pieceBytes);
  // Bytes are compared in a fraction of the time.
  if (!serialize(found).equals(serialize(wanted))) assert.deepEqual(found, wanted, bytes.toString());
}

/** How many of its objects a kernel reads of an entry. */
async function readByKernel(text: string): Promise<number> {
  let count = 0;
  const kernel = new MasksKernels().acquire();
  assert.ok(kernel);
  const original = kernel.read.bind(kernel);
  kernel.read = (...parameters) => {
    const position = original(...parameters);
    count += kernel.objects?.count ?? 0;
    return position;
  };
  const counted = new MasksKernels();
  counted.release(kernel);
  await read(Buffer.from(text), 100_000, counted);
  return count;
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomsFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x6d2b_79f5) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

function oneOf<T>(random: Random, ...values: readonly T[]): T {
  return values[below(random, values.length)] as T;
}

/** Sides of the image of `madeEntry`. */
const WIDTH = 70_000;
const HEIGHT = 3000;

/**
 * Runs of a mask of height × width: as the service writes them, or with empty ones, or of long
 * stretches.
 */
function madeRuns(random: Random, height: number, width: number): number[] {
  const pixels = height * width;
  if (pixels <= 400) {
    const density = random();
    const mask = Array.from({ length: pixels }, () => (random() < density ? 1 : 0));
    return [...runsFromMask(mask, width, height)];
  }
  const runs: number[] = [];
  let left = pixels;
  const longest = oneOf(random, 5, height, 3 * height, pixels / 2);
  for (let n = 1 + below(random, 60); n > 0 && left > 0; n--) {
    const run = random() < 0.05 ? 0 : Math.min(left, 1 + below(random, longest));
    runs.push(run);
    left -= run;
  }
  if (left > 0) runs.push(left);
  return runs;
}

/**
 * COCO's text of runs; some with more groups than needed, or damaged: `odd` is the share of what is
 * unusual, 0…1.
 */
function madeCounts(random: Random, odd: number, runs: readonly number[]): string {
  const text = encodeCounts(runs);
  const kind = random() / odd;
  if (kind < 0.02) return `${text.slice(0, -1)}oooooo0`;
  if (kind < 0.04) return text.slice(0, below(random, text.length));
  if (kind < 0.06) return `${text}${oneOf(random, '0', '1', 'N', '~', ' ')}`;
  // A last group of zeros more says the same.
  if (kind < 0.1) return text.replace(/[0-?]/, last => `${String.fromCharCode(last.charCodeAt(0) + 32)}0`);
  return text;
}

function madeScore(random: Random, odd: number): string {
  const kind = odd * random();
  if (kind < 0.6) return String(random());
  if (kind < 0.7) return random().toFixed(below(random, 23));
  if (kind < 0.75) return `${below(random, 1e9)}${below(random, 1e9)}.${below(random, 1e4)}`;
  if (kind < 0.8) return `-${random()}`;
  return oneOf(
    random,
    '0',
    '1',
    '1.0',
    '-0',
    '1e-5',
    '0.5E2',
    '01',
    '1.',
    '.5',
    'null',
    '"0.5"',
    'true',
    '0.0',
  );
}

/** The members of a record, by name; a few are unusual. */
function madeMembers(random: Random, odd: number, key: number): Record<string, string> {
  const isWhole = random() < 0.3;
  const height = isWhole ? HEIGHT : 1 + below(random, random() < 0.8 ? 20 : HEIGHT);
  const width = isWhole ? WIDTH : 1 + below(random, random() < 0.8 ? 20 : WIDTH);
  const x = random() < 0.1 * odd ? WIDTH - width + below(random, 3) : below(random, WIDTH - width + 1);
  const y = random() < 0.1 * odd ? HEIGHT - height + below(random, 3) : below(random, HEIGHT - height + 1);
  const box = [x, y, x + width, y + height];
  if (random() < 0.1 * odd) box[below(random, 4)] = below(random, 50) - 5;
  const runs = madeRuns(random, height, width);
  const counts = madeCounts(random, odd, runs);
  const kind = random() / odd;
  let written = `"${btoa(counts)}"`;
  if (kind < 0.02) written = JSON.stringify(counts);
  else if (kind < 0.04) written = `[${runs.join()}]`;
  else if (kind < 0.05) written = written.replace(/"$/, 'A==="');
  else if (kind < 0.07) written = written.replace(/=|.(?="$)/, '');
  return {
    bbox: `[${box.join()}]`,
    id:
      random() < 1 - 0.2 * odd
        ? String(key)
        : oneOf(random, '12.0', '-1', '"7"', 'null', '9007199254740993', '5'),
    rle: `{"size":[${height},${width}],"counts":${written}}`,
    pred_class: JSON.stringify(
      random() < 1 - 0.2 * odd
        ? oneOf(random, 'Cell', 'Nucleus', 'Cells')
        : oneOf(random, '', 'Böse "Zelle"', `c${key}`, 'é'),
    ),
    model_score: madeScore(random, odd),
    derived_objects:
      random() < 1 - 0.2 * odd
        ? oneOf(random, '{}', '[]', '{}')
        : oneOf(random, '{"a":[1]}', 'null', '"x"', '3.5', '{ }', '"\\n"'),
  };
}

/** The orders in which an archive may have the members of its records. */
const ORDERS = [
  ['bbox', 'id', 'rle', 'pred_class', 'derived_objects'],
  ['bbox', 'id', 'rle', 'pred_class', 'model_score', 'derived_objects'],
  ['model_score', 'derived_objects', 'rle', 'pred_class', 'id', 'bbox'],
  ['id', 'rle', 'pred_class'],
  ['rle', 'bbox', 'pred_class'],
  ['id', 'bbox', 'pred_class', 'rle', 'id'],
];

/** The JSON of an image's entry; in some, members of records, or keys, come in any order. */
function madeEntry(seed: number, objects: number): string {
  const random = randomsFrom(seed);
  const odd = oneOf(random, 0.01, 0.1, 1);
  const isMixed = random() < 0.5 * odd;
  const order = oneOf(random, ...ORDERS);
  const [between, after, break_] = oneOf(
    random,
    [',', ':', ''],
    [',', ':', ''],
    [', ', ': ', ''],
    [',', ' : ', '\n '],
  );
  const isArray = random() < 0.05 * odd;
  const records: string[] = [];
  let key = below(random, 3);
  for (let n = 0; n < objects; n++) {
    const members = madeMembers(random, odd, key);
    const names = isMixed && random() < 0.3 ? oneOf(random, ...ORDERS) : order;
    const text = names.map(name => `${break_}"${name}"${after}${members[name]}`).join(between);
    const written =
      random() < 1 - 0.01 * odd ? String(key) : oneOf(random, '007', 'x', '', '12345678901234567', '\\u0031');
    records.push(`${break_}${isArray ? '' : `"${written}"${after}`}{${text}${break_}}`);
    key += random() < 0.995 ? 1 : below(random, 5) - 2;
  }
  const list = records.join(between);
  const head = `"filename":"a.tif","id":"a","height":${HEIGHT},"width":${WIDTH}`;
  const body = isArray ? `"objects":[${list}]` : `"objects":{${list}}`;
  return random() < 0.95 ? `{${head},${body}}` : `{${body},${head}}`;
}

const seed = fc.integer();
const pieces = fc.constantFrom(50, 777, 4096, 9001, 65_536, 1 << 20);

describe('the kernel that reads object records', function () {
  it('makes the same columns as JavaScript of entries of all kinds, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(seed, fc.integer({ min: 1, max: 120 }), pieces, (number, objects, pieceBytes) =>
        assertSame(madeEntry(number, objects), pieceBytes),
      ),
      { numRuns: isFull ? 5000 : 150 },
    );
  });

  it('makes the same of damaged entries, errors too', async () => {
    const bytes = Buffer.from('"\\{}[],:-.0179eE A=/+\n\t\0\xff');
    await fc.assert(
      fc.asyncProperty(seed, fc.integer({ min: 2, max: 40 }), pieces, (number, objects, pieceBytes) => {
        const random = randomsFrom(number + 1);
        const damaged = [...Buffer.from(madeEntry(number, objects))];
        for (let change = 0; change < 1 + random() * 4; change++) {
          const put = bytes[below(random, bytes.length)] ?? 0;
          damaged.splice(
            below(random, damaged.length),
            below(random, 3),
            ...(random() < 0.8 ? [put] : [put, put]),
          );
        }
        if (random() < 0.2) damaged.length = below(random, damaged.length);
        return assertSame(Uint8Array.from(damaged), pieceBytes);
      }),
      { numRuns: isFull ? 10_000 : 300 },
    );
  });

  interface MadeMask {
    height: number;
    width: number;
    /** Base64. */
    counts: string;
    score: string;
  }

  /**
   * Records of masks in an image of 40 × 40, the first of which fills it, so that there is a
   * template from there on.
   */
  function entryOf(masks: readonly MadeMask[]): string {
    const first = { height: 40, width: 40, counts: btoa(encodeCounts([0, 1600])), score: '0.5' };
    const records = [first, ...masks].map(({ height, width, counts, score }, at) => {
      const rest = `"rle":{"size":[${height},${width}],"counts":"${counts}"},"pred_class":"Cell","model_score":${score}`;
      return `"${at}":{"bbox":[0,0,${width},${height}],"id":${at},${rest}}`;
    });
    return `{"width":40,"height":40,"objects":{${records.join()}}}`;
  }

  it('makes the same of any text of a mask', async () => {
    const side = fc.integer({ min: 1, max: 40 });
    const any = fc
      .array(fc.integer({ min: 48, max: 111 }), { minLength: 1, maxLength: 12 })
      .map(codes => String.fromCharCode(...codes));
    const ending = fc.constantFrom('', '', '', '=', 'A', 'A===', 'AA==', 'A\\n', ' ');
    const mask = fc.tuple(side, side, fc.option(any), ending).map(([height, width, counts, end]) => ({
      ...{ height, width, score: '0.5' },
      counts: `${btoa(counts ?? encodeCounts([0, height * width]))}${end}`,
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(mask, { maxLength: 30 }), masks => assertSame(entryOf(masks), 1 << 20)),
      { numRuns: isFull ? 10_000 : 200 },
    );
  });

  it('reads every score to the same double', async () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 19n }), fc.nat(24))
      .map(([digits, decimals]) => {
        const text = digits.toString().padStart(decimals + 1, '0');
        return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
      });
    // Every other one lies halfway between two doubles.
    const halfway = fc
      .tuple(fc.bigInt({ min: 2n ** 52n, max: 2n ** 54n }), fc.constantFrom('', '.5', '.50'))
      .map(parts => parts.join(''));
    const short = fc.double({ min: -1, max: 1, noNaN: true }).map(String);
    const mask = { height: 2, width: 2, counts: btoa(encodeCounts([0, 4])) };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(decimal, halfway, short), { minLength: 20, maxLength: 40 }),
        scores => assertSame(entryOf(scores.map(score => ({ ...mask, score }))), 1 << 20),
      ),
      { numRuns: isFull ? 10_000 : 200 },
    );
  });

  it('makes the same of the golden masks, cropped and full-frame', async () => {
    for (const { name, size, cropped, counts, bbox } of goldenMasks) {
      const [height, width] = size;
      const records = [1, 2, 3].map(id => record(id, bbox, size, counts));
      records.push(...[4, 5, 6].map(id => record(id, bbox, cropped.size, cropped.counts)));
      await assertSame(JSON.stringify({ ...image('a', width, height, records), name }), 1 << 20);
    }
  });

  it('makes the same of a record that is longer than its memory', async () => {
    const counts = btoa(encodeCounts(Array.from({ length: 1_200_000 }, () => 1)));
    const long = { id: 3, bbox: [0, 0, 1200, 1000], rle: { size: [1000, 1200], counts }, pred_class: 'Cell' };
    const short = [1, 2, 4, 5, 6].map(id => ({
      ...long,
      id,
      bbox: [0, 0, 2, 3],
      rle: { size: [3, 2], counts: btoa('06') },
    }));
    const objects = Object.fromEntries([...short, long].map(item => [item.id, item]));
    for (const pieceBytes of [65_536, 1 << 24])
      await assertSame(JSON.stringify({ width: 1200, height: 1000, objects }), pieceBytes);
  });

  it('reads records as the service writes them itself, with scores and many classes', async () => {
    const objects = Array.from({ length: 3000 }, (_, at) => {
      const [x, y] = [(7 * at) % 900, (11 * at) % 900];
      return {
        bbox: [x, y, x + 3, y + 4],
        id: at + 1,
        rle: { size: at % 2 === 0 ? [4, 3] : [1000, 1000], counts: '' },
        pred_class: `Class ${at % 40}`,
        model_score: ((at * 7919) % 10_007) / 10_007,
        derived_objects: {},
      };
    });
    for (const { rle, bbox } of objects) {
      const [x = 0, y = 0] = bbox;
      const mask = rle.size[0] === 4 ? [0, 12] : [x * 1000 + y, 4, 996, 4, 996, 4];
      const rest = 1_000_000 - mask.reduce((sum, run) => sum + run, 0);
      rle.counts = btoa(encodeCounts(rle.size[0] === 4 ? mask : [...mask, rest]));
    }
    const text = JSON.stringify(image('a', 1000, 1000, objects));
    await assertSame(text, 100_000);
    // All but the first of each class.
    assert.ok((await readByKernel(text)) >= 2900);
    assert.ok((await readByKernel(text.replaceAll('":', '": ').replaceAll(',"', ', "'))) >= 2900);
  });

  it('goes on reading most records where a few are written in another way', async () => {
    const records = Array.from({ length: 3000 }, (_, at) => {
      const usual = `"rle":{"size":[2,2],"counts":"${btoa(encodeCounts([0, 4]))}"},"pred_class":"Cell"`;
      const score = at % 10 === 5 ? '' : ',"model_score":0.5';
      return `"${at}":{"bbox":[0,0,2,2],"id":${at},${usual}${score}}`;
    });
    const text = `{"width":40,"height":40,"objects":{${records.join()}}}`;
    await assertSame(text, 100_000);
    assert.ok((await readByKernel(text)) >= 2600);
  });

  it('goes on after a record that is longer than its memory', async () => {
    const counts = btoa(encodeCounts(Array.from({ length: 600_000 }, () => 1)));
    const long = `"0":{"bbox":[0,0,1000,600],"id":0,"rle":{"size":[600,1000],"counts":"${counts}"},"pred_class":"Cell"}`;
    const short = Array.from({ length: 60_000 }, (_, at) => {
      const rle = `{"size":[2,2],"counts":"${btoa(encodeCounts([0, 4]))}"}`;
      return `"${at + 1}":{"bbox":[0,0,2,2],"id":${at + 1},"rle":${rle},"pred_class":"Cell"}`;
    });
    const text = `{"width":1000,"height":600,"objects":{${[long, ...short].join()}}}`;
    assert.ok((await readByKernel(text)) >= 40_000);
  });

  it('is used by one image at a time, and again by the next', () => {
    const own = new MasksKernels();
    const first = own.acquire();
    const second = own.acquire();
    assert.ok(first && second);
    assert.notEqual(first, second);
    own.release(first);
    assert.equal(own.acquire(), first);
  });

  it('is left out where WebAssembly is missing or does not start', () => {
    const place = globalThis as { WebAssembly?: unknown };
    const { WebAssembly: known } = place;
    class Failing {
      constructor() {
        throw new Error('no operations on 16 bytes');
      }
    }
    try {
      for (const other of [undefined, { Module: Failing, Instance: Failing }]) {
        place.WebAssembly = other;
        assert.equal(new MasksKernels().acquire(), undefined);
      }
    } finally {
      place.WebAssembly = known;
    }
    assert.ok(new MasksKernels().acquire());
  });
});
