// npm run bench -- slides [--json] [--height N] [--rounds N]: a slide of Hamamatsu's, of 100,352 ×
// N pixels, beside the same views read by OpenSlide, where python3 has it (Debian:
// python3-openslide). In the real workbench, from a double click to the last change of its whole
// view, beside that of an image of a few pixels: what an empty page takes. And in an engine thread
// alone: opened and shown whole, a view of its finest level, and what the process holds after many
// of these.
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackgroundImageInfo } from '../../../src/images/backgroundImageInfo';
import { EngineThread } from '../../../src/session/node/engineThread';
import { benchmark } from '../../bench/measured/benchmark';
import {
  compareRounds,
  costOf,
  inTurn,
  medianOf,
  MIN_ROUNDS,
  UNKNOWN,
  type Cost,
} from '../../bench/measured/rounds';
import { SLIDE_WIDTH, writeHamamatsuSlide } from '../../bench/slides/hamamatsuSlide';
import { tiff } from '../../unit/images/tiffFixture';
import { installedFolder } from '../../host/servedHost';
import { MasksView } from '../views/masksView';
import { Workbench } from '../workbench';
import { measuredPackage } from './measuredPackage';
import { startedProcessorMs } from './opening/startedProcesses';
import { installOpeningProbe, type OpeningProbe } from './opening/openingProbe';

const DEFAULTS = { height: 80_000, rounds: MIN_ROUNDS };

/** Pixels of a panel. */
const VIEW = { width: 1568, height: 900 };
const TILE = 256;
/** Views of the finest level after which memory is measured: several times what is cached. */
const PANNED = 60;
/** Milliseconds without a change after which all is painted. */
const QUIET = 2000;

const width = SLIDE_WIDTH;

/**
 * What opening the slide and the whole of it in a panel take, and a view of the finest level beside
 * its middle.
 */
interface Views extends Cost {
  first: Cost;
  finest: Cost;
}

interface Slide {
  path: string;
  /** Pixels. */
  height: number;
}

const sumOf = (one: Cost = UNKNOWN, other: Cost = UNKNOWN): Cost => ({
  wallMs: one.wallMs + other.wallMs,
  cpuMs: one.cpuMs + other.cpuMs,
});

const both = (first: Cost, finest: Cost): Views => ({
  first,
  finest,
  ...sumOf(first, finest),
});

/** The slide in a thread of its own, from the start of that on. */
async function showWhole(engine: EngineThread, { path, height }: Slide) {
  const { backgroundImage }: BackgroundImageInfo = await engine.endpoint.request('openBackgroundImage', {
    path,
  });
  const level = Math.ceil(Math.log2(width / VIEW.width));
  const tilesOf = async (at: number, left: number, top: number, size: { width: number; height: number }) => {
    const wanted: Promise<unknown>[] = [];
    for (let y = Math.floor(top / TILE); y * TILE < top + size.height; y++)
      for (let x = Math.floor(left / TILE); x * TILE < left + size.width; x++)
        wanted.push(engine.endpoint.request('backgroundImageTile', { backgroundImage, level: at, x, y }));
    await Promise.all(wanted);
  };
  await tilesOf(level, 0, 0, { width: width / 2 ** level, height: height / 2 ** level });
  return tilesOf;
}

async function ours(program: string, slide: Slide): Promise<Views> {
  const engine = new EngineThread(program);
  const { value: tilesOf, ...first } = await costOf(() => showWhole(engine, slide));
  const { wallMs, cpuMs } = await costOf(() =>
    tilesOf(0, Math.floor(width / 2), Math.floor(slide.height / 2), VIEW),
  );
  engine.dispose();
  return both(first, { wallMs, cpuMs });
}

/** Bytes that panning over much of the finest level of a slide adds to this process. */
async function memoryOf(program: string, slide: Slide): Promise<number> {
  const before = process.memoryUsage().rss;
  const engine = new EngineThread(program);
  const tilesOf = await showWhole(engine, slide);
  let whole = 0;
  for (let nth = 0; nth < PANNED; nth++) {
    await tilesOf(0, (nth * 700) % (width - VIEW.width), (nth * 1300) % (slide.height - VIEW.height), VIEW);
    whole = Math.max(whole, process.memoryUsage().rss);
  }
  engine.dispose();
  return whole - before;
}

const PEER = `
import sys, time, openslide
path, width, height, w, h = sys.argv[1], *map(int, sys.argv[2:6])
start, used = time.perf_counter(), time.process_time()
slide = openslide.OpenSlide(path)
level = slide.get_best_level_for_downsample(width / w)
slide.read_region((0, 0), level, slide.level_dimensions[level])
first = time.perf_counter() - start, time.process_time() - used
start, used = time.perf_counter(), time.process_time()
slide.read_region((width // 2, height // 2), 0, (w, h))
finest = time.perf_counter() - start, time.process_time() - used
print(*(seconds * 1000 for seconds in first + finest))
`;

/** Unknown where OpenSlide isn't installed. */
function peer({ path, height }: Slide): Views {
  const sizes = [width, height, VIEW.width, VIEW.height].map(String);
  const { status, stdout } = spawnSync('python3', ['-c', PEER, path, ...sizes], { encoding: 'utf8' });
  if (status !== 0) return both(UNKNOWN, UNKNOWN);
  const [wall = NaN, cpu = NaN, finestWall = NaN, finestCpu = NaN] = stdout.trim().split(' ').map(Number);
  return both({ wallMs: wall, cpuMs: cpu }, { wallMs: finestWall, cpuMs: finestCpu });
}

