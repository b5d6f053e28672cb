// npm run bench -- masks [--json]: masks archives against a decoder of full frames, and against unzip.
import { build } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMasks } from '../../src/results/masks/openMasks';
import { writeFixture, type FixtureImage } from './masks/archiveFixtures';
import { decodeFullFrame } from './masks/fullFrameDecoder';
import { recolour } from './masks/recolour';
import { inflateAll, labelImagePainter, paintAll, readJson } from './masks/work';

const CELLS: FixtureImage = { side: 2048, objects: 5000, smallest: 6, shape: 'full-frame' };
const SLIDE: FixtureImage = { side: 20_000, objects: 50_000, smallest: 8, shape: 'cropped' };
const RUN = Array.from({ length: 200 }, (): FixtureImage => ({
  side: 2048,
  objects: 500,
  smallest: 8,
  shape: 'cropped',
}));

/** Objects that the peer decodes at a time. */
const BATCH = 500;

/** The level at which a slide of 20,000 pixels a side fits a window of 1,250. */
const OVERVIEW_LEVEL = 4;

/** The shortest of some times: what the work takes when nothing else runs on the machine. */
function best(values: number[]): number {
  return Math.min(...values);
}

async function timed<T>(work: () => T | Promise<T>): Promise<[milliseconds: number, value: T]> {
  const start = performance.now();
  const value = await work();
  return [performance.now() - start, value];
}

/** Wall time of unzip writing a whole archive to nowhere. */
async function unzip(path: string): Promise<number> {
  const [milliseconds, code] = await timed(
    () =>
      new Promise<number | null>((resolve, reject) => {
        spawn('unzip', ['-p', path], { stdio: ['ignore', 'ignore', 'inherit'] })
          .on('error', reject)
          .on('exit', resolve);
      }),
  );
  if (code !== 0) throw new Error(`unzip ended with ${code}`);
  return milliseconds;
}

interface Opening {
  milliseconds: number;
  peakRssMB: number;
}

/** Bundles the program that opens and paints, as the engine is bundled; gives what runs it. */
async function openerIn(folder: string): Promise<(path: string) => Opening> {
  const program = join(folder, 'openAndPaint.cjs');
  await build({
    entryPoints: ['test/bench/masks/openAndPaint.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  return path => {
    const child = spawnSync(process.execPath, [program, path, String(OVERVIEW_LEVEL)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    if (child.status !== 0) throw new Error(`The process that opens ended with ${child.status}`);
    return JSON.parse(child.stdout) as Opening;
  };
}

async function repeat<T>(times: number, work: () => T | Promise<T>): Promise<T[]> {
  const values: T[] = [];
  for (let n = 0; n < times; n++) values.push(await work());
  return values;
}

async function cells(folder: string): Promise<number> {
  const path = join(folder, 'cells.zip');
  await writeFixture(path, [CELLS]);
  const { height, width, objects } = await readJson(path, 'image0_objects.json');
  const records = Object.values(objects);
  const masks = await openMasks(path);
  const tiles = await repeat(30, async () => (await timed(() => paintAll(masks, 0)))[0]);
  const paint = await labelImagePainter(masks);
  const painting = await repeat(30, async () => (await timed(paint))[0]);
  masks.dispose();
  const opening = await repeat(5, async () => {
    const [milliseconds, opened] = await timed(() => openMasks(path));
    opened.dispose();
    return milliseconds;
  });
  // In batches, the best of which counts for all.
  const decodeAll = async (skipZeros: boolean) => {
    const times: number[] = [];
    for (let from = 0; from < records.length; from += BATCH)
      times.push(
        (
          await timed(() => {
            for (const { rle } of records.slice(from, from + BATCH))
              decodeFullFrame(rle.counts, height, width, skipZeros);
          })
        )[0],
      );
    return (best(times) * records.length) / BATCH;
  };
  const fullFrame = await decodeAll(false);
  const untouched = await decodeAll(true);
  const ratio = fullFrame / best(painting);
  console.log(
    `5,000 objects on 2048 x 2048: full frames ${fullFrame.toFixed(0)} ms (${untouched.toFixed(0)} ms with zeros left ` +
      `unwritten); painted as one label image ${best(painting).toFixed(2)} ms, as 64 tiles to be sent ` +
      `${best(tiles).toFixed(2)} ms; open ${best(opening).toFixed(1)} ms`,
  );
  return ratio;
}

async function slide(folder: string) {
  const path = join(folder, 'slide.zip');
  await writeFixture(path, [SLIDE]);
  const open = await openerIn(folder);
  const times = await repeat(7, async () => ({ peer: await unzip(path), ...open(path) }));
  const peer = best(times.map(time => time.peer));
  const own = best(times.map(({ milliseconds }) => milliseconds));
  const peakRssMB = Math.max(...times.map(time => time.peakRssMB));
  const { size } = await stat(path);
  console.log(
    `50,000 objects on 20,000 x 20,000 (${(size / 1e6).toFixed(1)} MB zip): unzip ${peer.toFixed(0)} ms; open and paint ${own.toFixed(0)} ms, peak ${peakRssMB.toFixed(0)} MB`,
  );
  return { openRatioToUnzip: own / peer, peakRssMB };
}

async function run(folder: string): Promise<number> {
  const path = join(folder, 'run.zip');
  await writeFixture(path, RUN);
  const times = await repeat(5, async () => ({
    peer: await unzip(path),
    own: (await timed(() => inflateAll(path)))[0],
    open: await timed(() => openMasks(path)).then(([milliseconds, masks]) => {
      masks.dispose();
      return milliseconds;
    }),
  }));
  const peer = best(times.map(time => time.peer));
  const own = best(times.map(time => time.own));
  const open = best(times.map(time => time.open));
  console.log(
    `200 images of 500 objects: unzip ${peer.toFixed(0)} ms; inflate ${own.toFixed(0)} ms; open ${open.toFixed(0)} ms`,
  );
  return own / peer;
}

const folder = await mkdtemp(join(tmpdir(), 'bench-masks-'));
try {
  const decodeRatioToFullFrame = await cells(folder);
  const { openRatioToUnzip, peakRssMB } = await slide(folder);
  const inflateRatioToUnzip = await run(folder);
  const { palette, repaint, fetched } = await recolour();
  console.log(
    palette === undefined
      ? 'There is no WebGL2 here: recolouring was not measured'
      : `Other colours for 50,000 objects: palette ${palette.toFixed(2)} ms, with painting the view ${repaint?.toFixed(1)} ms ` +
          `(WebGL2 in software), ${fetched} tiles asked for`,
  );
  const result = {
    decodeRatioToFullFrame,
    openRatioToUnzip,
    inflateRatioToUnzip,
    peakRssMB,
    recolourMs: palette ?? null,
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(result);
} finally {
  await rm(folder, { recursive: true, force: true });
}
