import { throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import type { ByteSource } from '../../base/byteSource';
import { DecodingError } from '../unreadableRaster';
import { TiffDirectory, TYPE_SIZES, type TiffEncoding, type TiffField } from './tiffDirectory';
import { Tag } from './tiffTags';

/** Directories read of one file; a damaged one may chain them without end. */
const MAX_DIRECTORIES = 20_000;
/** Fields of one directory; real ones have some dozens. Directories that overlap could repeat many at no cost to the file. */
const MAX_FIELDS = 4096;
/** Tags whose fields are stored; others are never read. */
const KNOWN_TAGS: ReadonlySet<number> = new Set(Object.values(Tag));

/** The encoding of a file that begins as TIFF ("II" or "MM", then 42) or BigTIFF (43); undefined for others. */
export function tiffEncoding(start: Uint8Array): TiffEncoding | undefined {
  const [a, b, c, d] = start;
  const littleEndian = a === 0x49 && b === 0x49;
  if (!littleEndian && !(a === 0x4d && b === 0x4d)) return undefined;
  const version = littleEndian ? c : d;
  if ((littleEndian ? d : c) !== 0 || (version !== 42 && version !== 43)) return undefined;
  return { littleEndian, big: version === 43 };
}

/**
 * Reads the chain of directories of a TIFF or BigTIFF file; `complete` is false where the chain is cut off, circular
 * or too long. Throws when not even the first can be read.
 */
export async function readDirectories(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<{ directories: TiffDirectory[]; complete: boolean }> {
  const start = await source.read(0, Math.min(16, source.size), signal);
  const encoding = tiffEncoding(start);
  if (!encoding) throw new DecodingError(reason('not-an-image-file'));
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  // Offset of the first directory: @4, in BigTIFF @8.
  let next = encoding.big
    ? Number(view.getBigUint64(8, encoding.littleEndian))
    : view.getUint32(4, encoding.littleEndian);
  const directories: TiffDirectory[] = [];
  const seen = new Set<number>();
  while (next !== 0) {
    throwIfCanceled(signal);
    if (seen.has(next) || seen.size >= MAX_DIRECTORIES) return { directories, complete: false };
    seen.add(next);
    try {
      const read = await readDirectory(source, encoding, next);
      directories.push(read.directory);
      next = read.next;
    } catch (error) {
      if (directories.length === 0) throw error;
      return { directories, complete: false };
    }
  }
  if (directories.length === 0) throw new DecodingError(reason('no-image-in-file'));
  return { directories, complete: true };
}

/** Reads the directory at an offset, and where the next one is (0 for none). */
export async function readDirectory(
  source: ByteSource,
  encoding: TiffEncoding,
  offset: number,
): Promise<{ directory: TiffDirectory; next: number }> {
  const { littleEndian: little, big } = encoding;
  const [countSize, entrySize, linkSize] = big ? [8, 20, 8] : [2, 12, 4];
  const head = viewOf(await source.read(offset, countSize));
  const count = big ? Number(head.getBigUint64(0, little)) : head.getUint16(0, little);
  if (count > MAX_FIELDS) throw new DecodingError(reason('tiff-directory-too-long', count));
  const length = count * entrySize + linkSize;
  const view = viewOf(await source.read(offset + countSize, length));
  const entries = new Map<number, TiffField>();
  for (let i = 0; i < count; i++) {
    // Tag u16 @0, type u16 @2, count @4 (u32 or u64), then the values where they fit, else their offset.
    const at = i * entrySize;
    const tag = view.getUint16(at, little);
    if (!KNOWN_TAGS.has(tag) || entries.has(tag)) continue;
    const type = view.getUint16(at + 2, little);
    const values = big ? Number(view.getBigUint64(at + 4, little)) : view.getUint32(at + 4, little);
    const [inline, room] = big ? [at + 12, 8] : [at + 8, 4];
    const fits = values * (TYPE_SIZES[type] ?? 1) <= room;
    const target = big ? Number(view.getBigUint64(inline, little)) : view.getUint32(inline, little);
    entries.set(tag, { type, count: values, offset: fits ? offset + countSize + inline : target });
  }
  const link = count * entrySize;
  const next = big ? Number(view.getBigUint64(link, little)) : view.getUint32(link, little);
  return { directory: new TiffDirectory(source, encoding, entries), next };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