/**
 * From the double click on a file in the Explorer to the last change of its image, which is closed
 * again. The processor time is that of VS Code and its window, less what they take at rest.
 */
async function opened(window: Workbench, file: string): Promise<Cost> {
  const { page } = window;
  const before = startedProcessorMs();
  const started = performance.now();
  await page.evaluate(() =>
    addEventListener(
      'dblclick',
      event => {
        (globalThis as { clicked?: number }).clicked = performance.timeOrigin + event.timeStamp;
      },
      { capture: true, once: true },
    ),
  );
  await window.explorer.item(file).dblclick();
  const view = new MasksView(page, await window.panel(/^(?!Masks of)/));
  const last = await view.frame.waitForFunction(
    quiet => {
      const { last = Infinity } = (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe;
      return performance.timeOrigin + performance.now() - last > quiet && last;
    },
    QUIET,
    { timeout: 60_000 },
  );
  const after = startedProcessorMs();
  const elapsed = performance.now() - started;
  // The probe looks at the canvas in each frame, also while nothing changes.
  const rested = performance.now();
  await page.waitForTimeout(QUIET);
  const atRest = (startedProcessorMs() - after) / (performance.now() - rested);
  const clicked = await page.evaluate(() => (globalThis as { clicked?: number }).clicked ?? NaN);
  const wallMs = Number(await last.jsonValue()) - clicked;
  await window.closeTab(file);
  return { wallMs, cpuMs: after - before - atRest * elapsed };
}

await benchmark('slides', DEFAULTS, async (options, root) => {
  const { rounds } = options;
  const height = Math.round(options.height / 512) * 512;
  const folder = join(root, 'workspace');
  await mkdir(folder);
  const path = join(folder, 'slide.ndpi');
  const file = { path, height };
  const bytes = await writeHamamatsuSlide(path, height);
  await writeFile(join(folder, 'empty.tif'), tiff([{ width: 8, height: 8, samples: new Uint8Array(64) }]));
  console.log(`${width} × ${height} pixels, ${(bytes / 1e6).toFixed(0)} MB`);
  const dataFolder = join(root, 'host');
  const window = await Workbench.open({
    name: 'bench-slides',
    theme: 'dark',
    vsix: await measuredPackage(),
    folder,
    dataFolder,
  });
  const slides: Cost[] = [];
  const pages: Cost[] = [];
  let failed = true;
  try {
    await window.page.context().addInitScript(installOpeningProbe);
    await window.openContainer('Explorer');
    // The first opening also loads what every later one finds loaded.
    await opened(window, 'empty.tif');
    for (let round = 0; round < rounds; round++) {
      pages.push(await opened(window, 'empty.tif'));
      slides.push(await opened(window, 'slide.ndpi'));
    }
    failed = false;
  } finally {
    await window.close(failed);
  }
  // As users get it.
  const program = join(await installedFolder(dataFolder), 'dist', 'engine.js');
  const memory = await memoryOf(program, file);
  const views = await inTurn(
    rounds,
    () => ours(program, file),
    () => peer(file),
  );
  const of = (side: 'ours' | 'peer', view: 'first' | 'finest') =>
    medianOf(views.map(round => round[side][view].wallMs));
  const [page, slide] = [
    medianOf(pages.map(({ wallMs }) => wallMs)),
    medianOf(slides.map(({ wallMs }) => wallMs)),
  ];
  const read = of('peer', 'first');
  const isThere = !Number.isNaN(read);
  const list = (costs: readonly Cost[]) =>
    costs.map(({ wallMs, cpuMs }) => `${wallMs.toFixed(0)}/${cpuMs.toFixed(0)}`).join(' ');
  console.log(
    `workbench, slide: ${list(slides)} ms/of the processor; an image of 8 × 8 pixels: ${list(pages)}`,
  );
  const words = (side: 'ours' | 'peer') =>
    `${of(side, 'first').toFixed(0)} ms whole, ${of(side, 'finest').toFixed(0)} ms finest`;
  const megabytes = (size: number) => Math.round(size / 2 ** 20);
  console.log(
    `engine, with its start: ${words('ours')}; OpenSlide: ${isThere ? words('peer') : 'not installed'}; ` +
      `${megabytes(memory)} MB more after ${PANNED} views`,
  );
  const compared = (view: 'first' | 'finest') =>
    compareRounds(views.map(round => ({ ours: round.ours[view], peer: round.peer[view] })));
  return {
    slideMs: Math.round(slide),
    pageMs: Math.round(page),
    firstMs: Math.round(of('ours', 'first')),
    finestMs: Math.round(of('ours', 'finest')),
    addedMB: megabytes(memory),
    ...(isThere && {
      peerFirstMs: Math.round(read),
      peerFinestMs: Math.round(of('peer', 'finest')),
      firstPictureRatio: Number((slide / (page + read)).toFixed(2)),
    }),
    measured: {
      firstPicture: compareRounds(
        slides.map((slide, round) => ({ ours: slide, peer: sumOf(pages[round], views[round]?.peer.first) })),
      ),
      first: compared('first'),
      finest: compared('finest'),
    },
  };
});
