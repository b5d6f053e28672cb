// npm run bench -- compare [--json] [--rounds N]: masks compared object by object, against
// pycocotools' iou on the same masks.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImageObjects, maskOf } from '../../src/archives/engine/imageObjects';
import { openMasks } from '../../src/archives/engine/openMasks';
import { fullFrameRuns } from '../../src/archives/objectMask';
import { overlapsOf } from '../../src/comparison/engine/overlaps';
import { boxIous } from './compare/boxes';
import { type FixtureImage, writeFixture } from './masks/archiveFixtures';
import { benchmark } from './measured/benchmark';
import { bundleOurs } from './measured/ours';
import { compareRounds, costOf, inTurn, MIN_ROUNDS, type Comparison, type Cost } from './measured/rounds';

const CELLS: FixtureImage = { side: 2048, objects: 5000, smallest: 6, shape: 'cropped' };
const SLIDE: FixtureImage = { side: 20_000, objects: 50_000, smallest: 8, shape: 'cropped' };
const RUN = Array.from({ length: 1000 }, (): FixtureImage => ({
  side: 2048,
  objects: 500,
  smallest: 8,
  shape: 'cropped',
}));

/**
 * How many times as long as boxIous pycocotools 2.0.11 took on these masks, on two cores of x64
 * under Linux with Node.js 24, each the best of five: from the least to the greatest in 21 runs
 * beside much other work. Their middle is used where python3 has no pycocotools.
 */
const RECORDED_RATIOS = [0.73, 0.86] as const;

/** The best of some runs: the shortest time of the processor, and the shortest of the clock. */
async function best(times: number, work: () => unknown): Promise<Cost> {
  const least: Cost = { wallMs: Infinity, cpuMs: Infinity };
  for (let n = 0; n < times; n++) {
    const { wallMs, cpuMs } = await costOf(work);
    least.wallMs = Math.min(least.wallMs, wallMs);
    least.cpuMs = Math.min(least.cpuMs, cpuMs);
  }
  return least;
}

function moved(images: readonly FixtureImage[], by: number): FixtureImage[] {
  return images.map(image => ({ ...image, moved: by }));
}

/** The objects of one image, and of the same with its objects moved by up to two pixels. */
async function cells(folder: string): Promise<{ a: ImageObjects; b: ImageObjects }> {
  const objectsOf = async (name: string, image: FixtureImage): Promise<ImageObjects> => {
    const path = join(folder, name);
    await writeFixture(path, [image]);
    const masks = await openMasks(path);
    const objects = await masks.objects(0);
    masks.dispose();
    return objects;
  };
  return {
    a: await objectsOf('a.zip', CELLS),
    b: await objectsOf('b.zip', { ...CELLS, moved: 2 }),
  };
}

interface Peer extends Cost {
  overlapping?: number;
  how: string;
}

