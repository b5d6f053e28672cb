// npm run bench -- exports [--json]: 90,000 objects to each format; no other program writes them all, so formats are compared.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportFormatNames, type ExportFormat } from '../../src/export/engine/exportFormats';
import { exportMasks } from '../../src/export/engine/exportMasks';
import { openMasks } from '../../src/archives/engine/openMasks';
import type { Masks } from '../../src/archives/engine/masks';
import { writeFixture, type FixtureImage } from './masks/archiveFixtures';

/** 90,000 objects in two images, since a label PNG has at most 65,535 objects. */
const IMAGES = Array.from({ length: 2 }, (): FixtureImage => ({
  side: 8192,
  objects: 45_000,
  smallest: 8,
  shape: 'cropped',
}));
const ROUNDS = 3;

interface Measured {
  milliseconds: number;
  bytes: number;
}

async function measure(masks: Masks, format: ExportFormat, folder: string): Promise<Measured> {
  const destination = await mkdtemp(join(folder, `${format}-`));
  const start = performance.now();
  const { files, objects } = await exportMasks(masks, { format, destination, name: 'bench' });
  const milliseconds = performance.now() - start;
  const readable = masks.summary.images.reduce((sum, { objectCount }) => sum + objectCount, 0);
  if (objects !== readable) throw new Error(`${format} has ${objects} of ${readable} objects`);
  let bytes = 0;
  for (const { path } of files) bytes += (await stat(path)).size;
  await rm(destination, { recursive: true });
  return { milliseconds, bytes };
}

const folder = await mkdtemp(join(tmpdir(), 'bench-exports-'));
try {
  const path = join(folder, 'masks.zip');
  await writeFixture(path, IMAGES);
  const masks = await openMasks(path);
  const best = new Map<ExportFormat, Measured>();
  // In turns, so that all formats meet the same neighbors; the best counts.
  for (let round = 0; round < ROUNDS; round++) {
    for (const format of exportFormatNames) {
      const now = await measure(masks, format, folder);
      if (now.milliseconds < (best.get(format)?.milliseconds ?? Infinity)) best.set(format, now);
    }
  }
  masks.dispose();
  const time = (format: ExportFormat) => best.get(format)?.milliseconds ?? NaN;
  for (const [format, { milliseconds, bytes }] of best)
    console.log(
      `${format}: ${milliseconds.toFixed(0)} ms, ${(bytes / 1e6).toFixed(1)} MB, ${(milliseconds / time('geojson')).toFixed(2)} × GeoJSON`,
    );
  console.log(`Peak memory of the process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
  const result = {
    roiRatioToGeojson: time('imagej-roi') / time('geojson'),
    geojsonRatioToCoco: time('geojson') / time('coco'),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(result);
} finally {
  await rm(folder, { recursive: true, force: true });
}
