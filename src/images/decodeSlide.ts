import { memorySource } from './byteSource';
import { decodeTiff } from './decodeTiff';
import { formatOf } from './imageFormats';
import type { BlockStore, ImageBlock } from './imageSource';
import { checkRasterSize, type Raster } from './raster';

/**
 * Decodes the finest level of a slide's first image, in the focal plane that a viewer shows first.
 * Passes other TIFF files to decodeTiff.
 */
export async function decodeSlide(bytes: Uint8Array, fileName: string, maxSamples: number): Promise<Raster> {
  const file = memorySource(bytes);
  const format = await formatOf(file, fileName);
  const { tiffFormat } = await import('./tiff/tiffSource');
  if (!format || format === tiffFormat) return decodeTiff(bytes, fileName, maxSamples);
  const source = await format.open({ file, fileName, blocks: allBlocks(), key: 'whole' });
  try {
    const { levels, channels, rgb, whiteIsZero, firstZ = 0, bitsPerSample, notes } = source.facts;
    const { width, height } = levels[0] ?? { width: 0, height: 0 };
    checkRasterSize(fileName, width, height, channels.length, maxSamples);
    const position = { page: 0, z: firstZ, t: 0 };
    const count = channels.length;
    const isBytes = bitsPerSample <= 8;
    const samples = isBytes
      ? new Uint8Array(width * height * count)
      : new Float32Array(width * height * count);
    for (let channel = 0; channel < count; channel++) {
      const read = await source.read(position, channel, 0, { x: 0, y: 0, width, height });
      for (let i = 0, to = channel; i < read.length; i++, to += count) {
        const sample = read[i] as number;
        // Unscanned parts become white, like the glass around the tissue.
        samples[to] = isBytes && Number.isNaN(sample) ? 255 : sample;
      }
    }
    return {
      width,
      height,
      channels: count,
      bitsPerSample: isBytes ? bitsPerSample : 32,
      samples,
      photometric: rgb ? 'rgb' : whiteIsZero ? 'white-is-zero' : 'black-is-zero',
      notes,
    };
  } finally {
    await source.release();
  }
}

/** A store that keeps all blocks, because each channel reads all of them. */
function allBlocks(): BlockStore {
  const blocks = new Map<string, Promise<ImageBlock>>();
  return {
    get: (key, decode) => {
      const block = blocks.get(key) ?? decode(new AbortController().signal);
      blocks.set(key, block);
      return block;
    },
    removeAll: () => blocks.clear(),
  };
}
