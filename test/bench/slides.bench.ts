// npm run bench -- slides [--json] [--height N] [--rounds N]: how long the first picture of a Hamamatsu slide takes, and a
// view of its finest level, beside the same views read by OpenSlide in this run, where python3 has it (Debian: python3-openslide).
import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BackgroundImageInfo } from '../../src/images/backgroundImageInfo';
import { EngineThread } from '../../src/session/node/engineThread';
import { encodeJpeg } from '../unit/images/slides/encodeJpeg';
import { ndpiDirectory, ndpiLinkAt } from '../unit/images/slides/ndpiFixture';
import { tissue } from '../unit/images/slides/slideImages';
import { describeMachine } from './measured/machine';
import { bundleOurs } from './measured/ours';
import { printResult } from './measured/report';
import { compareRounds, costOf, inTurn, MIN_ROUNDS, type Cost } from './measured/rounds';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    height: { type: 'string', default: '80000' },
    rounds: { type: 'string', default: String(MIN_ROUNDS) },
  },
});
const rounds = Number(values.rounds);

/** Pixels of a restart interval: four of the coarsest but one level are its width. */
const INTERVAL = { width: 1568, height: 8, mcus: 98 };
const VARIANTS = 24;
/** Pixels of a panel. */
const VIEW = { width: 1568, height: 900 };
const TILE = 256;

const width = 64 * INTERVAL.width;
const height = Math.round(Number(values.height) / 512) * 512;

/** Writes a slide whose intervals are some few, in an order without a pattern. */
async function writeSlide(path: string): Promise<number> {
  const size = { width: INTERVAL.width, height: INTERVAL.height * VARIANTS };
  const jpeg = encodeJpeg({ ...size, sampling: [2, 1], restart: INTERVAL.mcus }, tissue());
  const [first = 0] = jpeg.starts;
  const intervals = jpeg.starts.map((start, at) =>
    Buffer.from(jpeg.bytes.subarray(start, (jpeg.starts[at + 1] ?? jpeg.bytes.length) - 2)),
  );
  const file = await open(path, 'w');
  let end = 12;
  const put = async (bytes: Uint8Array) => {
    await file.write(bytes, 0, bytes.length, end);
    end += bytes.length;
    return end - bytes.length;
  };
  const views: DataView[] = [];
  for (let factor = 1; width / factor >= INTERVAL.width; factor *= 4) {
    const [across, down] = [width / factor / INTERVAL.width, Math.floor(height / factor / INTERVAL.height)];
    const header = Buffer.from(jpeg.bytes.subarray(0, first));
    // The frame's size: what doesn't fit is 0.
    const frame = header.indexOf(Buffer.from([0xff, 0xc0]));
    const side = (value: number) => (value > 65_500 ? 0 : value);
    header.writeUInt16BE(side(down * INTERVAL.height), frame + 5);
    header.writeUInt16BE(side(width / factor), frame + 7);
    const strip = await put(header);
    const starts = new Float64Array(across * down);
    let length = header.length;
    for (let row = 0; row < down; row++) {
      const parts: Buffer[] = [];
      for (let column = 0; column < across; column++) {
        const at = row * across + column;
        const interval = intervals[(Math.imul(at, 0x9e3779b1) >>> 8) % VARIANTS] ?? Buffer.alloc(0);
        const marker = at === across * down - 1 ? 0xd9 : 0xd0 + (at % 8);
        starts[at] = length;
        length += interval.length + 2;
        parts.push(interval, Buffer.from([0xff, marker]));
      }
      await put(Buffer.concat(parts));
    }
    const halves = (high: boolean) =>
      new Uint8Array(Uint32Array.from(starts, at => (high ? at / 2 ** 32 : at % 2 ** 32)).buffer);
    const [low, high] = [await put(halves(false)), await put(halves(true))];
    const text = await put(new Uint8Array(Buffer.from('Hamamatsu\0')));
    const fraction = await put(new Uint8Array(Uint32Array.of(44_000 / factor, 1).buffer));
    const facts = { width: width / factor, height: down * INTERVAL.height, lens: 20 / factor, focus: 0 };
    const list = { count: starts.length, low, high };
    views.push(ndpiDirectory({ ...facts, strip, bytes: length, text, fraction, starts: list }));
  }
  const places: number[] = [];
  let next = end;
  for (const view of views) {
    places.push(next);
    next += view.byteLength;
  }
  for (const [at, view] of views.entries()) {
    view.setBigUint64(ndpiLinkAt(view), BigInt(places[at + 1] ?? 0), true);
    await put(new Uint8Array(view.buffer));
  }
  const start = Buffer.alloc(12);
  start.write('II*\0', 'latin1');
  start.writeBigUInt64LE(BigInt(places[0] ?? 0), 4);
  await file.write(start, 0, 12, 0);
  await file.close();
  return end;
}

