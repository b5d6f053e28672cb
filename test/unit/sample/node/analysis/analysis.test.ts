import assert from 'node:assert/strict';
import { encode } from 'fast-png';
import { isCoded } from '../../../../../src/base/errors';
import { maskFromRuns } from '../../../../../src/archives/objectMask';
import { area, decodeCounts } from '../../../../../src/archives/runLengthEncoding';
import { analyzeImage, type ImageResult } from '../../../../../src/sample/node/analysis/analyzeImage';
import { pipelines, type SamplePipeline } from '../../../../../src/sample/node/analysis/pipelines';
import { jpeg } from '../../../images/jpegFixture';
import { ndpi } from '../../../images/slides/ndpiFixture';
import { level } from '../../../images/slides/slideImages';
import { tiff } from '../../../images/tiffFixture';
import { coverage, drawn, grayPng, isInside, maskOf, noisy, pixelsOf, type Disk } from './imageFixture';

const SIDE = 240;

function pipelineFor(objects: SamplePipeline['objects'], classes = 1): SamplePipeline {
  const found = pipelines.find(
    pipeline => pipeline.objects === objects && pipeline.classes.length === classes,
  );
  assert.ok(found, `a pipeline for ${objects} objects`);
  return found;
}

const bright = pipelineFor('bright');
const dark = pipelineFor('dark');
const bySize = pipelineFor('bright', 2);
const stained = pipelineFor('hematoxylin');

function analyze(bytes: Uint8Array, pipeline = bright): Promise<ImageResult> {
  return analyzeImage(bytes, 'cells.png', pipeline, new AbortController().signal);
}

const apart: Disk[] = [
  { x: 40, y: 40, radius: 12, value: 180 },
  { x: 120.5, y: 50.5, radius: 9.3, value: 200 },
  { x: 60, y: 150, radius: 17, value: 160 },
  { x: 180, y: 170, radius: 6, value: 220 },
  { x: 200.3, y: 60.8, radius: 14.2, value: 190 },
];

function areas({ objects }: ImageResult): (number | undefined)[] {
  return objects.map(object => object.measurements['Area']).sort((a = 0, b = 0) => a - b);
}

const areasApart = apart.map(pixelsOf).sort((a, b) => a - b);

