import { basename } from 'node:path';
import { CodedError } from '../../base/errors';
import { decodeRaster } from '../../formats/decodeRaster';
import { readWholeFile } from '../readWholeFile';
import { SharedValues } from '../sharedWork';
import { Picture } from './picture';

/** Pictures kept decoded; others are decoded again when a tile of them is wanted. */
const KEPT = 2;
const MAX_BYTES = 4 * 1024 ** 3;

/** The pictures opened under masks, by a number of their own. */
export class Pictures {
  private readonly paths = new Map<number, string>();
  private readonly decoded = new SharedValues<number, Picture>(KEPT);
  private lastNumber = 0;

  /** Decodes a picture file. Throws `bad-request` with the reason, `not-a-file`, `file-too-large`, `cancelled`. */
  async open(
    path: string,
    signal?: AbortSignal,
  ): Promise<{ number: number; name: string; picture: Picture }> {
    const number = ++this.lastNumber;
    this.paths.set(number, path);
    try {
      return { number, name: basename(path), picture: await this.picture(number, signal) };
    } catch (error) {
      this.close(number);
      throw error;
    }
  }

  /** An opened picture. Throws `bad-request` for one that is not open. */
  async picture(number: number, signal?: AbortSignal): Promise<Picture> {
    const path = this.paths.get(number);
    if (path === undefined) throw new CodedError('bad-request', `There is no picture ${number}`);
    const decode = async (shared: AbortSignal) => {
      const bytes = await readWholeFile(path, MAX_BYTES, shared);
      return new Picture(await decodeRaster(bytes, basename(path)));
    };
    return this.decoded.get(number, decode, signal);
  }

  close(number: number): void {
    this.paths.delete(number);
    this.decoded.delete(number);
  }
}
