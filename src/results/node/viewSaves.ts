import { CodedError } from '../../base/errors';
import { writeWholeFile } from './saveFile';

/** Largest image of a view, in bytes; one of a 16k screen is smaller. */
const MAX_BYTES = 512 * 2 ** 20;

interface PendingSave {
  id: number;
  path: string;
  parts: Uint8Array[];
  bytes: number;
}

/** The image of a view that is saved: the user chooses the file first, then the page sends the image in parts. */
export class ViewSaves {
  private pending: PendingSave | undefined;
  private last = 0;

  constructor(
    /** Lets the user choose a file on disk and confirm that one is replaced; undefined on Esc. */
    private readonly choosePath: (name: string) => Promise<string | undefined>,
    /** Saves there by `write`, or elsewhere if the user wants so; undefined where nothing was saved. */
    private readonly saveAt: (
      path: string,
      write: (path: string) => Promise<void>,
    ) => Promise<{ path: string } | undefined>,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  /** Lets the user choose a file; the ID of the save, or null on Esc. An earlier save that isn't complete is dropped. */
  async start(name: string): Promise<number | null> {
    const path = await this.choosePath(name);
    if (path === undefined) return null;
    this.pending = { id: ++this.last, path, parts: [], bytes: 0 };
    return this.last;
  }

  /**
   * Adds a part; the last one writes the file and returns its path, or null where the user doesn't save it after all; others
   * return null. Throws `bad-request`, and what writing throws.
   */
  async add(save: number, bytes: ArrayBuffer, last: boolean): Promise<string | null> {
    const { pending } = this;
    if (pending?.id !== save) throw new CodedError('bad-request', 'There is no such save');
    if (pending.bytes + bytes.byteLength > this.maxBytes) {
      this.pending = undefined;
      throw new CodedError('bad-request', 'The image is too large');
    }
    pending.parts.push(new Uint8Array(bytes));
    pending.bytes += bytes.byteLength;
    if (!last) return null;
    this.pending = undefined;
    const written = await this.saveAt(pending.path, path => writeWholeFile(path, pending.parts));
    return written?.path ?? null;
  }
}
