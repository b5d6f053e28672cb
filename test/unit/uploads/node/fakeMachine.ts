import { toDisposable, type Disposable } from '../../../../src/base/disposable';
import { silentLog, type Log } from '../../../../src/base/log';
import { UploadBatches } from '../../../../src/uploads/node/uploadBatches';
import type { CrossWindowFiles } from '../../../../src/base/node/crossWindowFolder';

type BatchParts = ConstructorParameters<typeof UploadBatches>[0];

/** Disk, clock and processes of a machine with several windows. */
export class FakeMachine {
  readonly files = new Map<string, { text: string; writtenAt: number }>();
  readonly running = new Set<number>();
  /** How often each file was written. */
  readonly writes = new Map<string, number>();
  now = 1_000_000_000;
  full = false;
  /** How often a folder was listed. */
  lists = 0;
  /** Whether watchers are told the names of what has changed, which not all systems do. */
  tellsNames = true;
  /** Decides when a step on the disk happens; at once unless a test says so. */
  whenItsTurn: () => Promise<void> = () => Promise.resolve();
  /** How many timers and watchers there are. */
  active = 0;
  private readonly folders = new Set<string>();
  private readonly ticks = new Set<() => void>();
  private readonly watchers = new Set<{ folder: string; onChange: (name: string | undefined) => void }>();
  private pids = 100;

  /** A window that was opened, with a process of its own. */
  openWindow(log: Log = silentLog): FakeWindow {
    const pid = ++this.pids;
    this.running.add(pid);
    const parts: BatchParts = {
      disk: this.diskOf(pid),
      currentProcess: {
        session: `session ${pid}`,
        pid,
        host: 'here',
        bootedAt: 0,
        isRunning: other => this.running.has(other),
      },
      now: () => this.now,
      every: (_, tick) => this.register(this.ticks, () => this.running.has(pid) && tick()),
      log,
    };
    return { pid, parts, batches: new UploadBatches(parts) };
  }

  /** Ends a window's process at once: nothing of it runs or is written any more. */
  crash({ pid }: FakeWindow): void {
    this.running.delete(pid);
  }

  /** Lets time pass; timers of windows tick at the end of it. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
    for (const tick of [...this.ticks]) tick();
  }

  private diskOf(pid: number): CrossWindowFiles {
    /** One step on the disk, which nothing interrupts; a process that is over never gets there. */
    const step = async <T>(work: () => T): Promise<T> => {
      await this.whenItsTurn();
      if (!this.running.has(pid)) await new Promise(() => undefined);
      return work();
    };
    const write = (file: string, text: string) => {
      if (this.full) throw Object.assign(new Error('disk full'), { code: 'ENOSPC' });
      const folder = file.slice(0, file.indexOf('/'));
      if (!this.folders.has(folder)) throw Object.assign(new Error('no folder'), { code: 'ENOENT' });
      this.files.set(file, { text, writtenAt: this.now });
      this.writes.set(file, (this.writes.get(file) ?? 0) + 1);
      const name = this.tellsNames ? file.slice(folder.length + 1) : undefined;
      for (const watcher of [...this.watchers]) if (watcher.folder === folder) watcher.onChange(name);
    };
    return {
      list: folder =>
        step(() => {
          this.lists += 1;
          if (folder === '') return [...this.folders];
          return [...this.files.keys()].flatMap(file =>
            file.startsWith(`${folder}/`) ? [file.slice(folder.length + 1)] : [],
          );
        }),
      read: file => step(() => this.files.get(file)),
      makeFolder: folder => step(() => void this.folders.add(folder)),
      create: (file, text) =>
        step(() => {
          if (this.files.has(file) || !this.folders.has(file.slice(0, file.indexOf('/')))) return false;
          write(file, text);
          return true;
        }),
      replace: (file, pieces, signal) =>
        step(() => {
          if (!signal?.aborted) write(file, [...pieces].join(''));
        }),
      touch: () => Promise.resolve(),
      replaceNow: write,
      remove: path =>
        step(() => {
          this.folders.delete(path);
          for (const file of [...this.files.keys()])
            if (file === path || file.startsWith(`${path}/`)) this.files.delete(file);
        }),
      watch: (folder, onChange) =>
        this.register(this.watchers, { folder, onChange: name => this.running.has(pid) && onChange(name) }),
    };
  }

  private register<T>(set: Set<T>, entry: T): Disposable {
    set.add(entry);
    this.active += 1;
    return toDisposable(() => {
      this.active -= 1;
      set.delete(entry);
    });
  }
}

export interface FakeWindow {
  pid: number;
  parts: BatchParts;
  batches: UploadBatches;
}
