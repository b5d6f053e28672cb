// npm run bench -- masks [--json] [--rounds N]: masks archives against a decoder of full frames,
// and against unzip.
import { spawnSync } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openMasks } from '../../src/archives/engine/openMasks';
import { writeFixture, type FixtureImage } from './masks/archiveFixtures';
import { fillFullFrame, peerRuns } from './masks/fullFrameDecoder';
import { recolor } from './masks/recolor';
import { labelImagePainter, paintAll, plainInflater, readJson, runsDecoder } from './masks/work';
import { benchmark } from './measured/benchmark';
import { bundleOurs } from './measured/ours';
import { runProgram } from './measured/programs';
import { compareRounds, costOf, inTurn, type Comparison, type Cost } from './measured/rounds';

/** Without a number, each measurement has its own. */
const DEFAULTS = { rounds: 0 };

const CELLS: FixtureImage = { side: 2048, objects: 5000, smallest: 6, shape: 'full-frame' };
const SLIDE: FixtureImage = { side: 20_000, objects: 50_000, smallest: 8, shape: 'cropped' };
const LARGE_SLIDE: FixtureImage = { side: 40_000, objects: 300_000, smallest: 8, shape: 'cropped' };
const FRAMES: FixtureImage = { side: 8192, objects: 20_000, smallest: 8, shape: 'full-frame' };
const RUN = Array.from({ length: 200 }, (): FixtureImage => ({
  side: 2048,
  objects: 500,
  smallest: 8,
  shape: 'cropped',
}));

/** Objects that the peer decodes at a time. */
const BATCH = 500;

/** Pixels a side of the window that an overview fits. */
const WINDOW = 1250;

/** By what was measured, the rounds of both sides. */
const measured: Record<string, Comparison> = {};

/** The shortest of some times: what the work takes when nothing else runs on the machine. */
function best(values: number[]): number {
  return Math.min(...values);
}

function bestWall(costs: readonly Cost[]): number {
  return best(costs.map(({ wallMs }) => wallMs));
}

async function timed<T>(work: () => T | Promise<T>): Promise<[milliseconds: number, value: T]> {
  const start = performance.now();
  const value = await work();
  return [performance.now() - start, value];
}

/** What unzip takes to write a whole archive to nowhere. */
function unzip(path: string): Promise<Cost> {
  return runProgram('unzip', ['-p', path]);
}

interface Opening extends Cost {
  peakRssMB: number;
}

/**
 * Bundles a program of ./masks as the engine is bundled, or without what is compiled to
 * WebAssembly, so that JavaScript does it all; gives what runs it and reads the JSON that it
 * prints.
 */
