import { closeSync, openSync, readdirSync, writeSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import * as path from 'node:path';
import type { Disposable } from '../disposable';
import { flush, isMissing, whenReleased } from './diskErrors';

/** A place for lines of text; several processes may append to them at the same time. */
export interface LineStore extends Disposable {
  /** Resolves once the lines are on the disk. */
  append(lines: readonly string[]): Promise<void>;
  /** Appends synchronously, for a window that closes; doesn't flush to the disk. */
  appendNow(lines: readonly string[]): void;
  /** All lines as UTF-8, newest file first. A line break follows each line and may precede it. */
  fileContents(): AsyncIterable<Buffer>;
}

interface LineLogLimits {
  /** Size in bytes above which a new file is started. */
  fileBytes: number;
  /** Maximum number of files; the oldest are deleted. */
  files: number;
}

/**
 * Lines in numbered files. Processes only append, so none can undo the lines of another, and a
 * crash can damage only the lines being written. The oldest file is deleted when there are too
 * many.
 */
export class LineLog implements LineStore {
  private disposed = false;

  /** The files are `{name}-{number}.jsonl`. */
  constructor(
    private readonly directory: string,
    private readonly name: string,
    private readonly limits: LineLogLimits,
  ) {}

  async append(lines: readonly string[]): Promise<void> {
    if (this.disposed || lines.length === 0) return;
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const numbers = this.numbers(await whenReleased(() => readdir(this.directory)));
    const newest = numbers[0] ?? 1;
    const file = await whenReleased(() => open(this.file(newest), 'a', 0o600));
    let bytes: number;
    try {
      // One write: lines of another process could otherwise land between the parts.
      const text = Buffer.from(textOf(lines));
      const { bytesWritten } = await file.write(text);
      if (bytesWritten < text.byteLength) throw new Error('The disk took only a part');
      await flush(file, 'datasync');
      bytes = (await file.stat()).size;
    } finally {
      await file.close();
    }
    if (bytes <= this.limits.fileBytes) return;
    await (await open(this.file(newest + 1), 'a', 0o600)).close();
    const surplus = numbers.slice(this.limits.files - 1);
    await Promise.all(surplus.map(number => rm(this.file(number), { force: true })));
  }

  appendNow(lines: readonly string[]): void {
    if (this.disposed || lines.length === 0) return;
    const [newest = 1] = this.numbers(readdirSync(this.directory));
    const file = openSync(this.file(newest), 'a', 0o600);
    try {
      writeSync(file, textOf(lines));
    } finally {
      closeSync(file);
    }
  }

  async *fileContents(): AsyncGenerator<Buffer, void, undefined> {
    for (const number of this.numbers(
      await whenReleased(() => readdir(this.directory)).catch(ifMissing([])),
    )) {
      yield await whenReleased(() => readFile(this.file(number))).catch(ifMissing(Buffer.alloc(0)));
    }
  }

  /** Stops writing: a late line must not recreate a deleted folder. */
  dispose(): void {
    this.disposed = true;
  }

  /** The numbers of the files among some names, the newest first. */
  private numbers(names: readonly string[]): number[] {
    return names
      .filter(name => name.startsWith(`${this.name}-`))
      .map(name => Number(/^-(\d+)\.jsonl$/.exec(name.slice(this.name.length))?.[1]))
      .filter(number => number > 0)
      .sort((left, right) => right - left);
  }

  private file(number: number): string {
    return path.join(this.directory, `${this.name}-${number}.jsonl`);
  }
}

/** The text of lines. Its first line break ends a line that a crash may have cut off. */
function textOf(lines: readonly string[]): string {
  return `\n${lines.join('\n')}\n`;
}

/** Handles a read error: another process may have deleted the file, or none has written it yet. */
function ifMissing<T>(fallback: T): (error: unknown) => T {
  return error => {
    if (isMissing(error)) return fallback;
    throw error;
  };
}

/** Parses a line `["key", {…}]`; undefined if it is damaged. */
export function parseKeyedLine(line: string): [key: string, fields: Record<string, unknown>] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const [key, fields] = value as unknown[];
  if (typeof key !== 'string' || typeof fields !== 'object' || fields === null) return undefined;
  return [key, fields as Record<string, unknown>];
}