describe('The analysis of the sample service', () => {
  it('has pipelines with IDs like the service’s and a description each', () => {
    assert.ok(pipelines.length >= 3);
    assert.equal(new Set(pipelines.map(({ id }) => id)).size, pipelines.length);
    for (const { id, createdAt, description } of pipelines) {
      assert.match(id, /^[0-9a-f]{24}$/);
      assert.equal(new Date(createdAt).toISOString(), createdAt);
      assert.ok(description.length > 40);
    }
    assert.deepEqual(
      new Set(pipelines.map(({ maskShape }) => maskShape)),
      new Set(['cropped', 'full-frame']),
    );
  });

  it('finds disks that lie apart with exactly their pixels', async () => {
    const result = await analyze(grayPng(drawn(SIDE, SIDE, apart), SIDE, SIDE));
    assert.deepEqual([result.width, result.height], [SIDE, SIDE]);
    assert.deepEqual(areas(result), areasApart);
    for (const disk of apart) {
      const object = result.objects.find(({ measurements }) => measurements['Area'] === pixelsOf(disk));
      assert.ok(object);
      assert.ok(
        Math.hypot(
          (object.measurements['X Position'] ?? 0) - disk.x,
          (object.measurements['Y Position'] ?? 0) - disk.y,
        ) < 0.5,
      );
      assert.equal(object.measurements['Mean Intensity'], disk.value);
    }
  });

  it('numbers objects from 1, and their masks, boxes and measurements agree', async () => {
    const { objects } = await analyze(grayPng(drawn(SIDE, SIDE, apart), SIDE, SIDE));
    assert.deepEqual(
      objects.map(({ id }) => id),
      objects.map((_, i) => i + 1),
    );
    for (const object of objects) {
      const [x1, y1, x2, y2] = object.bbox;
      assert.deepEqual(object.rle.size, [y2 - y1, x2 - x1]);
      const mask = maskOf(object);
      assert.equal(area(mask.runs), object.measurements['Area']);
      assert.deepEqual([mask.x, mask.y, mask.x + mask.width, mask.y + mask.height], object.bbox);
      assert.equal(object.rleFullFrame, undefined);
      for (const [name, value] of Object.entries(object.measurements))
        assert.ok(Number.isFinite(value), name);
    }
  });

  it('finds dark objects, and writes their masks in the full frame, too', async () => {
    const darkDisks = apart.map(disk => ({ ...disk, value: 255 - disk.value }));
    const result = await analyze(
      grayPng(
        drawn(SIDE, SIDE, darkDisks, () => 235),
        SIDE,
        SIDE,
      ),
      dark,
    );
    assert.deepEqual(areas(result), areasApart);
    for (const object of result.objects) {
      assert.ok(object.rleFullFrame);
      assert.deepEqual(object.rleFullFrame.size, [SIDE, SIDE]);
      const runs = decodeCounts(object.rleFullFrame.counts, SIDE, SIDE);
      assert.deepEqual(maskFromRuns(runs, SIDE), maskOf(object));
    }
    const brightIn = await analyze(
      grayPng(
        drawn(SIDE, SIDE, darkDisks, () => 235),
        SIDE,
        SIDE,
      ),
      bright,
    );
    assert.notDeepEqual(areas(brightIn), areasApart, 'the other pipeline looks for the opposite');
  });

  it('separates two touching disks near the line between them', async () => {
    const pair: Disk[] = [
      { x: 100, y: 120, radius: 18, value: 200 },
      { x: 131, y: 120, radius: 16, value: 200 },
    ];
    const { objects } = await analyze(grayPng(drawn(SIDE, SIDE, pair), SIDE, SIDE));
    assert.equal(objects.length, 2);
    const covered = coverage(objects, SIDE, SIDE);
    drawn(SIDE, SIDE, pair).forEach((value, i) => assert.equal(covered[i], value === 200 ? 1 : 0));
    for (const [i, disk] of pair.entries()) {
      const object = [...objects].sort((a, b) => a.bbox[0] - b.bbox[0])[i];
      assert.ok(Math.abs((object?.measurements['X Position'] ?? 0) - disk.x) < 2);
    }
  });

  it('keeps one elongated object whole', async () => {
    const values = drawn(SIDE, SIDE, []);
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        if (((x - 120) / 50) ** 2 + ((y - 120) / 14) ** 2 <= 1) values[y * SIDE + x] = 180;
      }
    }
    assert.equal((await analyze(grayPng(values, SIDE, SIDE))).objects.length, 1);
  });

  it('is not misled by uneven light', async () => {
    // From 20 in one corner to 180 in the other: brighter without anything than the dim disk.
    const light = (x: number, y: number) => 20 + (160 * (x + y)) / (2 * SIDE);
    const values = drawn(SIDE, SIDE, [], light);
    for (const disk of apart) {
      for (let i = 0; i < values.length; i++) {
        if (isInside(disk, i % SIDE, Math.floor(i / SIDE))) values[i] = (values[i] ?? 0) + 60;
      }
    }
    const found = areas(await analyze(grayPng(values, SIDE, SIDE)));
    assert.equal(found.length, apart.length);
    found.forEach((pixels, i) => assert.ok(Math.abs((pixels ?? 0) / (areasApart[i] ?? 1) - 1) < 0.05));
  });

  it('finds objects in noise', async () => {
    const values = noisy(drawn(SIDE, SIDE, apart), 18);
    const result = await analyze(grayPng(values, SIDE, SIDE));
    const found = areas(result);
    assert.equal(found.length, apart.length);
    found.forEach((pixels, i) => assert.ok(Math.abs((pixels ?? 0) / (areasApart[i] ?? 1) - 1) < 0.12));
  });

  it('finds a single small object in a large noisy field', async () => {
    const lonely = { x: 300, y: 200, radius: 7, value: 140 };
    const values = noisy(drawn(600, 600, [lonely]), 8);
    const { objects } = await analyze(grayPng(values, 600, 600));
    assert.equal(objects.length, 1);
    assert.ok(Math.abs((objects[0]?.measurements['Area'] ?? 0) / pixelsOf(lonely) - 1) < 0.2);
  });

  it('finds dim objects beside bright ones', async () => {
    const dim = { x: 120, y: 190, radius: 12, value: 50 };
    const { objects } = await analyze(grayPng(noisy(drawn(SIDE, SIDE, [...apart, dim]), 2), SIDE, SIDE));
    assert.equal(objects.length, apart.length + 1);
  });

  it('fills a small hole and keeps a large one', async () => {
    const values = drawn(SIDE, SIDE, [
      { x: 60.5, y: 60.5, radius: 1.2, value: 20 },
      { x: 60.5, y: 60.5, radius: 16, value: 200 },
      { x: 160.5, y: 150.5, radius: 17, value: 20 },
      { x: 160.5, y: 150.5, radius: 26, value: 200 },
    ]);
    const { objects } = await analyze(grayPng(values, SIDE, SIDE));
    assert.deepEqual(
      objects.map(object => object.measurements['Area']),
      [
        pixelsOf({ x: 60.5, y: 60.5, radius: 16, value: 0 }),
        pixelsOf({ x: 160.5, y: 150.5, radius: 26, value: 0 }) -
          pixelsOf({ x: 160.5, y: 150.5, radius: 17, value: 0 }),
      ],
    );
  });

  it('never lets objects overlap', async () => {
    const crowd: Disk[] = [];
    for (let i = 0; i < 60; i++) {
      crowd.push({ x: 15 + ((i * 67) % 210), y: 15 + ((i * 41) % 210), radius: 8 + (i % 7), value: 120 + i });
    }
    const { objects } = await analyze(grayPng(noisy(drawn(SIDE, SIDE, crowd), 6), SIDE, SIDE));
    assert.ok(objects.length > 10);
    assert.ok(coverage(objects, SIDE, SIDE).every(times => times <= 1));
  });

  it('finds nothing in a blank image, an even slope, and noise alone', async () => {
    for (const values of [
      drawn(SIDE, SIDE, []),
      drawn(SIDE, SIDE, [], (x, y) => (x + y) / 3),
      drawn(SIDE, SIDE, [], (x, y) => 200 - ((x - 120) ** 2 + (y - 120) ** 2) / 200),
      noisy(
        drawn(SIDE, SIDE, [], () => 100),
        10,
      ),
      noisy(
        drawn(SIDE, SIDE, [], () => 100),
        1,
      ),
    ]) {
      for (const pipeline of pipelines) {
        const result = await analyze(grayPng(values, SIDE, SIDE), pipeline);
        assert.deepEqual(result, { width: SIDE, height: SIDE, objects: [] });
      }
    }
    for (const [width, height] of [
      [1, 1],
      [1, 50],
      [50, 1],
      [3, 2],
    ] as const) {
      const result = await analyze(grayPng(drawn(width, height, []), width, height));
      assert.deepEqual(result, { width, height, objects: [] });
    }
  });

  // Slopes and noise were objects where the light falls off steeper than the fitted background, or
  // to one corner.
  for (const [where, light] of [
    ['in one corner', (x: number, y: number) => 20 + 200 * Math.exp(-(x + y) / 90)],
    ['in a spot', (x: number, y: number) => 10 + 170 * Math.exp(-((x - 256) ** 2 + (y - 256) ** 2) / 80_000)],
  ] as const) {
    it(`finds nothing but objects in noise on a background that is bright ${where}`, async () => {
      const disks: Disk[] = [130, 200, 270, 340, 410].map(x => ({ x, y: 560 - x, radius: 10, value: 60 }));
      const scene = (shown: readonly Disk[]) => {
        const lit = drawn(512, 512, shown, () => 0).map((value, i) => value + light(i % 512, i >> 9));
        return grayPng(noisy(lit, 9), 512, 512);
      };
      assert.deepEqual((await analyze(scene([]))).objects, []);
      assert.equal((await analyze(scene(disks))).objects.length, disks.length);
    });
  }

  it('finds the nuclei in a stained section, and what absorbs as much in another stain isn’t one', async () => {
    const nuclei = drawn(SIDE, SIDE, apart, () => 0);
    const stroma = { x: 120, y: 110, radius: 26, value: 1 };
    const data = new Uint8Array(SIDE * SIDE * 3);
    nuclei.forEach((value, i) => {
      const dab = isInside(stroma, i % SIDE, Math.floor(i / SIDE)) ? 0.6 : 0.1;
      const amount = value > 0 ? 0.5 : 0.02;
      const ratios = [
        [0.65, 0.268],
        [0.704, 0.57],
        [0.286, 0.776],
      ] as const;
      data.set(
        ratios.map(([hematoxylin, brown]) => Math.round(240 * 10 ** -(amount * hematoxylin + dab * brown))),
        i * 3,
      );
    });
    const image = encode({ width: SIDE, height: SIDE, data, channels: 3, depth: 8 });
    const result = await analyze(image, stained);
    assert.deepEqual(areas(result), areasApart);
    assert.deepEqual(new Set(result.objects.map(({ className }) => className)), new Set(['Nucleus']));
    const bytes = grayPng(
      drawn(
        SIDE,
        SIDE,
        apart.map(disk => ({ ...disk, value: 40 })),
        () => 230,
      ),
      SIDE,
      SIDE,
    );
    assert.deepEqual(
      areas(await analyze(bytes, stained)),
      areasApart,
      'without colors what is dark is stained',
    );
  });

  it('classifies objects as Small and Large at the widest gap between their areas', async () => {
    const sizes = [5, 5.5, 6, 16, 17, 5.2].map((radius, i) => ({
      x: 30 + i * 36,
      y: 60 + (i % 2) * 80,
      radius,
      value: 180,
    }));
    const { objects } = await analyze(grayPng(drawn(SIDE, SIDE, sizes), SIDE, SIDE), bySize);
    for (const { className, classIndex, measurements } of objects) {
      assert.equal(className, (measurements['Area'] ?? 0) > 400 ? 'Large' : 'Small');
      assert.equal(bySize.classes[classIndex], className);
    }
    assert.equal(objects.filter(({ className }) => className === 'Large').length, 2);
    const alike = sizes.map(disk => ({ ...disk, radius: 10 }));
    const one = await analyze(grayPng(drawn(SIDE, SIDE, alike), SIDE, SIDE), bySize);
    assert.deepEqual(new Set(one.objects.map(({ className }) => className)).size, 1);
  });

  describe('when it reads an image', () => {
    const values = drawn(SIDE, SIDE, apart);

    it('accepts 16 bits with a narrow range of values', async () => {
      const scaled = values.map(value => 1000 + value * 3);
      const result = await analyze(grayPng(scaled, SIDE, SIDE, 16));
      assert.deepEqual(areas(result), areasApart);
      assert.equal(result.objects[0]?.measurements['Mean Intensity'], 1000 + 3 * 180);
    });

    it('accepts TIFF of 16 bits, of floats, and of inverted grayscale', async () => {
      const page = { width: SIDE, height: SIDE };
      const sixteen = tiff([{ ...page, samples: Uint16Array.from(values, value => value * 200) }]);
      assert.deepEqual(areas(await analyze(sixteen)), areasApart);
      const floats = Float32Array.from(values, value => value / 1e4 - 3);
      floats[0] = NaN;
      assert.deepEqual(areas(await analyze(tiff([{ ...page, samples: floats }]))), areasApart);
      const inverted = Uint8Array.from(values, value => 255 - value);
      assert.deepEqual(
        areas(await analyze(tiff([{ ...page, samples: inverted, photometric: 0 }]))),
        areasApart,
      );
    });

    it('of 1 bit, finds what is white and gives its own means', async () => {
      const bits = new Uint8Array((SIDE / 8) * SIDE);
      values.forEach((value, i) => {
        if (value > 20) bits[i >> 3] = (bits[i >> 3] ?? 0) | (0x80 >> (i & 7));
      });
      const result = await analyze(tiff([{ width: SIDE, height: SIDE, samples: bits, bits: 1 }]));
      assert.deepEqual(areas(result), areasApart);
      assert.equal(result.objects[0]?.measurements['Mean Intensity'], 1);
    });

    it('leaves NaN out of means', async () => {
      const floats = Float32Array.from(values);
      floats[40 * SIDE + 40] = NaN;
      const { objects } = await analyze(tiff([{ width: SIDE, height: SIDE, samples: floats }]));
      assert.deepEqual(
        objects.map(({ measurements }) => measurements['Mean Intensity']).sort(),
        [160, 180, 190, 200, 220],
      );
    });

    it('accepts JPEG', async () => {
      const rgba = new Uint8ClampedArray(SIDE * SIDE * 4).fill(255);
      values.forEach((value, i) => rgba.fill(value, i * 4, i * 4 + 3));
      const found = areas(await analyze(await jpeg(rgba, SIDE, SIDE)));
      assert.equal(found.length, apart.length);
      found.forEach((pixels, i) => assert.ok(Math.abs((pixels ?? 0) / (areasApart[i] ?? 1) - 1) < 0.06));
    });

    it('accepts RGB with alpha, with a mean for each channel but alpha', async () => {
      const data = new Uint8Array(SIDE * SIDE * 4);
      values.forEach((value, i) => data.set([value, value / 2, 10, 77], i * 4));
      const result = await analyze(encode({ width: SIDE, height: SIDE, data, channels: 4, depth: 8 }));
      assert.deepEqual(areas(result), areasApart);
      const measurements = result.objects[0]?.measurements ?? {};
      assert.equal(measurements['Mean Intensity Channel 1'], 180);
      assert.equal(measurements['Mean Intensity Channel 2'], 90);
      assert.equal(measurements['Mean Intensity Channel 3'], 10);
      assert.equal(measurements['Mean Intensity Channel 4'], undefined);
    });
  });

  it("reports why a file can't be read", async () => {
    await assert.rejects(
      analyze(Buffer.from('hello')),
      error =>
        isCoded(error, 'bad-request') &&
        error.details.subject === 'cells.png' &&
        error.details.reason?.message === "The file isn't a PNG, JPEG, WebP or TIFF file",
    );
  });

  it('stops when it is canceled, before it starts and while it runs', async () => {
    const bytes = grayPng(drawn(SIDE, SIDE, apart), SIDE, SIDE);
    await assert.rejects(analyzeImage(bytes, 'cells.png', bright, AbortSignal.abort()), error =>
      isCoded(error, 'cancelled'),
    );
    const controller = new AbortController();
    const running = analyzeImage(bytes, 'cells.png', bright, controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(running, error => isCoded(error, 'cancelled'));
  });
});