/** A function that tells what pycocotools takes, or would take by the time of the boxes. */
async function pycocotools(folder: string, a: ImageObjects, b: ImageObjects): Promise<() => Promise<Peer>> {
  const boxesOf = ({ boxes }: ImageObjects) =>
    Float64Array.from(boxes, (value, at) => value - (at % 4 < 2 ? 0 : (boxes[at - 2] ?? 0)));
  const [boxesOfA, boxesOfB] = [boxesOf(a), boxesOf(b)];
  const path = join(folder, 'runs.json');
  const runsOf = (objects: ImageObjects) =>
    Array.from({ length: objects.count }, (_, object) => [
      ...fullFrameRuns(maskOf(objects, object), objects.width, objects.height),
    ]);
  await writeFile(path, JSON.stringify({ side: a.width, a: runsOf(a), b: runsOf(b) }));
  return async () => {
    const boxes = await best(5, () => boxIous(boxesOfA, boxesOfB));
    const child = spawnSync('python3', ['test/bench/compare/pycocotoolsIou.py', path], {
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    if (child.status !== 0) {
      const [least, greatest] = RECORDED_RATIOS;
      const share = (least + greatest) / 2;
      return {
        wallMs: boxes.wallMs * share,
        cpuMs: boxes.cpuMs * share,
        how: `recorded as ${least} to ${greatest} times the boxes, which took ${boxes.cpuMs.toFixed(0)} ms`,
      };
    }
    const { seconds, wallSeconds, overlapping } = JSON.parse(child.stdout) as {
      seconds: number;
      wallSeconds: number;
      overlapping: number;
    };
    const ratio = (seconds * 1000) / boxes.cpuMs;
    const how = `measured; ${ratio.toFixed(2)} times the boxes`;
    return { wallMs: wallSeconds * 1000, cpuMs: seconds * 1000, overlapping, how };
  };
}

async function iou(folder: string, count: number): Promise<Comparison> {
  const { a, b } = await cells(folder);
  const { count: pairs } = await overlapsOf(a, b);
  const peer = await pycocotools(folder, a, b);
  const rounds = await inTurn(count, () => best(30, () => overlapsOf(a, b)), peer);
  const wrong = rounds.find(
    round => round.peer.overlapping !== undefined && round.peer.overlapping !== pairs,
  );
  if (wrong)
    throw new Error(`pycocotools finds ${wrong.peer.overlapping} pairs that overlap, and this code ${pairs}`);
  const comparison = compareRounds(rounds);
  console.log(
    `5,000 x 5,000 objects on 2048 x 2048, ${pairs} pairs overlap, processor time: pycocotools ` +
      `${comparison.peer.cpuMs.median.toFixed(0)} ms (${rounds[0]?.peer.how}), ours ${comparison.ours.cpuMs.median.toFixed(1)} ms`,
  );
  return comparison;
}

interface Compared {
  milliseconds: number;
  cpuMs: number;
  opened: number;
  peakRssMB: number;
  images: number;
  tp: number;
  fp: number;
  fn: number;
}

/** Compares two archives in a process of its own. */
async function archives(folder: string, name: string, images: readonly FixtureImage[]): Promise<Compared> {
  const [pathA, pathB] = [join(folder, `${name}-a.zip`), join(folder, `${name}-b.zip`)];
  await writeFixture(pathA, images);
  await writeFixture(pathB, moved(images, 2));
  const program = await bundleOurs(folder, 'test/bench/compare/compareArchives.ts');
  const child = spawnSync(process.execPath, [program, pathA, pathB], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (child.status !== 0) throw new Error(`The process ended with ${child.status}`);
  return JSON.parse(child.stdout) as Compared;
}

function report(what: string, { milliseconds, opened, peakRssMB, tp, fp, fn }: Compared): void {
  console.log(
    `${what}: ${(milliseconds / 1000).toFixed(1)} s, ${(opened / 1000).toFixed(1)} s of it reading both archives; peak ` +
      `${peakRssMB.toFixed(0)} MB; ${tp} pairs, ${fn} only A, ${fp} only B`,
  );
}

await benchmark('compare', { rounds: MIN_ROUNDS }, async ({ rounds }, folder) => {
  const overlaps = await iou(folder, rounds);
  const run = await archives(folder, 'run', RUN);
  report('1,000 images of 500 objects', run);
  const slide = await archives(folder, 'slide', [SLIDE]);
  report('50,000 objects a side on 20,000 x 20,000', slide);
  return {
    iouRatioToPycocotools: overlaps.cpuRatio.median,
    runSeconds: run.milliseconds / 1000,
    slideSeconds: slide.milliseconds / 1000,
    slidePeakRssMB: slide.peakRssMB,
    // There is no peer for these: the processor's time says more between two machines, or two
    // builds.
    runCpuSeconds: run.cpuMs / 1000,
    slideCpuSeconds: slide.cpuMs / 1000,
    measured: { iouToPycocotools: overlaps },
  };
});
