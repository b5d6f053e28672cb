import { throwIfCanceled } from '../../../base/errors';
import { Pacer } from '../../../base/node/slices';
import type { ClassIndex } from './classNames';
import { EntryScanner, type EntrySoFar, type ScanHints } from './entryScanner';
import type { ImageObjects } from '../objects/imageObjects';
import type { RecordNotes } from './objectRecords';

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
  /** Reading continues after this: another entry may come first. */
  hold: () => Promise<unknown> | undefined;
}

/**
 * Reads the JSON of one image's entry; docs/service.md, "Masks archive". An entry whose objects come before the image's size,
 * or in no order, is read twice. An object that can't be read is listed with its reason and leaves the others unaffected.
 * Throws `damaged-archive`, `too-many-objects`, `cancelled`.
 */
export async function readImageEntry(
  { open, size, entryId }: EntrySource,
  classNames: ClassIndex,
  signal?: AbortSignal,
  watch?: EntryWatch,
): Promise<ImageEntry> {
  const pacer = new Pacer(signal);
  let hints: ScanHints = {};
  for (;;) {
    throwIfCanceled(signal);
    const scanner = new EntryScanner(classNames, size, hints);
    for await (const chunk of open())
      for (let at = 0; at < chunk.length && !scanner.needsRescan; at += SLICE_BYTES) {
        scanner.push(chunk.subarray(at, at + SLICE_BYTES));
        if (!pacer.isDue) continue;
        watch?.onSlice(scanner.soFar);
        await pacer.pause();
        await watch?.hold();
      }
    const result = scanner.finish();
    if ('objects' in result) {
      const id = result.id ?? entryId;
      return { ...result, id, filename: result.filename ?? id };
    }
    hints = result;
  }
}
