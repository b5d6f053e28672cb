import { CodedError } from '../base/errors';
import type { MasksRequests, ObjectRef } from '../protocol/masksEngine';
import type { RequestHandlers } from '../protocol/rpc';
import type { Masks } from '../results/masks/masks';
import { openMasks } from '../results/masks/openMasks';
import type { ProgressOf } from './progress';

/** The masks of one result, and the answers about them. */
export class MasksAnswers {
  private masks: Masks | undefined;

  /** `onOpened` hears when masks are opened, or opened anew; `rowOf` knows the row linked to an object. */
  constructor(
    private readonly progress: ProgressOf,
    private readonly onOpened: () => void,
    private readonly rowOf: (object: ObjectRef) => number | null,
  ) {}

  readonly handlers: RequestHandlers<MasksRequests> = {
    openMasks: async ({ path }, signal) => {
      const opened = await openMasks(path, signal, this.progress('masks', 'masks'));
      this.masks?.dispose();
      this.masks = opened;
      this.onOpened();
      return opened.summary;
    },
    labelTile: async ({ image, level, x, y }, signal) => {
      const labels = await this.opened().labelTile(image, level, x, y, signal);
      return { labels: labels.buffer };
    },
    maskObjects: async ({ image }, signal) => {
      const { classes, ids, boxes } = await this.opened().objects(image, signal);
      // Copies: what is sent is moved to the other thread.
      return { classes: copyOf(classes), ids: copyOf(ids), boxes: copyOf(boxes) };
    },
    objectsAt: async ({ image, x, y }, signal) => ({
      objects: await this.opened().objectsAt(image, x, y, signal),
    }),
    objectDetails: async ({ image, object }, signal) => {
      const facts = await this.opened().facts(image, object, signal);
      const row = this.rowOf({ image, object });
      return { image, object, ...facts, ...(row !== null && { row }) };
    },
  };

  /** The masks that are open. Throws `bad-request` when none are. */
  opened(): Masks {
    if (!this.masks) throw new CodedError('bad-request', 'No masks are open');
    return this.masks;
  }

  isOpen(masks: Masks): boolean {
    return this.masks === masks;
  }

  dispose(): void {
    this.masks?.dispose();
    this.masks = undefined;
  }
}

function copyOf(view: Uint16Array | Float64Array | Int32Array): ArrayBuffer {
  const copy = new ArrayBuffer(view.byteLength);
  new Uint8Array(copy).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return copy;
}
