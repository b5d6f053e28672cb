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

const OBJECTS_SUFFIX = '_objects.json';

/** The entries of a masks archive that are read, found by name in any folder of the zip. */
export interface ArchiveContents {
  index?: Entry;
  images: { entry: Entry; imageId: string }[];
  /** Names that occur more than once; the first one counts. */
  duplicates: string[];
}

/** Lists the entries of the archive in a file. Throws `damaged-archive`, `cancelled`, and errors of yauzl. */
export async function listContents(file: FileWindow, signal?: AbortSignal): Promise<ArchiveContents> {
  // It only reads through the window: closing it would do nothing.
  const zip = await fromRandomAccessReaderPromise(new WindowReader(file), file.size, { autoClose: false });
  if (zip.entryCount > MAX_ENTRIES) throw damagedArchive(reason('too-many-entries', MAX_ENTRIES));
  const contents: ArchiveContents = { images: [], duplicates: [] };
  const seen = new Set<string>();
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    throwIfCanceled(signal);
    const name = entry.fileName;
    const base = posix.basename(name);
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
  return contents;
}

function depth(name: string): number {
  return name.split('/').length;
}