describe('The analysis of a slide by the sample service', () => {
  it('finds the objects of its finest level', async () => {
    const nuclei = [
      { x: 40, y: 40 },
      { x: 130, y: 60 },
      { x: 70, y: 140 },
      { x: 190, y: 150 },
    ];
    const paint = (factor: number) => (px: number, py: number) => {
      const [x, y] = [px * factor, py * factor];
      const isStained = nuclei.some(nucleus => Math.hypot(x - nucleus.x, y - nucleus.y) < 12);
      return isStained ? ([80, 60, 130] as const) : ([236, 228, 238] as const);
    };
    const { bytes } = ndpi([
      level({ width: 256, height: 192, sampling: [2, 1], restart: 8 }, { lens: 20 }, paint(1)),
      level({ width: 128, height: 96, sampling: [2, 1] }, { lens: 10, starts: 'none' }, paint(2)),
    ]);
    const { width, height, objects } = await analyzeImage(
      bytes,
      'a.ndpi',
      stained,
      new AbortController().signal,
    );
    assert.deepEqual([width, height, objects.length], [256, 192, 4]);
    for (const { measurements } of objects) {
      const [x, y] = [measurements['X Position'] ?? NaN, measurements['Y Position'] ?? NaN];
      assert.ok(
        nuclei.some(nucleus => Math.hypot(x - nucleus.x, y - nucleus.y) < 2),
        `${x}, ${y}`,
      );
    }
  });
});
