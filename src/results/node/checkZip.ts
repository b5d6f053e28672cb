import type { FileHandle } from 'node:fs/promises';
import { fromRandomAccessReaderPromise, type Entry } from 'yauzl';
import { isCoded, throwIfCanceled } from '../../base/errors';
import { reason } from '../../base/reasons';
import { MAX_ENTRIES } from '../../masks/node/archive/archiveContents';
import { archiveError, damagedArchive } from '../../masks/node/archive/damagedArchive';
import { FileWindow } from '../../masks/node/archive/fileWindow';
import { WindowReader } from '../../masks/node/archive/windowReader';

const LOCAL_HEADER_BYTES = 30;
const LOCAL_SIGNATURE = 0x04034b50;
/** The end of the central directory, after all entries. */
const END_BYTES = 22;

/**
 * Checks that an archive is whole: its list of entries can be read, and each entry is within the file, where the list says. Entries
 * are not inflated. Throws `damaged-archive`, `cancelled`.
 */
export async function checkZip(
  file: FileHandle,
  bytes: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const reader = new WindowReader(new FileWindow(file, bytes));
    const zip = await fromRandomAccessReaderPromise(reader, bytes, { autoClose: false });
    // Opening refuses it, in its own words.
    if (zip.entryCount > MAX_ENTRIES) return;
    for await (const entry of zip.eachEntry()) {
      throwIfCanceled(signal);
      await checkEntry(file, entry, bytes);
    }
  } catch (error) {
    if (isCoded(error) || (error instanceof Error && 'syscall' in error)) throw error;
    throw archiveError(error);
  }
}

async function checkEntry(
  file: FileHandle,
  { fileName, relativeOffsetOfLocalHeader: position, fileNameLength, compressedSize }: Entry,
  bytes: number,
): Promise<void> {
  if (position + LOCAL_HEADER_BYTES + fileNameLength + compressedSize > bytes - END_BYTES)
    throw damagedArchive(reason('entry-cut-off', fileName));
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, position);
  if (buffer.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damagedArchive(reason('entry-misplaced', fileName));
}
