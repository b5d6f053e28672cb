import * as assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { Socket } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { splitOptions } from '../../../scripts/splitCommonJs.mjs';

/** Bytes of JavaScript that VS Code compiles while the extension activates. */
const MAX_BYTES = 65_000;

interface Loader {
  _load(this: void, request: string, ...rest: unknown[]): unknown;
}

interface Entry {
  activate(context: unknown): Promise<void>;
}

/** Can be read, called and constructed, with more of the same as the result. */
function anything(): object {
  return new Proxy(class {}, {
    get: (target, key): unknown =>
      key === 'prototype' ? target.prototype : key === 'then' ? undefined : anything(),
    apply: () => anything(),
    construct: () => anything(),
  });
}

/** Loads and activates the entry as VS Code does, and records modules, timers and connections. */
class RecordingHost {
  readonly requests: string[] = [];
  readonly timers: string[] = [];
  readonly connections: unknown[] = [];
  readonly commands = new Map<string, (...args: unknown[]) => Promise<unknown>>();
  private readonly subscriptions: { dispose(): void }[] = [];
  private readonly restore: (() => void)[] = [];

  constructor(private readonly folder: string) {
    const loader = createRequire(join(process.cwd(), 'package.json'))('node:module') as Loader;
    const { _load: load } = loader;
    const vscode = this.vscode();
    loader._load = (request, ...rest) => {
      this.requests.push(request);
      return request === 'vscode' ? vscode : load(request, ...rest);
    };
    this.restore.push(() => (loader._load = load));
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const original = globalThis[name];
      const recorded = (...args: unknown[]) => {
        this.timers.push(name);
        return Reflect.apply(original, undefined, args) as unknown;
      };
      Object.assign(globalThis, { [name]: recorded });
      this.restore.push(() => Object.assign(globalThis, { [name]: original }));
    }
    const original = Object.getOwnPropertyDescriptor(Socket.prototype, 'connect') ?? {};
    const { connections } = this;
    Object.defineProperty(Socket.prototype, 'connect', {
      ...original,
      value(this: Socket, ...args: unknown[]) {
        connections.push(args);
        return Reflect.apply(original.value as Socket['connect'], this, args) as unknown;
      },
    });
    this.restore.push(() => Object.defineProperty(Socket.prototype, 'connect', original));
  }

  /** Loads the entry; `requests` has the modules that it requires. */
  load(): Entry {
    return createRequire(join(process.cwd(), 'package.json'))(join(this.folder, 'extension.js')) as Entry;
  }

  async context(): Promise<object> {
    return {
      subscriptions: this.subscriptions,
      extensionUri: anything(),
      globalStorageUri: { fsPath: join(this.folder, 'storage') },
      globalState: { keys: () => [], get: () => undefined, update: () => Promise.resolve() },
      secrets: {
        get: () => Promise.resolve(undefined),
        keys: () => Promise.resolve([]),
        onDidChange: () => ({ dispose: () => undefined }),
      },
      extension: {
        id: 'image-analysis.image-analysis',
        packageJSON: JSON.parse(await readFile('package.json', 'utf8')) as unknown,
      },
    };
  }

  dispose(): void {
    for (const { dispose } of this.subscriptions.map(one => ({ dispose: () => one.dispose() }))) dispose();
    for (const restore of this.restore) restore();
  }

  private vscode(): object {
    const emitter = class {
      event = () => ({ dispose: () => undefined });
      fire = () => undefined;
      dispose = () => undefined;
    };
    const known: Record<string, unknown> = {
      EventEmitter: emitter,
      l10n: { t: (text: string) => text },
      window: anything(),
      commands: {
        registerCommand: (id: string, run: (...args: unknown[]) => Promise<unknown>) => {
          this.commands.set(id, run);
          return { dispose: () => undefined };
        },
        executeCommand: () => Promise.resolve(),
      },
    };
    return new Proxy(known, { get: (target, key) => target[String(key)] ?? anything() });
  }
}

describe('What activation loads', () => {
  let outdir = '';
  let host: RecordingHost | undefined;
  const entry = () => join(outdir, 'extension.js');
  const requests = () => host?.requests ?? [];
  const files = (all: readonly string[]) =>
    all.filter(request => request !== 'vscode' && !isBuiltin(request));

  before(async () => {
    outdir = await mkdtemp(join(process.cwd(), 'out', 'entry-'));
    await build(
      splitOptions('extension', {
        entryPoints: { extension: 'src/extension.ts' },
        outdir,
        metafile: true,
        bundle: true,
        minify: true,
        platform: 'node',
        target: 'node22',
        external: ['vscode'],
        logLevel: 'silent',
      }),
    );
    host = new RecordingHost(outdir);
    const context = await host.context();
    const { activate } = host.load();
    await activate(context);
    // By then, work that it only started has ended as well.
    for (let turn = 0; turn < 50; turn++) await delay(1);
  });
  after(async () => {
    host?.dispose();
    await rm(outdir, { recursive: true });
  });

  it('is one small file, if there are no accounts', async () => {
    const { size } = await stat(entry());
    assert.ok(size > 10_000 && size < MAX_BYTES, `${size} bytes`);
    assert.deepEqual(files(requests()), [entry()]);
  });

  it('requires each module once, since each call takes the extension host long', () => {
    assert.ok(requests().includes('vscode'));
    assert.deepEqual(requests(), [...new Set(requests())]);
  });

  it('requires only modules of Node.js that are needed to activate', () => {
    const builtins = new Set(requests().filter(request => isBuiltin(request)));
    for (const later of ['child_process', 'http', 'readline', 'worker_threads'])
      assert.ok(!builtins.has(`node:${later}`), later);
  });

  it('registers the commands of package.json, and earlier names for which it is activated', async () => {
    const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
      activationEvents: string[];
      contributes: { commands: { command: string }[] };
    };
    const earlier = manifest.activationEvents.filter(event => event.startsWith('onCommand:'));
    assert.deepEqual(
      [...(host?.commands.keys() ?? [])].sort(),
      [
        ...manifest.contributes.commands.map(({ command }) => command),
        ...earlier.map(event => event.replace('onCommand:', '')),
      ].sort(),
    );
  });

  it('starts no timer and connects to nothing', () => {
    assert.deepEqual(host?.timers, []);
    assert.deepEqual(host?.connections, []);
  });

  it('is enough to run a command, which loads one file more', async () => {
    const listJobs = host?.commands.get('imageAnalysis.listJobs');
    await assert.rejects(async () => listJobs?.({ limit: 1 }), { code: 'signed-out' });
    const names = files(requests()).map(file => basename(file));
    assert.deepEqual([...new Set(names)].sort(), ['extension.js', 'parts.js']);
  });
});
