import { posix } from 'node:path';
import { fromRandomAccessReaderPromise, type Entry } from 'yauzl';
import { throwIfCanceled } from '../../../base/errors';
import { reason } from '../../../base/reasons';
import { damagedArchive } from './damagedArchive';
import type { FileWindow } from './fileWindow';
import { WindowReader } from './windowReader';

/** Limits of an archive; one beyond these is damaged or malicious. */
export const MAX_ENTRIES = 20_000;
const MAX_TOTAL_BYTES = 64 * 1024 ** 3;

/** Inflated bytes per compressed byte. Deflate can't exceed 1032; mask JSON, mostly base64, stays far below this. */
export const MAX_RATIO = 300;
/** Smaller archives may have any ratio, as their entries may: few masks of long runs deflate well. */
const RATIO_FROM_TOTAL_BYTES = 64 * 1024 ** 2;

/** An entry takes up its local header, its name and its data; extra fields, whose length only the header has, aren't counted. */
export const LOCAL_HEADER = 30;
/** The end of the central directory, after all entries. */
const END_BYTES = 22;

const OBJECTS_SUFFIX = '_objects.json';

/** The entries of a masks archive that are read, found by name in any folder of the zip. */
export interface ArchiveContents {
  index?: Entry;
  images: { entry: Entry; imageId: string }[];
  /** Names that occur more than once; the first one counts. */
  duplicates: string[];
}

/**
 * Lists the entries of the archive in a file. Nothing is inflated for one whose entries share bytes, exceed the file or inflate
 * too much: a few kilobytes could be made to take minutes. Throws `damaged-archive`, `cancelled`, and errors of yauzl.
 */
export async function listContents(file: FileWindow, signal?: AbortSignal): Promise<ArchiveContents> {
  // It only reads through the window: closing it would do nothing.
  const zip = await fromRandomAccessReaderPromise(new WindowReader(file), file.size, { autoClose: false });
  if (zip.entryCount > MAX_ENTRIES) throw damagedArchive(reason('too-many-entries', MAX_ENTRIES));
  const contents: ArchiveContents = { images: [], duplicates: [] };
  const seen = new Set<string>();
  const extents: Extent[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    throwIfCanceled(signal);
    const name = entry.fileName;
    const base = posix.basename(name);
    extents.push(extentOf(entry, file.size));
    // Directories and the metadata files of macOS don't count.
    if (name.endsWith('/') || name.startsWith('__MACOSX/') || base.startsWith('._')) continue;
    total += entry.uncompressedSize;
    if (total > MAX_TOTAL_BYTES) throw damagedArchive(reason('archive-too-large'));
    if (seen.has(name)) {
      contents.duplicates.push(name);
      continue;
    }
    seen.add(name);
    if (base === 'index.json') {
      if (!contents.index || depth(name) < depth(contents.index.fileName)) contents.index = entry;
    } else if (base.endsWith(OBJECTS_SUFFIX)) {
      contents.images.push({ entry, imageId: base.slice(0, -OBJECTS_SUFFIX.length) });
    }
  }
  refuseOverlaps(extents);
  if (total > RATIO_FROM_TOTAL_BYTES && total > MAX_RATIO * file.size)
    throw damagedArchive(reason('archive-inflates', MAX_RATIO));
  return contents;
}

/** The bytes of the file that an entry takes up at least. */
interface Extent {
  name: string;
  start: number;
  end: number;
}

function extentOf(entry: Entry, fileSize: number): Extent {
  const { fileName, fileNameLength, relativeOffsetOfLocalHeader: start, compressedSize } = entry;
  const end = start + LOCAL_HEADER + fileNameLength + compressedSize;
  if (end > fileSize - END_BYTES) throw damagedArchive(reason('entry-cut-off', fileName));
  return { name: fileName, start, end };
}

function refuseOverlaps(extents: Extent[]): void {
  extents.sort((a, b) => a.start - b.start);
  let end = 0;
  for (const extent of extents) {
    if (extent.start < end) throw damagedArchive(reason('entry-overlaps', extent.name));
    end = extent.end;
  }
}

function depth(name: string): number {
  return name.split('/').length;
}