async function programIn<T>(
  folder: string,
  name: string,
  isAllJavaScript = false,
): Promise<(...parameters: string[]) => T> {
  const loader = { '.wasm': isAllJavaScript ? 'empty' : 'binary' } as const;
  const program = await bundleOurs(
    folder,
    `test/bench/masks/${name}.ts`,
    { loader },
    `${name}${isAllJavaScript ? 'AllJavaScript' : ''}`,
  );
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
 * Like for like: both sides begin with the decoded runs of all objects and end with their pixels in
 * memory, the peer with a mask of the whole image for each, ours with one label image. The way from
 * base64 is told beside.
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
  // The peer in batches, the best of which counts for all; ours between them, so that both meet the
  // same neighbors.
  const times = { painting: [] as Cost[], filling: [] as Cost[], untouched: [] as Cost[] };
  for (let from = 0; from < allRuns.length; from += BATCH) {
    const paintings = await repeat(10, () => costOf(paint));
    times.painting.push(...paintings);
    const batch = allRuns.slice(from, from + BATCH);
    for (const [name, skipZeros] of [['filling', false] as const, ['untouched', true] as const]) {
      const { wallMs, cpuMs } = await costOf(() => {
        for (const runs of batch) fillFullFrame(runs, height, width, skipZeros);
      });
      const share = allRuns.length / BATCH;
      times[name].push({ wallMs: wallMs * share, cpuMs: cpuMs * share });
    }
  }
  const painting = bestWall(times.painting);
  const filling = bestWall(times.filling);
  const untouched = bestWall(times.untouched);
  // The best of ten paintings beside each batch.
  measured['paintToFullFrame'] = compareRounds(
    times.filling.map((peer, round) => {
      const paintings = times.painting.slice(round * 10, round * 10 + 10);
      const cpuMs = best(paintings.map(cost => cost.cpuMs));
      return { ours: { wallMs: bestWall(paintings), cpuMs }, peer };
    }),
  );
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

/** The level at which an image fits the window. */
function overviewLevel({ side }: FixtureImage): number {
  return Math.ceil(Math.log2(side / WINDOW));
}

/** Opens an archive of one image and paints its overview, in turn with unzip. */
async function slide(folder: string, image: FixtureImage, name: string, times: number) {
  const path = join(folder, 'slide.zip');
  await writeFixture(path, [image]);
  const open = await programIn<Opening>(folder, 'openAndPaint');
  const rounds = await inTurn(
    times,
    () => open(path, String(overviewLevel(image))),
    () => unzip(path),
  );
  measured[name] = compareRounds(rounds);
  const peer = bestWall(rounds.map(round => round.peer));
  const own = bestWall(rounds.map(round => round.ours));
  const peakRssMB = Math.max(...rounds.map(({ ours }) => ours.peakRssMB));
  const { size } = await stat(path);
  console.log(
    `${image.objects.toLocaleString('en')} objects on ${image.side} x ${image.side} (${(size / 1e6).toFixed(1)} MB zip): ` +
      `unzip ${peer.toFixed(0)} ms; open and paint ${own.toFixed(0)} ms, peak ${peakRssMB.toFixed(0)} MB`,
  );
  return { ratio: own / peer, peakRssMB };
}

/**
 * Opens an archive and paints its first image with the kernel that reads objects, and in turn
 * without it.
 */
async function withAndWithoutKernel(
  folder: string,
  images: FixtureImage[],
  name: string,
  what: string,
  times: number,
): Promise<number> {
  const path = join(folder, 'kernel.zip');
  await writeFixture(path, images);
  const level = String(Math.max(0, ...images.map(overviewLevel)));
  const open = await programIn<Opening>(folder, 'openAndPaint');
  const openByJavaScript = await programIn<Opening>(folder, 'openAndPaint', true);
  const rounds = await inTurn(
    times,
    () => open(path, level),
    () => openByJavaScript(path, level),
  );
  measured[name] = compareRounds(rounds);
  const own = bestWall(rounds.map(round => round.ours));
  const other = bestWall(rounds.map(round => round.peer));
  console.log(`${what}: open and paint ${own.toFixed(0)} ms, by JavaScript alone ${other.toFixed(0)} ms`);
  return own / other;
}

async function run(folder: string, times: number): Promise<number> {
  const path = join(folder, 'run.zip');
  await writeFixture(path, RUN);
  const inflatePlainly = await plainInflater(path);
  const inflate = await programIn<Cost>(folder, 'inflate');
  const plainly: number[] = [];
  const rounds = await inTurn(
    times,
    async () => {
      plainly.push((await timed(inflatePlainly))[0]);
      return inflate(path);
    },
    () => unzip(path),
  );
  measured['inflateToUnzip'] = compareRounds(rounds);
  const opening = await repeat(4, async () => {
    const [milliseconds, masks] = await timed(() => openMasks(path));
    masks.dispose();
    return milliseconds;
  });
  const peer = bestWall(rounds.map(round => round.peer));
  const own = bestWall(rounds.map(round => round.ours));
  const plain = best(plainly);
  console.log(
    `200 images of 500 objects: unzip ${peer.toFixed(0)} ms; list, read, inflate and check ${own.toFixed(0)} ms (inflating ` +
      `alone, in one thread, ${plain.toFixed(0)} ms); open ${best(opening).toFixed(0)} ms`,
  );
  return own / peer;
}

await benchmark('masks', DEFAULTS, async ({ rounds }, folder) => {
  const decodeRatioToFullFrame = await cells(folder);
  const { ratio: openRatioToUnzip, peakRssMB } = await slide(folder, SLIDE, 'openToUnzip', rounds || 12);
  const { ratio: openLargeRatioToUnzip } = await slide(folder, LARGE_SLIDE, 'openLargeToUnzip', rounds || 5);
  const imagesRatioToJavaScript = await withAndWithoutKernel(
    folder,
    RUN,
    'imagesToJavaScript',
    '200 images of 500 objects',
    rounds || 10,
  );
  const fullFramesRatioToJavaScript = await withAndWithoutKernel(
    folder,
    [FRAMES],
    'fullFramesToJavaScript',
    '20,000 objects whose runs are those of the whole image',
    rounds || 10,
  );
  const inflateRatioToUnzip = await run(folder, rounds || 8);
  const { palette, repaint, fetched } = await recolor();
  console.log(
    palette === undefined
      ? 'There is no WebGL2 here: recoloring was not measured'
      : `Other colors for 50,000 objects: palette ${palette.toFixed(2)} ms, with painting the view ${repaint?.toFixed(1)} ms ` +
          `(WebGL2 in software), ${fetched} tiles asked for`,
  );
  return {
    decodeRatioToFullFrame,
    openRatioToUnzip,
    openLargeRatioToUnzip,
    imagesRatioToJavaScript,
    fullFramesRatioToJavaScript,
    inflateRatioToUnzip,
    peakRssMB,
    recolorMs: palette ?? null,
    // The earlier name, by which programs read this line.
    recolourMs: palette ?? null,
    measured,
  };
});
