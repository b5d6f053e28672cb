import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { EngineThread } from '../../../../src/session/node/engineThread';

/** Engine threads from a bundle built for one suite, and a folder for their files; both are removed at its end. */
export class EngineThreads {
  folder = '';
  private readonly threads: EngineThread[] = [];

  /** The last thread that was started. */
  get current(): EngineThread {
    return this.threads.at(-1) ?? this.thread();
  }

  async start(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'engine-'));
    await build({
      entryPoints: { engine: 'src/workbench/engine/thread.ts', scanner: 'src/columns/engine/scanner.ts' },
      outdir: this.folder,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      loader: { '.wasm': 'binary' },
      logLevel: 'error',
    });
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
