import { Ascii } from '../../base/ascii';
import { throwIfCanceled } from '../../base/errors';
import { NotJson } from '../../base/jsonCursor';
import { JsonMembers, lastString, type ValueStep } from '../../base/node/jsonMembers';
import { Pacer } from '../../base/node/slices';
import { reason } from '../../base/reasons';
import { damagedArchive, tooManyObjects } from '../node/archiveContents';
import type { ClassIndex } from './classNames';
import { type ImageObjects, ObjectColumns } from './imageObjects';
import type { MasksKernel, MasksKernels } from './masksKernel';
import { type FrameSize, ObjectMembers, ObjectRecords, type RecordNotes } from './objectRecords';
import { beginsNumber, readNumber } from './recordScanner';

/** Bytes that are read between two checks for a pause: a few milliseconds. */
const SLICE_BYTES = 256 * 1024;

export interface ImageEntry extends RecordNotes {
  id: string;
  filename: string;
  objects: ImageObjects;
}

/** The bytes of an image's entry. */
export interface EntrySource {
  /** Gives the inflated bytes, each time from the beginning. */
  open: () => AsyncIterable<Uint8Array>;
  /** Number of bytes, as the archive declares it. */
  size: number;
  /** The image's ID according to the entry's name, used when its JSON has none. */
  entryId: string;
}

/** Follows the reading of an entry. */
export interface EntryWatch {
  /** Called several times a second; see EntryScanner.soFar. */
  onSlice: (soFar: EntrySoFar | undefined) => void;
  /** Resolves when reading may continue, because another entry may come first. */
  untilOthersRead: () => Promise<unknown> | undefined;
}

interface ReadOptions {
  signal?: AbortSignal | undefined;
  watch?: EntryWatch | undefined;
  /** Without them JavaScript reads all objects. */
  kernels?: MasksKernels | undefined;
}

/**
 * Reads the JSON of one image's entry; docs/service.md, "Masks archive". An entry whose objects
 * come before the image's size, or in no order, is read twice. An object that can't be read is
 * listed with its reason and leaves the others unaffected. Throws `damaged-archive`,
 * `too-many-objects`, `cancelled`.
 */
export async function readImageEntry(
  source: EntrySource,
  classNames: ClassIndex,
  { kernels, ...options }: ReadOptions = {},
): Promise<ImageEntry> {
  const kernel = kernels?.acquire();
  try {
    return await readWith(kernel, source, classNames, options);
  } finally {
    if (kernel) kernels?.release(kernel);
  }
}

async function readWith(
  kernel: MasksKernel | undefined,
  { open, size, entryId }: EntrySource,
  classNames: ClassIndex,
  { signal, watch }: ReadOptions,
): Promise<ImageEntry> {
  const pacer = new Pacer(signal);
  let hints: ScanHints = {};
  for (;;) {
    throwIfCanceled(signal);
    const scanner = new EntryScanner(classNames, size, hints, kernel);
    for await (const chunk of open())
      for (let start = 0; start < chunk.length && !scanner.needsRescan; start += SLICE_BYTES) {
        scanner.push(chunk.subarray(start, start + SLICE_BYTES));
        if (!pacer.isDue) continue;
        watch?.onSlice(scanner.soFar);
        await pacer.pause();
        await watch?.untilOthersRead();
      }
    const result = scanner.finish();
    if ('objects' in result) {
      const id = result.id ?? entryId;
      return { ...result, id, filename: result.filename ?? id };
    }
    hints = result;
  }
}

// JSON.parse can't read an entry: it may be longer than a string may be, and parsed objects would
// take many times the memory of their runs. The scanner reads bytes in chunks as they are inflated,
// one object record at a time, and needs memory only for the runs and the longest record.

/** Maximum bytes of a single value or object record. */
const MAX_VALUE_BYTES = 256 * 1024 ** 2;
/** Pixels: 168 times the largest slides; loops over an image's columns stay short. */
const MAX_SIDE = 2 ** 24;

/** Findings of a first pass over an entry that a second pass needs. */
interface ScanHints {
  frame?: FrameSize;
  /** Keys aren't in ascending order: all of them must be remembered to find duplicates. */
  rememberKeys?: boolean;
}

interface ScannedEntry extends RecordNotes {
  id?: string;
  filename?: string;
  objects: ImageObjects;
}

/** The part of an entry that was read so far. */
export interface EntrySoFar {
  /** Numbered as in the complete image. */
  objects: ImageObjects;
  /** The share of the entry that was read, 0…1. */
  share: number;
}

/**
 * Reads the JSON of one image's entry (docs/service.md, "Masks archive") from chunks of its bytes.
 * Members may come in any order; of several with one name the last counts.
 */
export class EntryScanner {
  private readonly json: JsonMembers;
  private width: unknown;
  private height: unknown;
  private id: string | undefined;
  private filename: string | undefined;
  private hasObjects = false;
  /** The frame the objects were read with. */
  private frame: FrameSize | undefined;
  private members: ObjectMembers | undefined;
  private mustRememberKeys = false;
  private pushedBytes = 0;

  /** `size` is the expected number of bytes. */
  constructor(
    private readonly classNames: ClassIndex,
    private readonly size: number,
    private readonly hints: ScanHints = {},
    private readonly kernel?: MasksKernel,
  ) {
    this.json = new JsonMembers(
      { member: (name, firstByte) => this.member(name, firstByte) },
      kernel?.window,
    );
  }

  /**
   * Reads the next bytes; the caller may then reuse them. Throws `damaged-archive`,
   * `too-many-objects`.
   */
  push(bytes: Uint8Array): void {
    this.append(bytes, false);
  }

