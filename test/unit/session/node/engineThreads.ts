import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { EngineThread } from '../../../../src/session/node/engineThread';
import { splitOptions } from '../../../../scripts/splitCommonJs.mjs';

/** Paths in a folder of their own. */
interface BundledFile {
  path: string;
  contents: Uint8Array;
}

/** Built once for all test files of a process. */
let bundled: Promise<BundledFile[]> | undefined;

async function bundleEngine(): Promise<BundledFile[]> {
  const outdir = await mkdtemp(join(tmpdir(), 'engine-'));
  try {
    const options = {
      outdir,
      metafile: true,
      bundle: true,
      platform: 'node',
      target: 'node22',
      loader: { '.wasm': 'binary' },
      logLevel: 'error',
    } as const;
    const scanner = { scanner: 'src/columns/engine/scanner.ts' };
    await build({ ...options, entryPoints: scanner, format: 'cjs' });
    // As it is delivered: what only some results need is in files of its own.
    const engine = { engine: 'src/workbench/engine/thread.ts' };
    const split = { ...options, entryPoints: engine, external: [], minify: true, withDefaults: true };
    await build(splitOptions('engine', split));
    const entries = await readdir(outdir, { recursive: true, withFileTypes: true });
    return await Promise.all(
      entries
        .filter(entry => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map(async path => ({ path: relative(outdir, path), contents: await readFile(path) })),
    );
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

/** Engine threads from a bundle, with a folder for their files; removed after the suite. */
export class EngineThreads {
  folder = '';
  private readonly threads: EngineThread[] = [];

  /** The last thread that was started. */
  get current(): EngineThread {
    return this.threads.at(-1) ?? this.thread();
  }

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'engine-'));
    for (const { path, contents } of await (bundled ??= bundleEngine())) {
      const file = join(this.folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, contents);
    }
  }

  async end(): Promise<void> {
    this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  get script(): string {
    return join(this.folder, 'engine.js');
  }

  /** Starts a thread from the bundle, or from another script. */
  thread(script = this.script): EngineThread {
    const thread = new EngineThread(script);
    this.threads.push(thread);
    return thread;
  }

  /** Ends all threads. */
  stop(): void {
    for (const thread of this.threads.splice(0)) thread.dispose();
  }

  async file(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content);
    return path;
  }
}

/** To be called in a describe: starts a new thread for each of its tests. */
export function useEngineThreads(): EngineThreads {
  const threads = new EngineThreads();
  before(() => threads.start());
  after(() => threads.end());
  beforeEach(() => void threads.thread());
  afterEach(() => threads.stop());
  return threads;
}
