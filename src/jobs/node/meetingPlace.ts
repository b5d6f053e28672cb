import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { whenReleased } from '../../base/node/diskErrors';

/*
 * Where the windows of an account find their leader: a socket whose name ends in a number, and the
 * highest number leads. A number is bound by one window only, which the system ensures, and is
 * never used again. So no window has to delete a socket in order to take its name, and a window
 * that was stopped while another took over can't delete the other's.
 */

const PIPES = '\\\\.\\pipe\\';

/** Numbers are seconds since 1970, see windowGroup: ten digits until the year 2286. */
const MAX_NUMBER_BYTES = 10;

/** The sockets of all groups. */
const SOCKET = /^[0-9a-f]{16}-(\d+)$/;

/** A younger socket that refuses connections may be one whose window is just making it. Seconds. */
const MIN_STALE_AGE = 24 * 60 * 60;

export class MeetingPlace {
  private constructor(
    /** What proves that a window can read the account's folder. */
    readonly nonce: string,
    private readonly folder: string,
    private readonly prefix: string,
  ) {}

  /**
   * The place for the windows that share a nonce's file, which is created if missing; its folder
   * must exist. Throws where it can't be written, and where no folder for sockets is private and
   * has a path that is short enough.
   */
  static async open(nonceFile: string, machine: Machine = thisMachine()): Promise<MeetingPlace> {
    const nonce = await sharedNonce(nonceFile);
    const group = createHash('sha256').update(`${PROTOCOL} ${nonce}`).digest('hex').slice(0, 16);
    // All programs see the names of all pipes.
    if (process.platform === 'win32') return new MeetingPlace(nonce, PIPES, `image-analysis-${group}-`);
    const prefix = `${group}-`;
    const folder = await runtimeFolder(machine, prefix.length + MAX_NUMBER_BYTES);
    if (folder === undefined) throw new Error('No folder for sockets is private and has a short path');
    return new MeetingPlace(nonce, folder, prefix);
  }

  /** The number of the latest leader, which may be gone; undefined where there was none. */
  async latest(): Promise<number | undefined> {
    return (await this.numbers()).sort((left, right) => right - left)[0];
  }

  /** Where the leader of a number listens. */
  address(number: number): string {
    return path.join(this.folder, `${this.prefix}${number}`);
  }

  /**
   * Deletes sockets of earlier leaders, and remains of other groups, as of signed-out accounts.
   * Named pipes vanish with their processes.
   */
  async removeBefore(number: number): Promise<void> {
    if (this.folder === PIPES) return;
    const earlier = (await this.numbers()).filter(other => other < number);
    await Promise.all(earlier.map(other => rm(this.address(other), { force: true })));
    for (const name of await readdir(this.folder)) {
      const madeAt = Number(SOCKET.exec(name)?.[1] ?? number);
      if (madeAt >= number - MIN_STALE_AGE || name.startsWith(this.prefix)) continue;
      const file = path.join(this.folder, name);
      if (await isStale(file)) await rm(file, { force: true });
    }
  }

  private async numbers(): Promise<number[]> {
    return (await readdir(this.folder))
      .filter(name => name.startsWith(this.prefix))
      .map(name => Number(name.slice(this.prefix.length)))
      .filter(Number.isSafeInteger);
  }
}

/** Whether nobody listens to a socket any more. */
async function isStale(file: string): Promise<boolean> {
  const socket = connect(file);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

const NONCE = /^[0-9a-f]{64}$/;

/** The nonce of a file, which the first window creates. */
async function sharedNonce(file: string): Promise<string> {
  const created = randomBytes(32).toString('hex');
  try {
    await writeAtomicFile(file, handle => handle.writeFile(created), { mode: 0o600, replace: false });
    return created;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const nonce = await whenReleased(() => readFile(file, 'utf8'));
  if (!NONCE.test(nonce)) throw new Error('The file by which windows recognize each other is damaged');
  return nonce;
}

/** Windows whose messages differ in meaning must not meet; raised with every such change. */
export const PROTOCOL = 2;

export type Side = 'leader' | 'follower';

/** The first message of either side. */
interface Hello {
  protocol: number;
  /** Proves knowledge of the nonce without telling it. */
  proof: string;
}

export function hello(nonce: string, side: Side): Hello {
  return { protocol: PROTOCOL, proof: proofOf(nonce, side) };
}

/** Whether a message is the hello of that side, by a window of our version that knows the nonce. */
export function isHello(message: unknown, nonce: string, side: Side): boolean {
  const { protocol, proof } = (message ?? {}) as Partial<Record<keyof Hello, unknown>>;
  if (protocol !== PROTOCOL || typeof proof !== 'string') return false;
  const expected = Buffer.from(proofOf(nonce, side));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function proofOf(nonce: string, side: Side): string {
  return createHmac('sha256', nonce).update(side).digest('hex');
}

/** What decides where sockets are on this machine; tests replace it. */
interface Machine {
  /** Where the system has a folder for each user, as systemd does: $XDG_RUNTIME_DIR. */
  runtime: string | undefined;
  temporary: string;
  /** All users' folder for temporary files, where the path of the user's own is too long. */
  shared: string;
  /** The ID of the user. */
  user: number;
}

function thisMachine(): Machine {
  return {
    runtime: process.env['XDG_RUNTIME_DIR'],
    temporary: tmpdir(),
    shared: '/tmp',
    user: process.getuid?.() ?? 0,
  };
}

/** Longer socket paths fail: 104 bytes on macOS, 108 on Linux, including a final zero. */
const MAX_PATH_BYTES = 103;

/**
 * A folder that no other user can enter and no other machine shares, as a home may be, and in which
 * a socket can have a name of so many bytes; created if missing. Undefined where there is none: one
 * that another user made is not used.
 */
export async function runtimeFolder(machine: Machine, nameBytes: number): Promise<string | undefined> {
  const { runtime, temporary, shared, user } = machine;
  const hasRuntime = runtime !== undefined && path.isAbsolute(runtime);
  const folders = [
    ...(hasRuntime ? [path.join(runtime, 'image-analysis')] : []),
    // On macOS the folder for temporary files has a path of 48 bytes, and a user's ID may have ten
    // digits.
    ...[temporary, shared].map(parent => path.join(parent, `ia-${user}`)),
  ];
  for (const folder of folders) {
    const isShort = Buffer.byteLength(folder) + 1 + nameBytes <= MAX_PATH_BYTES;
    if (isShort && (await isPrivate(folder, user))) return folder;
  }
  return undefined;
}

async function isPrivate(folder: string, user: number): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  // Not stat: in a folder that all users share, a symbolic link may lead anywhere.
  const { uid, mode, isFolder } = await lstat(folder).then(
    stats => ({ uid: stats.uid, mode: stats.mode, isFolder: stats.isDirectory() }),
    () => ({ uid: -1, mode: 0, isFolder: false }),
  );
  return isFolder && uid === user && (mode & 0o077) === 0;
}
