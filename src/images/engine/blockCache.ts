import { CachedValues } from '../../base/node/joinedWork';
import type { BlockStore, ImageBlock } from '../imageSource';
import { ByteCache } from '../../base/byteCache';

/** Decoded blocks, limited in bytes. Tiles that need the same block share its decoding. */
export class BlockCache implements BlockStore {
  private readonly blocks: ByteCache<ImageBlock>;
  private readonly decoding = new CachedValues<string, ImageBlock>();

  constructor(maxBytes: number) {
    this.blocks = new ByteCache(maxBytes);
  }

  get bytes(): number {
    return this.blocks.bytes;
  }

  async get(
    key: string,
    decode: (signal: AbortSignal) => Promise<ImageBlock>,
    signal?: AbortSignal,
  ): Promise<ImageBlock> {
    const cached = this.blocks.get(key);
    if (cached) return cached;
    const decodeAndCache = async (shared: AbortSignal) => {
      const block = await decode(shared);
      this.blocks.set(key, block, block.samples.byteLength);
      return block;
    };
    try {
      return await this.decoding.get(key, decodeAndCache, signal);
    } finally {
      // `decoding` has no limit of bytes, so a finished decoding is removed from it. If this caller
      // canceled, the decoding may still go on for others.
      if (!signal?.aborted) this.decoding.delete(key);
    }
  }

  removeAll(prefix: string): void {
    this.blocks.removeAll(prefix);
  }
}
