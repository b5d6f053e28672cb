import * as path from 'node:path';
import { posix } from 'node:path';
import { CodedError, isCoded } from '../../base/errors';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { fileError } from '../../base/node/fileErrors';
import { plainFileName } from './fileStems';

/** The user's decision about a file that is open in another program; undefined cancels. */
export type AboutOpenFile = 'again' | 'elsewhere' | undefined;

/** Prompts of the user. */
interface SavePrompts {
  /**
   * Asks for another path, because the file at `open` is open in another program. Undefined on Esc.
   */
  choose(open: string): Promise<string | undefined>;
  /** Informs the user that the file is open, and asks for a decision. */
  aboutOpen(error: CodedError): Promise<AboutOpenFile>;
}

/**
 * Saves a file with `write` at the selected path. If another program has it open, as Excel has a
 * CSV, the user can save it again after closing it, or elsewhere. Undefined if the user cancels.
 * Throws the errors of `write` except `in-use`.
 */
export async function saveFile<T>(
  filePath: string,
  write: (filePath: string) => Promise<T>,
  { choose, aboutOpen }: SavePrompts,
): Promise<{ path: string; saved: T } | undefined> {
  for (let target: string | undefined = filePath; target !== undefined;) {
    try {
      return { path: target, saved: await write(target) };
    } catch (error) {
      if (!isCoded(error, 'in-use')) throw error;
      const answer = await aboutOpen(error);
      if (answer === undefined) return undefined;
      if (answer === 'elsewhere') target = await choose(target);
    }
  }
  return undefined;
}

/** Replaces a file as a whole. Throws `in-use`, `not-a-file`, `not-found`, `no-space`. */
export async function writeWholeFile(file: string, parts: readonly Uint8Array[]): Promise<void> {
  await writeAtomicFile(file, async handle => {
    for (const part of parts) await handle.appendFile(part);
  }).catch((error: unknown) => {
    throw fileError(error, path.basename(file));
  });
}

/** Maximum size of an image of a view, in bytes, larger than an image of a 16k screen. */
const MAX_BYTES = 512 * 2 ** 20;

interface PendingSave {
  id: number;
  path: string;
  parts: Uint8Array[];
  bytes: number;
}

/** Saves images of views: the user chooses a file, then the page sends the image in parts. */
export class ViewSaves {
  private pending: PendingSave | undefined;
  private lastId = 0;

  constructor(
    /** Prompts for a file on disk, and confirms the replacement of a file; undefined on Esc. */
    private readonly choosePath: (name: string) => Promise<string | undefined>,
    /**
     * Saves with `write` at the path, or elsewhere if the user prefers; undefined if nothing was
     * saved.
     */
    private readonly saveAt: (
      path: string,
      write: (path: string) => Promise<void>,
    ) => Promise<{ path: string } | undefined>,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** Handlers of the page's requests. */
  readonly handlers = {
    saveView: async ({ name }: { name: string }) => ({ save: await this.start(name) }),
    saveViewPart: async ({ save, bytes, last }: { save: number; bytes: ArrayBuffer; last: boolean }) => ({
      saved: await this.add(save, bytes, last),
    }),
  };

  /**
   * Prompts for a file. Returns the ID of the save, or null on Esc. Discards an earlier, incomplete
   * save.
   */
  async start(name: string): Promise<number | null> {
    const path = await this.choosePath(name);
    if (path === undefined) return null;
    this.pending = { id: ++this.lastId, path, parts: [], bytes: 0 };
    return this.lastId;
  }

  /**
   * Adds a part. The last part writes the file and returns its path, or null if the user cancels;
   * other parts return null. Throws `bad-request`, and the errors of writing.
   */
  async add(save: number, bytes: ArrayBuffer, last: boolean): Promise<string | null> {
    const { pending } = this;
    if (pending?.id !== save) throw new CodedError('bad-request', 'There is no such save');
    if (pending.bytes + bytes.byteLength > this.maxBytes) {
      this.pending = undefined;
      throw new CodedError('bad-request', 'The image is too large');
    }
    pending.parts.push(new Uint8Array(bytes));
    pending.bytes += bytes.byteLength;
    if (!last) return null;
    this.pending = undefined;
    const written = await this.saveAt(pending.path, path => writeWholeFile(path, pending.parts));
    return written?.path ?? null;
  }
}

/** Invisible and direction-changing characters, except joiners, which scripts and emoji need. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;

/**
 * The proposed name of a file: without invisible characters, valid on all systems, with its
 * extension.
 */
export function proposedFileName(name: string): string {
  const visible = name.replace(INVISIBLE, '');
  const [extension = ''] = /\.\w{1,8}$/.exec(visible) ?? [];
  return `${plainFileName(visible.slice(0, visible.length - extension.length))}${extension}`;
}

/** The first workspace folder on a disk, as files are only written to disks. */
export function folderToSaveIn<T extends { scheme: string }>(
  folders: readonly { uri: T }[] | undefined,
): T | undefined {
  return folders?.find(({ uri }) => uri.scheme === 'file')?.uri;
}

/** Maximum number of tried names: the dialog asks before it replaces a file. */
const MAX_TRIES = 1000;

/** A free name: the given name, or the name with the first free number before its extension. */
export async function freeName(name: string, exists: (name: string) => Promise<boolean>): Promise<string> {
  const { name: stem, ext } = posix.parse(name);
  for (let number = 2, candidate = name; number <= MAX_TRIES; candidate = `${stem}-${number++}${ext}`) {
    if (!(await exists(candidate))) return candidate;
  }
  return name;
}