/** What opening the slide and the whole of it in a panel take, and a view of the finest level beside its middle. */
interface Views extends Cost {
  first: Cost;
  finest: Cost;
}

const both = (first: Cost, finest: Cost): Views => ({
  first,
  finest,
  wallMs: first.wallMs + finest.wallMs,
  cpuMs: first.cpuMs + finest.cpuMs,
});

async function ours(program: string, path: string): Promise<Views> {
  const engine = new EngineThread(program);
  const first = await costOf(() => showWhole(engine, path));
  const { tilesOf } = first.value;
  const finest = await costOf(() => tilesOf(0, Math.floor(width / 2), Math.floor(height / 2), VIEW));
  engine.dispose();
  return both({ wallMs: first.wallMs, cpuMs: first.cpuMs }, finest);
}

async function showWhole(engine: EngineThread, path: string) {
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
  return { tilesOf };
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

const UNKNOWN: Cost = { wallMs: NaN, cpuMs: NaN };

/** Unknown where OpenSlide isn't installed. */
function peer(path: string): Views {
  const sizes = [width, height, VIEW.width, VIEW.height].map(String);
  const { status, stdout } = spawnSync('python3', ['-c', PEER, path, ...sizes], { encoding: 'utf8' });
  if (status !== 0) return both(UNKNOWN, UNKNOWN);
  const [wall = NaN, cpu = NaN, finestWall = NaN, finestCpu = NaN] = stdout.trim().split(' ').map(Number);
  return both({ wallMs: wall, cpuMs: cpu }, { wallMs: finestWall, cpuMs: finestCpu });
}

const folder = await mkdtemp(join(tmpdir(), 'bench-slides-'));
try {
  const machine = await describeMachine();
  const program = await bundleOurs(folder, 'src/workbench/engine/thread.ts', { minify: true }, 'engine');
  const path = join(folder, 'slide.ndpi');
  const bytes = await writeSlide(path);
  console.log(`${width} × ${height} pixels, ${(bytes / 1e6).toFixed(0)} MB`);
  let memory = 0;
  const views = await inTurn(
    rounds,
    async () => {
      const own = await ours(program, path);
      memory = Math.max(memory, process.memoryUsage().rss);
      return own;
    },
    () => peer(path),
  );
  const best = (side: 'ours' | 'peer', view: 'first' | 'finest') =>
    Math.min(...views.map(round => round[side][view].wallMs));
  const isThere = !Number.isNaN(best('peer', 'first'));
  const words = (side: 'ours' | 'peer') =>
    `${best(side, 'first').toFixed(0)} ms whole, ${best(side, 'finest').toFixed(0)} ms finest`;
  console.log(
    `opened and shown: ${words('ours')}; OpenSlide: ${isThere ? words('peer') : 'not installed'}; ` +
      `${(memory / 2 ** 20).toFixed(0)} MB of memory`,
  );
  const result = {
    firstMs: Math.round(best('ours', 'first')),
    finestMs: Math.round(best('ours', 'finest')),
    memoryMB: Math.round(memory / 2 ** 20),
    ...(isThere && {
      peerFirstMs: Math.round(best('peer', 'first')),
      peerFinestMs: Math.round(best('peer', 'finest')),
    }),
  };
  const compared = (view: 'first' | 'finest') =>
    compareRounds(views.map(round => ({ ours: round.ours[view], peer: round.peer[view] })));
  printResult(result, { machine, measured: { first: compared('first'), finest: compared('finest') } });
} finally {
  await rm(folder, { recursive: true, force: true });
}
