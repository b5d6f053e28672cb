// npm run bench -- exports [--json] [--rounds N]: 90,000 objects to each format; no other program
// writes them all, so formats are compared.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportFormatNames, type ExportFormat } from '../../src/export/engine/exportFormats';
import { exportMasks } from '../../src/export/engine/exportMasks';
import { openMasks } from '../../src/archives/engine/openMasks';
import type { Masks } from '../../src/archives/engine/masks';
import { parseArgs } from 'node:util';
import { writeFixture, type FixtureImage } from './masks/archiveFixtures';
import { describeMachine } from './measured/machine';
import { printResult } from './measured/report';
import { compareRounds, costOf, MIN_ROUNDS, type Cost } from './measured/rounds';

/** 90,000 objects in two images, since a label PNG has at most 65,535 objects. */
const IMAGES = Array.from({ length: 2 }, (): FixtureImage => ({
  side: 8192,
  objects: 45_000,
  smallest: 8,
  shape: 'cropped',
}));
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: String(MIN_ROUNDS) },
  },
});

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

const folder = await mkdtemp(join(tmpdir(), 'bench-exports-'));
try {
  const path = join(folder, 'masks.zip');
  await writeFixture(path, IMAGES);
  const masks = await openMasks(path);
  const machine = await describeMachine();
  const all = new Map<ExportFormat, Measured[]>(exportFormatNames.map(format => [format, []]));
  // In turns, so that all formats meet the same neighbors; the best counts.
  for (let round = 0; round < Number(values.rounds); round++)
    for (const format of round % 2 === 0 ? exportFormatNames : exportFormatNames.toReversed())
      all.get(format)?.push(await measure(masks, format, folder));
  masks.dispose();
  const of = (format: ExportFormat) => all.get(format) ?? [];
  const time = (format: ExportFormat) => Math.min(...of(format).map(({ wallMs }) => wallMs));
  for (const format of exportFormatNames)
    console.log(
      `${format}: ${time(format).toFixed(0)} ms, ${((of(format)[0]?.bytes ?? NaN) / 1e6).toFixed(1)} MB, ${(time(format) / time('geojson')).toFixed(2)} × GeoJSON`,
    );
  const against = (format: ExportFormat, other: ExportFormat) =>
    compareRounds(
      of(format).map((ours, round) => ({
        ours,
        peer: of(other)[round] ?? { wallMs: NaN, cpuMs: NaN },
      })),
    );
  console.log(`Peak memory of the process: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
  const result = {
    roiRatioToGeojson: time('imagej-roi') / time('geojson'),
    geojsonRatioToCoco: time('geojson') / time('coco'),
  };
  printResult(result, {
    machine,
    measured: {
      ...Object.fromEntries(
        exportFormatNames
          .filter(format => format !== 'geojson')
          .map(format => [`${format} to geojson`, against(format, 'geojson')]),
      ),
      'geojson to coco': against('geojson', 'coco'),
    },
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
