import type { FileHandle } from 'node:fs/promises';
import { toDisposable, type Disposable } from '../../src/base/disposable';
import type { SystemReader } from '../../src/base/node/thisProcess';

/*
 * What disks and machines do that the one of these tests doesn't: Windows while another program has
 * a file open, a virus scanner that reads it, exFAT without links, synchronized folders without
 * flush, names that differ only in case, the long temporary folder of a Mac, host names that
 * change. A foreign disk is a real folder; calls of Node's file system on paths in it respond as
 * such a disk does, whoever makes them. They are replaced in the modules of Node.js, and in what
 * was imported of these by name.
 */

// Not imported: an imported module can't be changed.
const fs = process.getBuiltinModule('node:fs');
const os = process.getBuiltinModule('node:os');
const path = process.getBuiltinModule('node:path');
/** Passes a replaced function on to whoever imported it by name. */
const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');

/**
 * What is asked of the file system. `read` and `write` are opening a file for it, in whatever way.
 */
export type DiskOperation =
  | 'read'
  | 'write'
  | 'rename'
  | 'link'
  | 'remove'
  | 'sync'
  | 'list'
  | 'stat'
  | 'copy'
  | 'touch'
  | 'makeFolder';

interface Refusal {
  operations: ReadonlySet<DiskOperation>;
  code: string;
  concerns(file: string): boolean;
}

/** Functions of Node.js by what they do; those with a second path name it too. */
const FUNCTIONS: Readonly<Record<string, { operation: DiskOperation; paths?: readonly number[] }>> = {
  access: { operation: 'stat' },
  appendFile: { operation: 'write' },
  copyFile: { operation: 'copy', paths: [0, 1] },
  link: { operation: 'link', paths: [0, 1] },
  lstat: { operation: 'stat' },
  mkdir: { operation: 'makeFolder' },
  mkdtemp: { operation: 'makeFolder' },
  open: { operation: 'read' },
  readFile: { operation: 'read' },
  readdir: { operation: 'list' },
  realpath: { operation: 'stat' },
  rename: { operation: 'rename', paths: [0, 1] },
  rm: { operation: 'remove' },
  rmdir: { operation: 'remove' },
  stat: { operation: 'stat' },
  unlink: { operation: 'remove' },
  utimes: { operation: 'touch' },
  writeFile: { operation: 'write' },
};

/** What Node.js calls them in its errors. */
const SYSTEM_CALLS: Readonly<Record<DiskOperation, string>> = {
  read: 'open',
  write: 'open',
  rename: 'rename',
  link: 'link',
  remove: 'unlink',
  sync: 'fsync',
  list: 'scandir',
  stat: 'stat',
  copy: 'copyfile',
  touch: 'utime',
  makeFolder: 'mkdir',
};

type AnyFunction = (...args: unknown[]) => unknown;
/** A module of Node.js whose functions are replaced for a time. */
type Replaceable = Record<string, AnyFunction>;

/** A folder whose disk responds differently, until it is disposed of; the folder itself stays. */
export class ForeignDisk implements Disposable {
  /** All that are in use; the functions of Node.js are replaced as long as there is one. */
  private static readonly inUse = new Set<ForeignDisk>();
  private static undo: (() => void)[] = [];

  /** How often each kind of call was refused. */
  readonly refused = new Map<DiskOperation, number>();
  private readonly refusals = new Set<Refusal>();
  private ignoresCase = false;

  constructor(readonly folder: string) {
    if (ForeignDisk.inUse.size === 0) ForeignDisk.replaceFunctions();
    ForeignDisk.inUse.add(this);
  }

  /**
   * Another program has a file open: it can be read, but not replaced, renamed, removed or written,
   * until this is disposed of.
   */
  hold(file: string, code: 'EPERM' | 'EACCES' | 'EBUSY' = 'EBUSY'): Disposable {
    const held = this.absolute(file);
    return this.refuse(['rename', 'write', 'remove', 'copy'], code, other => this.isSame(other, held));
  }

  /**
   * A virus scanner has the files: they can't be opened for some time from the first attempt on.
   * Milliseconds.
   */
  scan(concerns: (file: string) => boolean = () => true, time = 30, code = 'EBUSY'): Disposable {
    const until = new Map<string, number>();
    return this.refuse(['read'], code, file => {
      if (!concerns(file)) return false;
      const now = performance.now();
      const end = until.get(file) ?? now + time;
      until.set(file, end);
      return now < end;
    });
  }

  /** There are no hard links: exFAT and FAT32 on Windows say EISDIR, others EPERM or ENOTSUP. */
  refuseLinks(code = 'EISDIR'): Disposable {
    return this.refuse(['link'], code);
  }

