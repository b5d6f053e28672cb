// npm run bench -- uploads [--json] [--rounds N] [--only large|small]: uploading against curl, on
// loopback, to one server that only counts. Small files as a program uploads them, and as a person
// does, whose upload is stored while it runs; and those that the same host uploads after these, when
// V8 has compiled what is needed.
import { fork, type ChildProcess } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, rm } from 'node:fs/promises';
import * as path from 'node:path';
import manifest from '../../package.json';
import { benchmark } from './measured/benchmark';
import { bundleOurs } from './measured/ours';
import { compareRounds, inTurn, type Comparison, type Cost } from './measured/rounds';
import { curlVersion, runCurl, writeCurlOptions } from './uploads/curl';
import type { SendCost, SendJob } from './uploads/sender';
import type { Received } from './uploads/sink';

/** What is uploaded. Bytes. */
const LARGE = { files: 1, bytes: 2e9, rounds: 5 };
const SMALL = { files: 1000, bytes: 100e3, rounds: 9 };

/** Without a number of rounds, each amount has its own; `only` is large or small. */
const DEFAULTS = { rounds: 0, only: '' };

const CONCURRENCY =
  manifest.contributes.configuration.properties['imageAnalysis.uploads.concurrency'].default;
const UPLOAD_PATH = '/api/external/filesystem-items/upload-file';

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

/**
 * Uploads in a new process, whose modules are loaded when the clock starts, as those of a running
 * host are.
 */
async function runOurs(program: string, job: SendJob): Promise<SendCost> {
  const child = fork(program, { execArgv: [] });
  await messageOf<string>(child);
  child.send(job);
  const cost = await messageOf<SendCost>(child);
  child.disconnect();
  return cost;
}

/** Throws unless all files arrived since the last time. */
async function expectReceived(sink: ChildProcess, { files, bytes }: typeof LARGE): Promise<void> {
  sink.send('received?');
  const received = await messageOf<Received>(sink);
  if (received.requests !== files || received.bytes < files * bytes)
    throw new Error(`Received ${received.bytes} bytes in ${received.requests} requests`);
}

interface Outcome {
  comparison: Comparison;
  /** The most that memory grew by. Bytes. */
  growth: number;
}

function report(what: string, { comparison, growth }: Outcome): void {
  console.log(`${what}, ${comparison.rounds} rounds, medians:`);
  for (const side of ['peer', 'ours'] as const) {
    const { wallMs, cpuMs } = comparison[side];
    const seconds = (value: number) => (value / 1000).toFixed(2);
    console.log(
      `  ${side === 'peer' ? 'curl' : 'ours'} ${seconds(wallMs.median)} s (${seconds(wallMs.min)}…${seconds(wallMs.max)}), ` +
        `CPU ${seconds(cpuMs.median)} s${side === 'ours' ? `, growth ${(growth / 1e6).toFixed(0)} MB` : ''}`,
    );
  }
}

const version = curlVersion();
if (version === undefined) {
  console.error('This benchmark measures against curl, and there is no curl on this machine. Install it.');
  process.exit(1);
}
await benchmark('uploads', DEFAULTS, async (options, folder) => {
  const sink = fork(await bundleOurs(folder, 'test/bench/uploads/sink.ts', { minify: true }), {
    execArgv: [],
  });
  const origin = `http://127.0.0.1:${await messageOf<number>(sink)}`;
  const sender = await bundleOurs(folder, 'test/bench/uploads/sender.ts', { minify: true });
  console.log(`curl ${version}, Node.js ${process.version}`);
  const measure = async (
    name: string,
    amount: typeof LARGE,
    isStored: boolean,
    times: number,
  ): Promise<Outcome> => {
    const files = await writeFiles(path.join(folder, name), amount);
    const curlOptions = path.join(folder, `${name}.curl`);
    await writeCurlOptions(curlOptions, `${origin}${UPLOAD_PATH}`, files);
    const received = async <T extends Cost>(cost: T, sent = 1): Promise<T> => {
      await expectReceived(sink, { ...amount, files: sent * amount.files });
      return cost;
    };
    const rounds = await inTurn(
      options.rounds || amount.rounds,
      async round =>
        received(
          await runOurs(sender, {
            origin,
            files,
            concurrency: CONCURRENCY,
            folder: path.join(folder, `${name}-state-${round}`),
            isStored,
            times,
          }),
          times,
        ),
      async () => received(await runCurl(curlOptions, CONCURRENCY)),
    );
    await rm(path.join(folder, name), { recursive: true });
    return {
      comparison: compareRounds(rounds),
      growth: Math.max(...rounds.map(({ ours }) => ours.growthBytes)),
    };
  };
  const result: Record<string, number> = {};
  const measured: Record<string, Comparison> = {};
  let growth = 0;
  for (const [field, what, amount, isStored, times] of [
    ['wallRatioToCurl2GB', 'One file of 2 GB', LARGE, false, 1],
    ['wallRatioToCurlSmallFiles', `1,000 files of 100 kB, ${CONCURRENCY} at a time`, SMALL, false, 1],
    ['wallRatioToCurlStoredFiles', 'The same by a person, stored while they are sent', SMALL, true, 1],
    ['wallRatioToCurlMoreFiles', '1,000 more by a host that has sent 2,000', SMALL, true, 3],
  ] as const) {
    if (options.only !== '' && options.only !== (amount === LARGE ? 'large' : 'small')) continue;
    const outcome = await measure(field, amount, isStored, times);
    report(what, outcome);
    growth = Math.max(growth, outcome.growth);
    result[field] = outcome.comparison.wallRatio.median;
    measured[field.replace('wallRatioToCurl', 'upload')] = outcome.comparison;
  }
  sink.disconnect();
  return { ...result, hostGrowthMB: growth / 1e6, measured };
});
