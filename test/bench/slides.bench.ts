// npm run bench -- slides [--json] [--height N] [--rounds N]: how long the first picture of a Hamamatsu slide takes, and a
// view of its finest level, beside the same views read by OpenSlide in this run, where python3 has it (Debian: python3-openslide).
import { spawnSync } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { BackgroundImageInfo } from '../../src/images/backgroundImageInfo';
import { EngineThread } from '../../src/session/node/engineThread';
import { encodeJpeg } from '../unit/images/slides/encodeJpeg';
import { ndpiDirectory, ndpiLinkAt } from '../unit/images/slides/ndpiFixture';
import { tissue } from '../unit/images/slides/slideImages';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    height: { type: 'string', default: '80000' },
    rounds: { type: 'string', default: '3' },
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

/** Milliseconds of opening the slide, of the whole in a panel, and of a view of the finest level beside its middle. */
interface Times {
  first: number;
  finest: number;
}

async function ours(path: string): Promise<Times> {
  const engine = new EngineThread(resolve('dist/engine.js'));
  const start = performance.now();
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
  const first = performance.now() - start;
  const before = performance.now();
  await tilesOf(0, Math.floor(width / 2), Math.floor(height / 2), VIEW);
  const finest = performance.now() - before;
  engine.dispose();
  return { first, finest };
}

const PEER = `
import sys, time, openslide
path, width, height, w, h = sys.argv[1], *map(int, sys.argv[2:6])
start = time.perf_counter()
slide = openslide.OpenSlide(path)
level = slide.get_best_level_for_downsample(width / w)
slide.read_region((0, 0), level, slide.level_dimensions[level])
first = time.perf_counter() - start
start = time.perf_counter()
slide.read_region((width // 2, height // 2), 0, (w, h))
print(first * 1000, (time.perf_counter() - start) * 1000)
`;

function peer(path: string): Times | undefined {
  const sizes = [width, height, VIEW.width, VIEW.height].map(String);
  const { status, stdout } = spawnSync('python3', ['-c', PEER, path, ...sizes], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const [first = NaN, finest = NaN] = stdout.trim().split(' ').map(Number);
  return { first, finest };
}

if (spawnSync(process.execPath, ['esbuild.mjs', '--production'], { stdio: 'inherit' }).status !== 0)
  throw new Error('The engine could not be built');
const folder = await mkdtemp(join(tmpdir(), 'bench-slides-'));
try {
  const path = join(folder, 'slide.ndpi');
  const bytes = await writeSlide(path);
  console.log(`${width} × ${height} pixels, ${(bytes / 1e6).toFixed(0)} MB`);
  const best = (one: Times | undefined, other: Times | undefined) =>
    one && other
      ? { first: Math.min(one.first, other.first), finest: Math.min(one.finest, other.finest) }
      : (one ?? other);
  let [own, other]: [Times | undefined, Times | undefined] = [undefined, undefined];
  let memory = 0;
  for (let round = 0; round < rounds; round++) {
    own = best(own, await ours(path));
    memory = Math.max(memory, process.memoryUsage().rss);
    other = best(other, peer(path));
  }
  const words = (times: Times | undefined) =>
    times ? `${times.first.toFixed(0)} ms whole, ${times.finest.toFixed(0)} ms finest` : 'not installed';
  console.log(
    `opened and shown: ${words(own)}; OpenSlide: ${words(other)}; ${(memory / 2 ** 20).toFixed(0)} MB of memory`,
  );
  const result = {
    firstMs: Math.round(own?.first ?? NaN),
    finestMs: Math.round(own?.finest ?? NaN),
    memoryMB: Math.round(memory / 2 ** 20),
    ...(other && { peerFirstMs: Math.round(other.first), peerFinestMs: Math.round(other.finest) }),
  };
  if (values.json) console.log(JSON.stringify(result));
} finally {
  await rm(folder, { recursive: true, force: true });
}