  /** Files can't be flushed to the disk: synchronized, network and virtual folders. */
  refuseFlush(code = 'EPERM'): Disposable {
    return this.refuse(['sync'], code);
  }

  /** Names that differ only in case are the same. */
  ignoreCase(): void {
    this.ignoresCase = true;
  }

  /**
   * Refuses calls with an error of the system, until it is disposed of. `concerns` gets absolute
   * paths.
   */
  refuse(
    operations: readonly DiskOperation[],
    code: string,
    concerns: (file: string) => boolean = () => true,
  ): Disposable {
    const refusal = { operations: new Set(operations), code, concerns };
    this.refusals.add(refusal);
    return toDisposable(() => this.refusals.delete(refusal));
  }

  dispose(): void {
    this.refusals.clear();
    if (!ForeignDisk.inUse.delete(this) || ForeignDisk.inUse.size > 0) return;
    for (const undo of ForeignDisk.undo.splice(0)) undo();
    syncBuiltinESMExports();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** The error for a call on a file of this disk; undefined where it may go on. */
  private refusalOf(operation: DiskOperation, file: string): NodeJS.ErrnoException | undefined {
    for (const { operations, code, concerns } of this.refusals) {
      if (!operations.has(operation) || !concerns(file)) continue;
      this.refused.set(operation, (this.refused.get(operation) ?? 0) + 1);
      const error = new Error(`${code}: refused by a foreign disk, ${operation} '${file}'`);
      return Object.assign(error, { code, syscall: SYSTEM_CALLS[operation], path: file });
    }
    return undefined;
  }

  private contains(file: string): boolean {
    return file === this.folder || file.startsWith(this.folder + path.sep);
  }

  private absolute(file: string): string {
    return path.resolve(this.folder, file);
  }

  private isSame(left: string, right: string): boolean {
    return this.ignoresCase ? left.toLowerCase() === right.toLowerCase() : left === right;
  }

  /** The name that a file really has, if names are the same without case. */
  private realName(file: string, readNames: (folder: string) => string[]): string {
    if (!this.ignoresCase || file === this.folder) return file;
    let real = this.folder;
    for (const name of path.relative(this.folder, file).split(path.sep)) {
      const same = readNames(real).find(other => other.toLowerCase() === name.toLowerCase());
      real = path.join(real, same ?? name);
    }
    return real;
  }

  private static replaceFunctions(): void {
    const sync = fs as unknown as Replaceable;
    const readNames = fs.readdirSync;
    const namesIn = (folder: string) => {
      try {
        return readNames(folder);
      } catch {
        return [];
      }
    };
    for (const [name, { operation, paths = [0] }] of Object.entries(FUNCTIONS)) {
      /** The arguments with real names; throws where a disk refuses. */
      const checked = (args: unknown[]): unknown[] => {
        const mapped = [...args];
        const kind = name === 'open' && isForWriting(args[1]) ? 'write' : operation;
        for (const index of paths) {
          const file = pathOf(args[index]);
          const disk = file === undefined ? undefined : ForeignDisk.of(file);
          if (file === undefined || !disk) continue;
          const real = disk.realName(file, namesIn);
          mapped[index] = real;
          // A file that is copied is only read.
          const each = kind === 'copy' && index === 0 ? 'read' : kind;
          const error = disk.refusalOf(each, real);
          if (error) throw error;
          if (kind !== 'remove') continue;
          // A folder is removed with what is in it.
          for (const inner of [...disk.refusals].length > 0 ? filesBelow(real, readNames) : []) {
            const refused = disk.refusalOf('remove', inner);
            if (refused) throw refused;
          }
        }
        return mapped;
      };
      ForeignDisk.replace(fs.promises as unknown as Replaceable, name, real => async (...args) => {
        const result = await real(...checked(args));
        return name === 'open' ? refusingHandle(result as FileHandle, pathOf(args[0])) : result;
      });
      ForeignDisk.replace(
        sync,
        `${name}Sync`,
        real =>
          (...args) =>
            real(...checked(args)),
      );
      ForeignDisk.replace(sync, name, real => (...args) => {
        let mapped: unknown[];
        try {
          mapped = checked(args);
        } catch (error) {
          const callback = args.at(-1) as (error: unknown) => void;
          process.nextTick(callback, error);
          return;
        }
        real(...mapped);
      });
    }
    syncBuiltinESMExports();
  }

  private static replace(module: Replaceable, name: string, by: (real: AnyFunction) => AnyFunction): void {
    const real = module[name];
    if (!real) return;
    // What hangs on a function, as realpath.native does, stays.
    module[name] = Object.assign(by(real.bind(module)), real);
    ForeignDisk.undo.push(() => (module[name] = real));
  }

  private static of(file: string): ForeignDisk | undefined {
    return [...ForeignDisk.inUse].find(disk => disk.contains(file));
  }

  /** The error for the flush of a file. */
  static flushRefusal(file: string): Error | undefined {
    return ForeignDisk.of(file)?.refusalOf('sync', file);
  }
}

/** A handle whose flush a disk may refuse. */
function refusingHandle(handle: FileHandle, file: string | undefined): FileHandle {
  if (file === undefined) return handle;
  for (const name of ['sync', 'datasync'] as const) {
    const real = handle[name].bind(handle);
    handle[name] = async () => {
      const error = ForeignDisk.flushRefusal(file);
      if (error) throw error;
      await real();
    };
  }
  return handle;
}

function pathOf(argument: unknown): string | undefined {
  return typeof argument === 'string' ? path.resolve(argument) : undefined;
}

function isForWriting(flags: unknown): boolean {
  if (typeof flags === 'string') return /[wa+]/.test(flags);
  return typeof flags === 'number' && (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0;
}

function filesBelow(folder: string, readNames: typeof fs.readdirSync): string[] {
  try {
    return readNames(folder, { recursive: true }).map(name => path.join(folder, String(name)));
  } catch {
    return [];
  }
}

/** What a machine says of itself. */
export interface ForeignMachine {
  platform?: NodeJS.Platform;
  /** Changes on a Mac with its network; read at each call. */
  hostname?: () => string;
  /** A folder for temporary files, as `macTemporaryFolder` makes one. */
  temporary?: string;
}

/** Runs work on a machine that says other things of itself. */
export async function onMachine<T>(machine: ForeignMachine, work: () => T | Promise<T>): Promise<T> {
  const { hostname } = os;
  const platform = Object.getOwnPropertyDescriptor(process, 'platform');
  const temporary = ['TMPDIR', 'TEMP', 'TMP'].map(name => [name, process.env[name]] as const);
  if (machine.hostname) os.hostname = machine.hostname;
  syncBuiltinESMExports();
  if (machine.platform) Object.defineProperty(process, 'platform', { ...platform, value: machine.platform });
  if (machine.temporary !== undefined) for (const [name] of temporary) process.env[name] = machine.temporary;
  try {
    return await work();
  } finally {
    os.hostname = hostname;
    syncBuiltinESMExports();
    if (platform) Object.defineProperty(process, 'platform', platform);
    for (const [name, value] of temporary) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

/** A Mac, whose name is another one in each network. */
export function mac(name: string, uuid = '564D0C1E-0001'): SystemReader {
  const missing = () => Promise.reject(new Error('Not on a Mac'));
  return {
    platform: 'darwin',
    hostname: () => name,
    readText: missing,
    readLink: missing,
    output: () => Promise.resolve(`  {\n    "IOPlatformUUID" = "${uuid}"\n  }\n`),
  };
}

/**
 * Until it is disposed of, what waits for some time goes on at once: a file that stays open is
 * tried again for more than a second otherwise.
 */
export function withoutWaiting(): Disposable {
  const real = globalThis.setTimeout;
  const now = (work: (...args: unknown[]) => void, _: number, ...args: unknown[]) => real(work, 0, ...args);
  globalThis.setTimeout = Object.assign(now, real);
  return toDisposable(() => {
    globalThis.setTimeout = real;
  });
}

/**
 * Bytes of the path of a temporary folder on a Mac:
 * /var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T.
 */
const MAC_TEMPORARY_BYTES = 48;

/**
 * Makes a folder whose path is as long as that of a Mac's temporary folder. The caller removes it.
 */
export function macTemporaryFolder(): string {
  // Where the system's own is longer, only one next to the root is short enough.
  const parent =
    Buffer.byteLength(os.tmpdir()) + 16 > MAC_TEMPORARY_BYTES ? path.resolve('/tmp') : os.tmpdir();
  const random = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
  const begin = path.join(parent, `mac-${random}-`);
  const folder = begin.padEnd(MAC_TEMPORARY_BYTES, 'T');
  fs.mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs synchronous work with Windows' rules for paths, in all modules. */
export function withWindowsPaths<T>(work: () => T): T {
  const module = path as unknown as Record<string, unknown>;
  const own = { ...module };
  for (const [name, value] of Object.entries(path.win32)) {
    if (name !== 'win32' && name !== 'posix') module[name] = value as unknown;
  }
  try {
    return work();
  } finally {
    Object.assign(module, own);
  }
}
