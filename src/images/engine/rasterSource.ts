import type { Raster } from '../raster';
import { alike } from '../tiff/tiffWindow';
import type { BackgroundImageSource } from './backgroundImageSource';

/** An image that was decoded whole. */
export function rasterSource(raster: Raster, compression?: string): BackgroundImageSource {
  const { width, height, channels, alpha, samples, photometric } = raster;
  const painted = Array.from({ length: channels }, (_, channel) => channel).filter(
    channel => channel !== alpha,
  );
  return {
    facts: {
      levels: [{ width, height }],
      channels: painted.map(() => ({})),
      bitsPerSample: raster.bitsPerSample,
      kind: samples instanceof Float32Array ? 'float' : 'unsigned',
      rgb: photometric === 'rgb' && painted.length === 3,
      whiteIsZero: photometric === 'white-is-zero',
      axes: { page: 1, z: 1, t: 1 },
      pages: [],
      firstPage: 0,
      ...(compression !== undefined && { compression }),
      notes: raster.notes,
    },
    read: async (_position, channel, _level, window) => {
      const out = alike(samples, window.width * window.height);
      const sample = painted[channel] ?? 0;
      for (let y = 0; y < window.height; y++) {
        let from = ((window.y + y) * width + window.x) * channels + sample;
        const to = y * window.width;
        if (channels === 1) out.set(samples.subarray(from, from + window.width), to);
        else for (let x = 0; x < window.width; x++, from += channels) out[to + x] = samples[from] ?? 0;
      }
      return out;
    },
    decodedSamples: () => 0,
    interleavedWith: channel => [channel],
    bytes: samples.byteLength,
    release: () => Promise.resolve(),
  };
}
