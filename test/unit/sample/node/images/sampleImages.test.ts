import assert from 'node:assert/strict';
import { decodeRaster } from '../../../../../src/images/decodeRaster';
import { analyzeImage } from '../../../../../src/sample/node/analysis/analyzeImage';
import { pipelines } from '../../../../../src/sample/node/analysis/pipelines';
import { grayTiff, sampleImages } from '../../../../../src/sample/node/images/sampleImages';
import { Random } from '../../../../../src/sample/node/images/cells';
import { drawnImage } from './drawnImages';

const images = sampleImages();

/** Sharp cells with at least 20 pixels inside; a cell and its nucleus count once. */
const drawn: Record<string, { objects: 'bright' | 'dark'; count: number }> = {
  'nuclei.png': { objects: 'bright', count: 93 },
  'nuclei-touching.png': { objects: 'bright', count: 213 },
  'nuclei-uneven-light.png': { objects: 'bright', count: 105 },
  'nuclei-dim-16-bit.tif': { objects: 'bright', count: 46 },
  'cells-two-stains.png': { objects: 'bright', count: 54 },
  'blood-smear.png': { objects: 'dark', count: 90 },
  'beads-two-sizes.png': { objects: 'bright', count: 100 },
  'empty-field.png': { objects: 'bright', count: 0 },
};

describe('The sample images', () => {
  it('have unique names, and each is expected here', () => {
    assert.deepEqual(images.map(({ name }) => name).sort(), Object.keys(drawn).sort());
  });

  it('are the same each time', () => {
    for (const name of ['nuclei.png', 'nuclei-dim-16-bit.tif']) {
      const image = images.find(candidate => candidate.name === name);
      assert.ok(image);
      assert.deepEqual(image.bytes(), drawnImage(image.name), name);
    }
  });

  it('include gray of 8 and 16 bits and color', async () => {
    const kinds = new Set<string>();
    for (const image of images) {
      const { channels, bitsPerSample, notes } = await decodeRaster(drawnImage(image.name), image.name);
      kinds.add(`${channels}×${bitsPerSample}`);
      assert.deepEqual(notes, []);
    }
    assert.deepEqual(kinds, new Set(['1×8', '1×16', '3×8']));
  });

  for (const image of images) {
    const { name } = image;
    it(`are analyzed as they were drawn: ${name}`, async () => {
      const { objects, count } = drawn[name] ?? { objects: 'bright', count: NaN };
      const pipeline = pipelines.find(candidate => candidate.objects === objects);
      assert.ok(pipeline);
      const result = await analyzeImage(drawnImage(image.name), name, pipeline, new AbortController().signal);
      // One in a hundred may be joined or cut: cells touch.
      assert.ok(
        Math.abs(result.objects.length - count) <= count / 100,
        `${result.objects.length} objects instead of ${count}`,
      );
    });
  }

  it('include 16-bit TIFF that is read as it was written', async () => {
    const samples = Uint16Array.from([0, 1, 256, 40_000, 65_535, 7]);
    const raster = await decodeRaster(grayTiff(samples, 3, 2), 'gray.tif');
    assert.deepEqual([raster.width, raster.height, raster.bitsPerSample], [3, 2, 16]);
    assert.deepEqual(raster.samples, samples);
  });

  it('have noise of random numbers with the expected moments', () => {
    const random = new Random(3);
    const moments = (next: () => number) => {
      const values = Array.from({ length: 20_000 }, next);
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
    };
    const near = (actual: number, wanted: number, within: number) =>
      assert.ok(Math.abs(actual - wanted) < within, `${actual} instead of ${wanted}`);
    const unit = moments(() => random.unit());
    near(unit.mean, 0.5, 0.01);
    near(unit.variance, 1 / 12, 0.003);
    const normal = moments(() => random.normal());
    near(normal.mean, 0, 0.03);
    near(normal.variance, 1, 0.04);
    for (const mean of [0.5, 9, 80]) {
      const photons = moments(() => random.poisson(mean));
      near(photons.mean, mean, mean * 0.03);
      near(photons.variance, mean, mean * 0.06);
    }
  });
});
