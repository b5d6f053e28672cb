import { RandomAccessReader } from 'yauzl';
import { reason } from '../../../base/reasons';
import { damagedArchive } from './damagedArchive';
import type { FileWindow } from './fileWindow';

/** Lets yauzl read the list of entries through the window. */
export class WindowReader extends RandomAccessReader {
  constructor(private readonly file: FileWindow) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.file.read(position, length).then(bytes => {
      bytes.copy(buffer, offset);
      callback(bytes.length < length ? damagedArchive(reason('archive-cut-off')) : null);
    }, callback);
  }
}
