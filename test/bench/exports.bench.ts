// npm run bench -- exports [--json] [--rounds N]: 90,000 objects to each format; no other program
// writes them all, so formats are compared.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exportFormatNames, type ExportFormat } from '../../src/export/engine/exportFormats';
import { exportMasks } from '../../src/export/engine/exportMasks';
import { openMasks } from '../../src/archives/engine/openMasks';
import type { Masks } from '../../src/archives/engine/masks';
import { writeFixture, type FixtureImage } from './masks/archiveFixtures';
import { benchmark } from './measured/benchmark';
import { costOf, CostsByName, inOrderOf, MIN_ROUNDS, type Cost } from './measured/rounds';

/** 90,000 objects in two images, since a label PNG has at most 65,535 objects. */
const IMAGES = Array.from({ length: 2 }, (): FixtureImage => ({
  side: 8192,
  objects: 45_000,
  smallest: 8,
  shape: 'cropped',
}));

interface Measured extends Cost {
  bytes: number;
}

async function measure(masks: Masks, format: ExportFormat, folder: string): Promise<Measured> {
  const destination = await mkdtemp(join(folder, `${format}-`));
  const { wallMs, cpuMs, value } = await costOf(() =>
    exportMasks(masks, { format, destination, name: 'bench' }),
  );
  const { files, objects } = value;
  const readable = masks.summary.images.reduce((sum, { objectCount }) => sum + objectCount, 0);
  if (objects !== readable) throw new Error(`${format} has ${objects} of ${readable} objects`);
  let bytes = 0;
  for (const { path } of files) bytes += (await stat(path)).size;
  await rm(destination, { recursive: true });
  return { wallMs, cpuMs, bytes };
}

await benchmark('exports', { rounds: MIN_ROUNDS }, async ({ rounds }, folder) => {
  const path = join(folder, 'masks.zip');
  await writeFixture(path, IMAGES);
  const masks = await openMasks(path);
  const costs = new CostsByName();
  const bytes = new Map<ExportFormat, number>();
  for (let round = 0; round < rounds; round++)
    for (const format of inOrderOf(round, exportFormatNames)) {
      const exported = await measure(masks, format, folder);
      costs.note(format, exported);
      bytes.set(format, exported.bytes);
    }
  masks.dispose();
  // The best counts.
  const time = (format: ExportFormat) => costs.wallMs(format).min;
  for (const format of exportFormatNames)
    console.log(
      `${format}: ${time(format).toFixed(0)} ms, ${((bytes.get(format) ?? NaN) / 1e6).toFixed(1)} MB, ${(time(format) / time('geojson')).toFixed(2)} × GeoJSON`,
    );
  console.log(`Peak memory of the process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
  const others = exportFormatNames.filter(format => format !== 'geojson');
  return {
    roiRatioToGeojson: time('imagej-roi') / time('geojson'),
    geojsonRatioToCoco: time('geojson') / time('coco'),
    measured: {
      ...Object.fromEntries(others.map(format => [`${format} to geojson`, costs.compare(format, 'geojson')])),
      'geojson to coco': costs.compare('geojson', 'coco'),
    },
  };
});
