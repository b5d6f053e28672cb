import type { Reason } from '../../base/reasons';
import type { ImageSize, PixelSize } from '../backgroundImageInfo';
import type { Raster, SampleKind, Samples } from '../raster';
import { alike, type PixelWindow } from '../tiff/tiffBlock';

/** A position on the axes of an image, from 0. */
export interface PlanePosition {
  page: number;
  z: number;
  t: number;
}

interface SourceChannel {
  name?: string;
  color?: [red: number, green: number, blue: number];
}

/** What is known of an image before a sample is read. */
export interface BackgroundImageFacts {
  /** Levels in the file, the finest first; at least one. */
  levels: ImageSize[];
  /** Channels that can be painted: without alpha. */
  channels: SourceChannel[];
  bitsPerSample: number;
  kind: SampleKind;
  /** RGB is painted with one range for its three channels, or as it is when it has 8 bits or fewer. */
  rgb: boolean;
  /** The highest sample is black. */
  whiteIsZero: boolean;
  axes: { page: number; z: number; t: number };
  pages: (ImageSize & { page: number })[];
  firstPage: number;
  pixelSize?: PixelSize;
  /** Name of the compression; absent where there is none. */
  compression?: string;
  /** What a viewer should know: an EXIF rotation that was not applied, pages that are not shown, … */
  notes: Reason[];
}

/** An image of which any part can be read. */
export interface BackgroundImageSource {
  readonly facts: BackgroundImageFacts;
  /**
   * Samples of one channel in a window inside a level, row-major. A plane that isn't in the file is all NaN.
   * Throws `bad-request` with the reason, `file-changed`, `cancelled`.
   */
  read(
    position: PlanePosition,
    channel: number,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
  ): Promise<Samples>;
  /** Whether a plane's highest sample is white where that of the first is black, or the reverse. */
  isInverted?(position: PlanePosition, channel: number, signal?: AbortSignal): Promise<boolean>;
  /** Number of samples to decode for a window of a level, cached ones included. */
  decodedSamples(level: number, window: PixelWindow): number;
  /** The channels that are stored interleaved with this one: reading one reads all. */
  interleavedWith(channel: number): number[];
  /** Bytes it uses in memory. */
  readonly bytes: number;
  /** Frees what can be read again: file handle, cached blocks. */
  release(): Promise<void>;
}

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
