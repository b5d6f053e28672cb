import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { whenReleased } from '../../base/node/diskErrors';

/*
 * The windows of an account find their leader by sockets whose names end in a number. The window
 * with the highest number leads. The system lets only one window bind a number, and no number is
 * used twice. So no window deletes a socket to take over its name, and a window that hung while
 * another took over can't delete the socket of the other.
 */

const PIPES = '\\\\.\\pipe\\';

/** Numbers are seconds since 1970, see windowGroup: ten digits until the year 2286. */
const MAX_NUMBER_BYTES = 10;

/** Names of the sockets of all groups. */
const SOCKET = /^[0-9a-f]{16}-(\d+)$/;

/** Minimum age of stale sockets, in seconds. A younger one may refuse while it is being created. */
const MIN_STALE_AGE = 24 * 60 * 60;

export class MeetingPlace {
  private constructor(
    /** A secret that proves that a window can read the account's folder. */
    readonly nonce: string,
    private readonly folder: string,
    private readonly prefix: string,
  ) {}

  /**
   * Opens the place for windows that share the file of a nonce. Creates the file if missing; its
   * folder must exist. Throws if the file can't be written, or if no folder for sockets is private
   * and has a short path.
   */
  static async open(nonceFile: string, machine: Machine = thisMachine()): Promise<MeetingPlace> {
    const nonce = await sharedNonce(nonceFile);
    const group = createHash('sha256').update(`${PROTOCOL} ${nonce}`).digest('hex').slice(0, 16);
    // On Windows all pipes share one namespace, so use a longer prefix.
    if (process.platform === 'win32') return new MeetingPlace(nonce, PIPES, `image-analysis-${group}-`);
    const prefix = `${group}-`;
    const folder = await runtimeFolder(machine, prefix.length + MAX_NUMBER_BYTES);
    if (folder === undefined) throw new Error('No folder for sockets is private and has a short path');
    return new MeetingPlace(nonce, folder, prefix);
  }

  /** The number of the latest leader, which may be gone; undefined if there was none. */
  async latest(): Promise<number | undefined> {
    return (await this.numbers()).sort((left, right) => right - left)[0];
  }

  /** The address at which the leader of a number listens. */
  address(number: number): string {
    return path.join(this.folder, `${this.prefix}${number}`);
  }

  /**
   * Deletes sockets of earlier leaders, and stale sockets of other groups, such as signed-out
   * accounts. Named pipes vanish with their processes.
   */
  async removeBefore(number: number): Promise<void> {
    if (this.folder === PIPES) return;
    const earlierNumbers = (await this.numbers()).filter(earlier => earlier < number);
    await Promise.all(earlierNumbers.map(earlier => rm(this.address(earlier), { force: true })));
    for (const name of await readdir(this.folder)) {
      const createdAt = Number(SOCKET.exec(name)?.[1] ?? number);
      if (createdAt >= number - MIN_STALE_AGE || name.startsWith(this.prefix)) continue;
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

/** Whether no process listens to a socket any more. */
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

/** The nonce in a file; creates the file if missing. */
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

/** Version of the messages between windows. Windows of different versions never meet. */
export const PROTOCOL = 2;

export type Side = 'leader' | 'follower';

/** The first message of either side. */
interface Hello {
  protocol: number;
  /** Proves knowledge of the nonce without revealing it. */
  proof: string;
}

export function hello(nonce: string, side: Side): Hello {
  return { protocol: PROTOCOL, proof: proofOf(nonce, side) };
}

/** Whether a message is a valid hello of that side: same version, and a proof of the nonce. */
export function isHello(message: unknown, nonce: string, side: Side): boolean {
  const { protocol, proof } = (message ?? {}) as Partial<Record<keyof Hello, unknown>>;
  if (protocol !== PROTOCOL || typeof proof !== 'string') return false;
  const expected = Buffer.from(proofOf(nonce, side));
  const received = Buffer.from(proof);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function proofOf(nonce: string, side: Side): string {
  return createHmac('sha256', nonce).update(side).digest('hex');
}

/** Facts of this machine that decide where sockets are; tests replace them. */
interface Machine {
  /** $XDG_RUNTIME_DIR: the user's runtime folder, on systems such as systemd's. */
  runtime: string | undefined;
  temporary: string;
  /** All users' folder for temporary files, in case the path of `temporary` is too long. */
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

/** Maximum bytes of a socket's path: 104 on macOS, 108 on Linux, including a final zero. */
const MAX_PATH_BYTES = 103;

/**
 * A folder that no other user can enter and no other machine shares (a home folder may be shared).
 * Its path is short enough for a socket name of `nameBytes`. Creates the folder if missing.
 * Undefined if there is none, as when another user created the folder.
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
  // Use lstat: in a folder that all users share, a symbolic link may lead anywhere.
  const { uid, mode, isFolder } = await lstat(folder).then(
    stats => ({ uid: stats.uid, mode: stats.mode, isFolder: stats.isDirectory() }),
    () => ({ uid: -1, mode: 0, isFolder: false }),
  );
  return isFolder && uid === user && (mode & 0o077) === 0;
}