  /** Whether the entry must be read again with the hints of `finish`; then stop pushing. */
  get needsRescan(): boolean {
    return this.mustRememberKeys;
  }

  /**
   * After the last push: the entry, or hints to read it again. Throws `damaged-archive`,
   * `too-many-objects`.
   */
  finish(): ScannedEntry | ScanHints {
    this.append(new Uint8Array(0), true);
    if (this.mustRememberKeys) return { ...this.hints, rememberKeys: true };
    const width = sideOf(this.width, 'width');
    const height = sideOf(this.height, 'height');
    if (!this.hasObjects) throw damagedArchive(reason('The image has no valid "objects" field'));
    const { members } = this;
    if (!members || this.frame?.width !== width || this.frame.height !== height)
      return { ...this.hints, frame: { width, height } };
    return {
      ...(this.id !== undefined && { id: this.id }),
      ...(this.filename !== undefined && { filename: this.filename }),
      ...members.records.notes,
      objects: members.records.columns.finish(width, height),
    };
  }

  /** Objects read so far; undefined without any, or if a later object may replace one of them. */
  get soFar(): EntrySoFar | undefined {
    const { members, frame } = this;
    if (!members || !frame || this.mustRememberKeys || this.hints.rememberKeys) return undefined;
    const { columns } = members.records;
    return columns.count > 0
      ? { objects: columns.soFar(frame.width, frame.height), share: this.share }
      : undefined;
  }

  /** The share of the JSON that was read, 0…1. */
  private get share(): number {
    return Math.min(1, this.pushedBytes / this.size);
  }

  private append(bytes: Uint8Array, isLast: boolean): void {
    if (this.json.unread + bytes.length > MAX_VALUE_BYTES)
      throw tooManyObjects(reason('An object is larger than 256 MB'));
    this.pushedBytes += bytes.length;
    if (this.members) this.members.records.columns.share = this.share;
    try {
      this.json.push(bytes, isLast);
    } catch (error) {
      throw error instanceof NotJson ? damagedArchive(error.reason) : error;
    }
  }

  private member(name: string, firstByte: number): 'read' | 'skip' | ValueStep {
    switch (name) {
      case 'width':
        this.width = this.scalar(firstByte);
        break;
      case 'height':
        this.height = this.scalar(firstByte);
        break;
      case 'id':
        this.id = identifierOf(this.scalar(firstByte));
        break;
      case 'filename':
        this.filename = identifierOf(this.scalar(firstByte));
        break;
      case 'objects':
        return this.objects(firstByte);
      default:
        return 'skip';
    }
    return isScalar(firstByte) ? 'read' : 'skip';
  }

  /** A string or number; anything else is skipped. */
  private scalar(firstByte: number): string | number | undefined {
    if (!isScalar(firstByte)) return undefined;
    const { cursor } = this.json;
    if (firstByte !== Ascii.Quote) return readNumber(cursor);
    cursor.string();
    return lastString(cursor);
  }

  private objects(firstByte: number): 'skip' | ValueStep {
    const { cursor } = this.json;
    this.hasObjects = firstByte === Ascii.OpenBrace || firstByte === Ascii.OpenBracket;
    this.frame = this.hints.frame ?? frameOf(this.width, this.height);
    this.members = undefined;
    if (!this.hasObjects || !this.frame) return 'skip';
    cursor.position++;
    const records = new ObjectRecords(this.frame, this.classNames, new ObjectColumns(this.size));
    const isArray = firstByte === Ascii.OpenBracket;
    records.columns.share = this.share;
    const { kernel, hints } = this;
    const members = new ObjectMembers(cursor, records, isArray, hints.rememberKeys === true, kernel);
    this.members = members;
    return () => {
      const outcome = members.read();
      if (outcome !== 'unordered-key') return outcome === 'end' ? 'end' : 'more';
      this.mustRememberKeys = true;
      return 'stop';
    };
  }
}

function isScalar(firstByte: number): boolean {
  return firstByte === Ascii.Quote || beginsNumber(firstByte);
}

function isSide(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_SIDE;
}

function frameOf(width: unknown, height: unknown): FrameSize | undefined {
  return isSide(width) && isSide(height) ? { width, height } : undefined;
}

function sideOf(value: unknown, side: 'width' | 'height'): number {
  if (!isSide(value))
    throw damagedArchive(
      side === 'width'
        ? reason("The image's width isn't a number of pixels")
        : reason("The image's height isn't a number of pixels"),
    );
  return value;
}

function identifierOf(value: string | number | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : String(value);
}

/** Compressed bytes of an entry in which its header is expected. */
export const HEADER_BYTES = 640;

/** The part of an image's entry before its objects. */
export interface ImageHeader {
  id: string;
  filename: string;
  width: number;
  height: number;
}

/**
 * Reads the header from an entry's first bytes; undefined if the service writes others. Reading the
 * whole entry checks the rest.
 */
export function readImageHeader(bytes: Uint8Array, entryId: string): ImageHeader | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const end = text.indexOf('"objects"');
  if (end < 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(`${text.slice(text.startsWith('\ufeff') ? 1 : 0, end)}"objects":0}`);
  } catch {
    return undefined;
  }
  const { id, filename, width, height } = value as Record<string, unknown>;
  if (!isPositiveInteger(width) || !isPositiveInteger(height)) return undefined;
  const imageId = nameOf(id) ?? entryId;
  return { id: imageId, filename: nameOf(filename) ?? imageId, width, height };
}

function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}
