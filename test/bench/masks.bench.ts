// npm run bench -- masks [--json]: masks archives against a decoder of full frames, and against unzip.
import { build } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMasks } from '../../src/masks/engine/openMasks';
import { writeFixture, type FixtureImage } from './masks/archiveFixtures';
import { fillFullFrame, peerRuns } from './masks/fullFrameDecoder';
import { recolor } from './masks/recolor';
import { labelImagePainter, paintAll, plainInflater, readJson, runsDecoder } from './masks/work';

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

/** Bundles a program of ./masks as the engine is bundled; gives what runs it and reads the JSON that it prints. */
async function programIn<T>(folder: string, name: string): Promise<(...parameters: string[]) => T> {
  const program = join(folder, `${name}.cjs`);
  await build({
    entryPoints: [`test/bench/masks/${name}.ts`],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  return (...parameters) => {
    const child = spawnSync(process.execPath, [program, ...parameters], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    if (child.status !== 0) throw new Error(`The process ${name} ended with ${child.status}`);
    return JSON.parse(child.stdout) as T;
  };
}

async function repeat<T>(times: number, work: () => T | Promise<T>): Promise<T[]> {
  const values: T[] = [];
  for (let n = 0; n < times; n++) values.push(await work());
  return values;
}

/**
 * Like for like: both sides begin with the decoded runs of all objects and end with their pixels in memory, the peer with
 * a mask of the whole image for each, ours with one label image. The way from base64 is told beside.
 */
async function cells(folder: string): Promise<number> {
  const path = join(folder, 'cells.zip');
  await writeFixture(path, [CELLS]);
  const { height, width, objects } = await readJson(path, 'image0_objects.json');
  const counts = Object.values(objects).map(({ rle }) => rle.counts);
  const masks = await openMasks(path);
  const tiles = best(await repeat(30, async () => (await timed(() => paintAll(masks, 0)))[0]));
  const paint = await labelImagePainter(masks);
  const allRuns = counts.map(peerRuns);
  // The peer in batches, the best of which counts for all; ours between them, so that both meet the same neighbors.
  const times = { painting: [] as number[], filling: [] as number[], untouched: [] as number[] };
  for (let from = 0; from < allRuns.length; from += BATCH) {
    times.painting.push(...(await repeat(10, async () => (await timed(paint))[0])));
    const batch = allRuns.slice(from, from + BATCH);
    for (const [name, skipZeros] of [['filling', false] as const, ['untouched', true] as const]) {
      const [milliseconds] = await timed(() => {
        for (const runs of batch) fillFullFrame(runs, height, width, skipZeros);
      });
      times[name].push((milliseconds * allRuns.length) / BATCH);
    }
  }
  const painting = best(times.painting);
  const filling = best(times.filling);
  const untouched = best(times.untouched);
  masks.dispose();
  const opening = await repeat(5, async () => {
    const [milliseconds, opened] = await timed(() => openMasks(path));
    opened.dispose();
    return milliseconds;
  });
  const decode = runsDecoder(counts, height * width);
  const decoding = best(await repeat(20, async () => (await timed(decode))[0]));
  const peerDecoding = best(await repeat(20, async () => (await timed(() => counts.forEach(peerRuns)))[0]));
  console.log(
    `5,000 objects on 2048 x 2048, from runs to pixels: full frames ${filling.toFixed(0)} ms (${untouched.toFixed(0)} ms ` +
      `with zeros left unwritten); one label image ${painting.toFixed(2)} ms, 64 tiles to be sent ${tiles.toFixed(2)} ms`,
  );
  console.log(
    `  from base64 to runs: peer ${peerDecoding.toFixed(2)} ms, ours ${decoding.toFixed(2)} ms ` +
      `(${((decoding * 1e6) / decode()).toFixed(1)} ns a run); from base64 to pixels ` +
      `${((peerDecoding + filling) / (decoding + painting)).toFixed(0)} times faster; open ${best(opening).toFixed(1)} ms`,
  );
  return filling / painting;
}

async function slide(folder: string) {
  const path = join(folder, 'slide.zip');
  await writeFixture(path, [SLIDE]);
  const open = await programIn<Opening>(folder, 'openAndPaint');
  const times = await repeat(12, async () => ({
    peer: await unzip(path),
    ...open(path, String(OVERVIEW_LEVEL)),
  }));
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
  const inflatePlainly = await plainInflater(path);
  const inflate = await programIn<{ milliseconds: number }>(folder, 'inflate');
  const times = await repeat(8, async () => ({
    peer: await unzip(path),
    own: inflate(path).milliseconds,
    plain: (await timed(inflatePlainly))[0],
  }));
  const opening = await repeat(4, async () => {
    const [milliseconds, masks] = await timed(() => openMasks(path));
    masks.dispose();
    return milliseconds;
  });
  const peer = best(times.map(time => time.peer));
  const own = best(times.map(time => time.own));
  const plain = best(times.map(time => time.plain));
  console.log(
    `200 images of 500 objects: unzip ${peer.toFixed(0)} ms; list, read, inflate and check ${own.toFixed(0)} ms (inflating ` +
      `alone, in one thread, ${plain.toFixed(0)} ms); open ${best(opening).toFixed(0)} ms`,
  );
  return own / peer;
}

const folder = await mkdtemp(join(tmpdir(), 'bench-masks-'));
try {
  const decodeRatioToFullFrame = await cells(folder);
  const { openRatioToUnzip, peakRssMB } = await slide(folder);
  const inflateRatioToUnzip = await run(folder);
  const { palette, repaint, fetched } = await recolor();
  console.log(
    palette === undefined
      ? 'There is no WebGL2 here: recoloring was not measured'
      : `Other colors for 50,000 objects: palette ${palette.toFixed(2)} ms, with painting the view ${repaint?.toFixed(1)} ms ` +
          `(WebGL2 in software), ${fetched} tiles asked for`,
  );
  const result = {
    decodeRatioToFullFrame,
    openRatioToUnzip,
    inflateRatioToUnzip,
    peakRssMB,
    recolorMs: palette ?? null,
    // The earlier name, by which programs read this line.
    recolourMs: palette ?? null,
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(result);
} finally {
  await rm(folder, { recursive: true, force: true });
}
