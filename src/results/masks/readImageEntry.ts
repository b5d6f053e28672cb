import { throwIfCancelled } from '../../base/errors';
import { Pacer } from '../slices';
import type { ClassNames } from './classNames';
import { EntryScanner, type ScanHints } from './entryScanner';
import type { ImageObjects } from './imageObjects';
import type { RecordNotes } from './objectRecords';

/** Bytes that are read without a pause: a few milliseconds. */
const SLICE = 256 * 1024;

export interface ImageEntry extends RecordNotes {
  id: string;
  filename: string;
  objects: ImageObjects;
}

/**
 * Reads the JSON of one image's entry; spec.md, "Masks archive". `open` gives its `size` bytes, from the beginning each
 * time: an entry whose objects come before its size, or in no order, is read twice. An object that cannot be read is listed with
 * its reason and costs nothing but itself. Throws `damaged-archive`, `too-many-objects`, `cancelled`.
 */
export async function readImageEntry(
  open: () => AsyncIterable<Uint8Array>,
  size: number,
  entryId: string,
  classNames: ClassNames,
  signal?: AbortSignal,
): Promise<ImageEntry> {
  const pacer = new Pacer(signal);
  let hints: ScanHints = {};
  for (;;) {
    throwIfCancelled(signal);
    const scanner = new EntryScanner(classNames, size, hints);
    for await (const chunk of open())
      for (let at = 0; at < chunk.length && !scanner.isVain; at += SLICE) {
        scanner.push(chunk.subarray(at, at + SLICE));
        if (pacer.isDue) await pacer.pause();
      }
    const result = scanner.finish();
    if ('objects' in result) {
      const id = result.id ?? entryId;
      return { ...result, id, filename: result.filename ?? id };
    }
    hints = result;
  }
}
