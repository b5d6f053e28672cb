import * as path from 'node:path';
import { posix } from 'node:path';
import { CodedError, isCoded } from '../../base/errors';
import { writeAtomicFile } from '../../base/node/atomicFile';
import { fileError } from '../../base/node/fileErrors';
import { plainFileName } from './fileStems';

/** What a person does about a file that another program has open; undefined: nothing. */
export type AboutOpenFile = 'again' | 'elsewhere' | undefined;

/** The question to a person. */
interface SaveQuestions {
  /** Where to save instead of a file that is open in another program; undefined on Esc. */
  choose(open: string): Promise<string | undefined>;
  /** Says that the file is open, and what can be done. */
  aboutOpen(error: CodedError): Promise<AboutOpenFile>;
}

/**
 * Saves a file by `write` where a person chose. If another program has it open, as Excel has a CSV,
 * it can be saved again once closed, or elsewhere. Undefined if the person does neither. Throws
 * what `write` throws besides `in-use`.
 */
export async function saveFile<T>(
  place: string,
  write: (place: string) => Promise<T>,
  { choose, aboutOpen }: SaveQuestions,
): Promise<{ path: string; saved: T } | undefined> {
  for (let target: string | undefined = place; target !== undefined;) {
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

/** Largest image of a view, in bytes; one of a 16k screen is smaller. */
const MAX_BYTES = 512 * 2 ** 20;

interface PendingSave {
  id: number;
  path: string;
  parts: Uint8Array[];
  bytes: number;
}

/** The saved image of a view: the user chooses a file, then the page sends the image in parts. */
export class ViewSaves {
  private pending: PendingSave | undefined;
  private last = 0;

  constructor(
    /** Lets the user choose a file on disk and confirm that one is replaced; undefined on Esc. */
    private readonly choosePath: (name: string) => Promise<string | undefined>,
    /** Saves there by `write`, or elsewhere if the user prefers; undefined if nothing was saved. */
    private readonly saveAt: (
      path: string,
      write: (path: string) => Promise<void>,
    ) => Promise<{ path: string } | undefined>,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** Handlers of what a page requests for it. */
  readonly handlers = {
    saveView: async ({ name }: { name: string }) => ({ save: await this.start(name) }),
    saveViewPart: async ({ save, bytes, last }: { save: number; bytes: ArrayBuffer; last: boolean }) => ({
      saved: await this.add(save, bytes, last),
    }),
  };

  /** Asks for a file; the save's ID, or null on Esc. Drops an earlier, incomplete save. */
  async start(name: string): Promise<number | null> {
    const path = await this.choosePath(name);
    if (path === undefined) return null;
    this.pending = { id: ++this.last, path, parts: [], bytes: 0 };
    return this.last;
  }

  /**
   * Adds a part. The last one writes the file and returns its path, or null if the user cancels;
   * others return null. Throws `bad-request`, and what writing throws.
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

/** Invisible and direction-changing characters, but the joiners that scripts and emoji need. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;

/** The name to propose for a saved file: plain, valid on any system, with its extension. */
export function proposedFileName(name: string): string {
  const visible = name.replace(INVISIBLE, '');
  const [extension = ''] = /\.\w{1,8}$/.exec(visible) ?? [];
  return `${plainFileName(visible.slice(0, visible.length - extension.length))}${extension}`;
}

/** The workspace folder to propose: the first on a disk, as nothing is written elsewhere. */
export function folderToSaveIn<T extends { scheme: string }>(
  folders: readonly { uri: T }[] | undefined,
): T | undefined {
  return folders?.find(({ uri }) => uri.scheme === 'file')?.uri;
}

/** More are not tried: the dialog that shows the name asks before it replaces a file. */
const MAX_TRIES = 1000;

/** A name that no file has: the given one, or with the first free number before its extension. */
export async function freeName(name: string, exists: (name: string) => Promise<boolean>): Promise<string> {
  const { name: stem, ext } = posix.parse(name);
  for (let number = 2, free = name; number <= MAX_TRIES; free = `${stem}-${number++}${ext}`) {
    if (!(await exists(free))) return free;
  }
  return name;
}
