import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import * as path from 'node:path';
import { fileError, refuseExisting, renameToNew } from '../downloadWriter';
import { hiddenFolderName, removeStaleFolders } from './staleFolders';

/** Bytes of text gathered before they are written. */
const GATHERED = 256 * 1024;

/** A file that is being written; nobody sees it under its name yet. */
export class OutputFile {
  private position = 0;
  private text: string[] = [];
  private textLength = 0;

  constructor(
    readonly name: string,
    private readonly handle: FileHandle,
  ) {}

  /** Bytes appended so far, gathered text not counted. */
  get size(): number {
    return this.position;
  }

  async append(bytes: Uint8Array): Promise<void> {
    const position = this.position;
    this.position += bytes.byteLength;
    await this.write(bytes, position);
  }

  /** Appends text as UTF-8, in larger pieces. */
  async appendText(text: string): Promise<void> {
    this.text.push(text);
    this.textLength += text.length;
    if (this.textLength >= GATHERED) await this.flush();
  }

  /** Overwrites bytes that were appended before. */
  async patch(bytes: Uint8Array, position: number): Promise<void> {
    await this.write(bytes, position);
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.handle.close();
    }
  }

  private async flush(): Promise<void> {
    if (this.textLength === 0) return;
    const bytes = Buffer.from(this.text.join(''), 'utf8');
    this.text = [];
    this.textLength = 0;
    await this.append(bytes);
  }

  private async write(bytes: Uint8Array, position: number): Promise<void> {
    try {
      for (let done = 0; done < bytes.byteLength;) {
        const { bytesWritten } = await this.handle.write(
          bytes,
          done,
          bytes.byteLength - done,
          position + done,
        );
        done += bytesWritten;
      }
    } catch (error) {
      throw fileError(error, this.name);
    }
  }
}

/**
 * Files that appear in a folder together: they are written into a hidden folder inside it and given their names at the end.
 */
export class OutputFolder {
  private readonly files: { name: string; bytes: number }[] = [];

  private constructor(
    private readonly destination: string,
    private readonly aside: string,
    private readonly overwrite: boolean,
  ) {}

  /** Throws `exists` if one of the names is taken (unless `overwrite`), `not-found` (no such folder), `not-a-file`, `no-space`. */
  static async open(
    destination: string,
    names: readonly string[],
    overwrite: boolean,
  ): Promise<OutputFolder> {
    await removeStaleFolders(destination);
    const aside = path.join(destination, hiddenFolderName());
    try {
      await mkdir(aside);
    } catch (error) {
      throw fileError(error, path.basename(destination));
    }
    const folder = new OutputFolder(destination, aside, overwrite);
    try {
      if (!overwrite) for (const name of names) await refuseExisting(path.join(destination, name));
    } catch (error) {
      await folder.discard();
      throw error;
    }
    return folder;
  }

  /** Lets `write` fill a new file. */
  async write(name: string, write: (file: OutputFile) => Promise<void>): Promise<void> {
    const place = path.join(this.aside, name);
    const handle = await open(place, 'wx').catch((error: unknown) => {
      throw fileError(error, name);
    });
    const file = new OutputFile(name, handle);
    try {
      await write(file);
    } finally {
      await file.close();
    }
    this.files.push({ name, bytes: file.size });
  }

  /** Gives all files their names. Throws `exists` when one was taken meanwhile; none is there then. */
  async commit(): Promise<{ path: string; bytes: number }[]> {
    const moved: { path: string; bytes: number }[] = [];
    try {
      for (const { name, bytes } of this.files) {
        const target = path.join(this.destination, name);
        await (this.overwrite ? rename : renameToNew)(path.join(this.aside, name), target).catch(
          (error: unknown) => {
            throw fileError(error, name);
          },
        );
        moved.push({ path: target, bytes });
      }
    } catch (error) {
      if (!this.overwrite) for (const file of moved) await rm(file.path, { force: true });
      throw error;
    } finally {
      await this.discard();
    }
    return moved;
  }

  /** Removes what has not got its name. */
  async discard(): Promise<void> {
    await rm(this.aside, { recursive: true, force: true });
  }
}
