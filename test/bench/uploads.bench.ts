// npm run bench -- uploads [--json]: uploading against curl, on loopback, to one server that only counts.
import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import manifest from '../../package.json';
import { curlVersion, runCurl, writeCurlOptions } from './uploads/curl';
import { watchCost, type ProcessCost } from './uploads/processCost';
import type { SendCost, SendJob } from './uploads/sender';
import type { Received } from './uploads/sink';

/** What is uploaded. Bytes. */
const LARGE = { files: 1, bytes: 2e9, rounds: 5 };
const SMALL = { files: 1000, bytes: 100e3, rounds: 9 };

const CONCURRENCY =
  manifest.contributes.configuration.properties['imageAnalysis.uploads.concurrency'].default;
const UPLOAD_PATH = '/api/external/filesystem-items/upload-file';

type OurCost = SendCost & ProcessCost;

interface Round {
  curl: ProcessCost & { milliseconds: number };
  ours: OurCost;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

/** Files of random bytes: a sparse file would be read faster than a real one. */
async function writeFiles(folder: string, { files, bytes }: typeof LARGE): Promise<string[]> {
  await mkdir(folder);
  const block = randomFillSync(Buffer.alloc(Math.min(bytes, 4e6)));
  const names = Array.from({ length: files }, (_, index) => path.join(folder, `image${index}.tif`));
  for (const name of names) {
    const file = await open(name, 'wx');
    for (let written = 0; written < bytes; written += block.byteLength) await file.write(block);
    await file.close();
  }
  return names;
}

/** Bundles a program as the extension is bundled; gives its path. */
async function bundle(folder: string, entry: string): Promise<string> {
  const outfile = path.join(folder, `${path.basename(entry, '.ts')}.cjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    logLevel: 'error',
  });
  return outfile;
}

/** The next message of a child. Throws if it ends before. */
async function messageOf<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`A process ended with ${code}`);
  });
  const message = once(child, 'message', { signal: over.signal }).then(([value]) => value as T);
  try {
    return await Promise.race([message, ended]);
  } finally {
    over.abort();
    await Promise.allSettled([message, ended]);
  }
}

/** Uploads in a new process, whose modules are loaded when the clock starts, as those of a running host are. */
async function runOurs(program: string, job: SendJob): Promise<OurCost> {
  const child = fork(program, { execArgv: [] });
  await messageOf<string>(child);
  const watch = watchCost(child.pid ?? 0);
  child.send(job);
  const cost = await messageOf<SendCost>(child);
  const processCost = watch.stop();
  child.disconnect();
  return { ...cost, ...processCost };
}

/** Throws unless all files arrived since the last time. */
async function expectReceived(sink: ChildProcess, { files, bytes }: typeof LARGE): Promise<void> {
  sink.send('received?');
  const received = await messageOf<Received>(sink);
  if (received.requests !== files || received.bytes < files * bytes)
    throw new Error(`Received ${received.bytes} bytes in ${received.requests} requests`);
}

function report(what: string, rounds: Round[]): number {
  const ratio = median(rounds.map(({ ours, curl }) => ours.milliseconds / curl.milliseconds));
  const side = (pick: (round: Round) => Round['curl']) => {
    const all = rounds.map(pick);
    const times = all.map(({ milliseconds }) => milliseconds / 1000);
    const cpu = median(all.map(({ cpuSeconds }) => cpuSeconds));
    const peak = Math.max(...all.map(({ peakBytes }) => peakBytes / 1e6));
    return `${median(times).toFixed(2)} s (${Math.min(...times).toFixed(2)}…${Math.max(...times).toFixed(2)}), CPU ${cpu.toFixed(2)} s, peak ${peak.toFixed(0)} MB`;
  };
  console.log(`${what}, ${rounds.length} rounds, medians:`);
  console.log(`  curl ${side(({ curl }) => curl)}`);
  console.log(`  ours ${side(({ ours }) => ours)}, growth ${(growth(rounds) / 1e6).toFixed(0)} MB`);
  console.log(`  wall time, ours to curl: ${ratio.toFixed(2)}`);
  return ratio;
}

function growth(rounds: Round[]): number {
  return Math.max(...rounds.map(({ ours }) => ours.growthBytes));
}

const version = curlVersion();
if (version === undefined) {
  console.error('This benchmark measures against curl, and there is no curl on this machine. Install it.');
  process.exit(1);
}
const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-uploads-'));
try {
  const sink = fork(await bundle(folder, 'test/bench/uploads/sink.ts'), { execArgv: [] });
  const origin = `http://127.0.0.1:${await messageOf<number>(sink)}`;
  const sender = await bundle(folder, 'test/bench/uploads/sender.ts');
  const load = () => os.loadavg()[0]?.toFixed(1);
  console.log(
    `curl ${version}, Node.js ${process.version}, ${os.cpus().length} × ${os.cpus()[0]?.model}, load ${load()}`,
  );
  const measure = async (name: string, amount: typeof LARGE): Promise<Round[]> => {
    const files = await writeFiles(path.join(folder, name), amount);
    const options = path.join(folder, `${name}.curl`);
    await writeCurlOptions(options, `${origin}${UPLOAD_PATH}`, files);
    const rounds: Round[] = [];
    for (let round = 0; round < amount.rounds; round++) {
      // Both orders, so that neither side always finds the machine as the other left it.
      const sides = {
        curl: () => runCurl(options, CONCURRENCY),
        ours: () =>
          runOurs(sender, {
            origin,
            files,
            concurrency: CONCURRENCY,
            folder: path.join(folder, `${name}-state-${round}`),
          }),
      };
      const order = round % 2 === 0 ? (['curl', 'ours'] as const) : (['ours', 'curl'] as const);
      const costs: Partial<Round> = {};
      for (const side of order) {
        Object.assign(costs, { [side]: await sides[side]() });
        await expectReceived(sink, amount);
      }
      rounds.push(costs as Round);
    }
    await rm(path.join(folder, name), { recursive: true });
    return rounds;
  };
  const large = await measure('large', LARGE);
  const wallRatioToCurl2GB = report('One file of 2 GB', large);
  const small = await measure('small', SMALL);
  const wallRatioToCurlSmallFiles = report(`1,000 files of 100 kB, ${CONCURRENCY} at a time`, small);
  console.log(`Load at the end: ${load()}`);
  sink.disconnect();
  const hostGrowthMB = Math.max(growth(large), growth(small)) / 1e6;
  const result = { wallRatioToCurl2GB, hostGrowthMB, wallRatioToCurlSmallFiles };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else console.log(result);
} finally {
  await rm(folder, { recursive: true, force: true });
}
