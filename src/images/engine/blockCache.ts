import { CachedValues } from '../../base/node/joinedWork';
import type { BlockStore, ImageBlock } from '../imageSource';
import { ByteCache } from '../../base/byteCache';

/** Decoded blocks, limited in bytes; tiles that need a block at once share its decoding. */
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
    const decoded = async (shared: AbortSignal) => {
      const block = await decode(shared);
      this.blocks.set(key, block, block.samples.byteLength);
      return block;
    };
    try {
      return await this.decoding.get(key, decoded, signal);
    } finally {
      // From now on it is in the cache, or was removed from it.
      if (!signal?.aborted) this.decoding.delete(key);
    }
  }

  removeAll(prefix: string): void {
    this.blocks.removeAll(prefix);
  }
}
