import type { Reason } from '../base/reasons';
import type { ImagePage, ImageSize, PixelSize } from './backgroundImageInfo';
import type { ByteSource } from './byteSource';
import { zerosLike, type PixelWindow, type Raster, type SampleKind, type Samples } from './raster';

/*
 * The interface of an image file, whatever its format: levels, channels, planes and a pixel size.
 * The viewer, background images, intensities, thumbnails, pixel values, areas and pairing use it. A
 * format is a folder beside this file, and an entry of imageFormats.ts.
 */

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

/** The facts of an image that don't need its samples. */
export interface BackgroundImageFacts {
  /** Levels in the file, the finest first; at least one. */
  levels: ImageSize[];
  /** Channels that can be painted; alpha isn't among them. */
  channels: SourceChannel[];
  bitsPerSample: number;
  kind: SampleKind;
  /** Set for red, green and blue, which are painted as stored, or with one range above 8 bits. */
  rgb: boolean;
  /** The highest sample is black. */
  whiteIsZero: boolean;
  axes: { page: number; z: number; t: number };
  /** Number of the focal plane that is shown first, if not 0. */
  firstZ?: number;
  /** The images of the file, if it has several; else empty. */
  pages: ImagePage[];
  firstPage: number;
  pixelSize?: PixelSize;
  /** Magnification of the objective, such as 20. */
  magnification?: number;
  /** Name of the compression; absent for uncompressed files. */
  compression?: string;
  /** Notes for the viewer: an EXIF rotation not applied, pages not shown, … */
  notes: Reason[];
}

/** Called for each part of a level that can't be decoded. Samples of this part are meaningless. */
export type OnDamaged = (place: PixelWindow, error: unknown) => void;

/** An image that can be read in parts. */
export interface BackgroundImageSource {
  readonly facts: BackgroundImageFacts;
  /**
   * Samples of one channel in a window inside a level, row-major. They are NaN if the plane isn't
   * in the file. Throws `bad-request` with the reason, `file-changed`, `cancelled`. With
   * `onDamaged`, parts that can't be decoded are reported instead.
   */
  read(
    position: PlanePosition,
    channel: number,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Samples>;
  /**
   * RGBA of a window, alpha 255, in a new array, for unsigned 8-bit RGB: all channels at once.
   * Undefined if the channels must be read one by one.
   */
  readColors?(
    position: PlanePosition,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Loads the decoder early, before the first read. */
  prepare?(): void;
  /** Whether black and white are swapped in a plane, compared with the first plane. */
  isInverted?(position: PlanePosition, channel: number, signal?: AbortSignal): Promise<boolean>;
  /** Number of samples to decode for a window of a level, cached ones included. */
  decodedSamples(level: number, window: PixelWindow): number;
  /** The channels that are stored interleaved with this one, so that reading one reads all. */
  interleavedWith(channel: number): number[];
  /** Bytes of memory that it uses. */
  readonly bytes: number;
  /** Frees the file handle and cached blocks; a later read gets them again. */
  release(): Promise<void>;
}

/** Samples of a part of an image: row-major, several channels are interleaved. */
export interface ImageBlock {
  width: number;
  height: number;
  channels: number;
  samples: Samples;
}

/** A grid of blocks of equal size that starts at the first pixel. */
interface BlockGrid {
  blockWidth: number;
  blockHeight: number;
}

/** Blocks that meet a window, row by row: grid position, and position of the first pixel. */
export function* blocksIn(
  { blockWidth, blockHeight }: BlockGrid,
  { x: left, y: top, width, height }: PixelWindow,
): Generator<{ x: number; y: number; left: number; top: number }> {
  for (let y = Math.floor(top / blockHeight); y * blockHeight < top + height; y++)
    for (let x = Math.floor(left / blockWidth); x * blockWidth < left + width; x++)
      yield { x, y, left: x * blockWidth, top: y * blockHeight };
}

/** Number of pixels in all blocks that meet a window. */
export function pixelsOfBlocks({ blockWidth, blockHeight }: BlockGrid, window: PixelWindow): number {
  const across = Math.ceil((window.x + window.width) / blockWidth) - Math.floor(window.x / blockWidth);
  const down = Math.ceil((window.y + window.height) / blockHeight) - Math.floor(window.y / blockHeight);
  return across * down * blockWidth * blockHeight;
}

/** Copies one channel of a block's part into a window. `place` is the part's first pixel. */
export function copyChannel(
  block: ImageBlock,
  channel: number,
  place: { x: number; y: number },
  out: Samples,
  window: PixelWindow,
  part: PixelWindow = { x: 0, y: 0, width: block.width, height: block.height },
): void {
  const { width, channels, samples } = block;
  const x0 = Math.max(place.x, window.x);
  const x1 = Math.min(place.x + part.width, window.x + window.width);
  const y1 = Math.min(place.y + part.height, window.y + window.height);
  if (x1 <= x0) return;
  for (let y = Math.max(place.y, window.y); y < y1; y++) {
    let from = ((y - place.y + part.y) * width + x0 - place.x + part.x) * channels + channel;
    const to = (y - window.y) * window.width + x0 - window.x;
    if (channels === 1) {
      out.set(samples.subarray(from, from + x1 - x0), to);
      continue;
    }
    for (let i = 0; i < x1 - x0; i++, from += channels) out[to + i] = samples[from] ?? 0;
  }
}

/** Copies an RGB or RGBA block into an RGBA window. `place` is the block's first pixel. */
export function copyColors(
  { width, height, channels, samples }: ImageBlock,
  place: { x: number; y: number },
  out: Uint8Array,
  window: PixelWindow,
): void {
  const x0 = Math.max(place.x, window.x);
  const count = Math.min(place.x + width, window.x + window.width) - x0;
  const y1 = Math.min(place.y + height, window.y + window.height);
  if (count <= 0) return;
  for (let y = Math.max(place.y, window.y); y < y1; y++) {
    let from = ((y - place.y) * width + x0 - place.x) * channels;
    let to = ((y - window.y) * window.width + x0 - window.x) * 4;
    if (channels === 4) {
      out.set(samples.subarray(from, from + count * 4), to);
      continue;
    }
    for (const end = to + count * 4; to < end; to += 4, from += 3) {
      out[to] = samples[from] as number;
      out[to + 1] = samples[from + 1] as number;
      out[to + 2] = samples[from + 2] as number;
      out[to + 3] = 255;
    }
  }
}

/** Decoded blocks of all open images. A block in use isn't decoded twice. */
export interface BlockStore {
  /** The block of a key; decodes it unless it is stored. Simultaneous callers share the work. */
  get(
    key: string,
    decode: (signal: AbortSignal) => Promise<ImageBlock>,
    signal?: AbortSignal,
  ): Promise<ImageBlock>;
  /** Removes all blocks whose key begins with `prefix`. */
  removeAll(prefix: string): void;
}

/** A file to open as an image. */
export interface ImageFile {
  file: ByteSource & { release?(): Promise<void> };
  fileName: string;
  blocks: BlockStore;
  /** Prefix of the keys of this image's blocks; a slash follows it. */
  key: string;
  /** Number of the image to open if the file has several; by default the first image. */
  page?: number;
  /** Inflates zlib data; Node.js has a faster function than the default. */
  inflate?: Inflate;
  /** Called with the number of rows read and of all rows, if opening must read a whole level. */
  onProgress?: (done: number, total: number) => void;
}

/** A format that can be read in parts. */
export interface ImageFormat {
  /** Reads a file's structure without samples. Throws `bad-request`, `not-a-file`, `cancelled`. */
  open(file: ImageFile, signal?: AbortSignal): Promise<BackgroundImageSource>;
}

/** Inflates zlib data into at most `length` bytes. Throws if the data is damaged. */
export type Inflate = (bytes: Uint8Array, length: number) => Uint8Array;

/** An image that was decoded whole. */
export function rasterSource(raster: Raster, compression?: string): BackgroundImageSource {
  const { width, height, channels, alpha, samples, photometric } = raster;
  const paintedChannels = Array.from({ length: channels }, (_, channel) => channel).filter(
    channel => channel !== alpha,
  );
  return {
    facts: {
      levels: [{ width, height }],
      channels: paintedChannels.map(() => ({})),
      bitsPerSample: raster.bitsPerSample,
      kind: samples instanceof Float32Array ? 'float' : 'unsigned',
      rgb: photometric === 'rgb' && paintedChannels.length === 3,
      whiteIsZero: photometric === 'white-is-zero',
      axes: { page: 1, z: 1, t: 1 },
      pages: [],
      firstPage: 0,
      ...(compression !== undefined && { compression }),
      notes: raster.notes,
    },
    read: async (_position, channel, _level, window) => {
      const out = zerosLike(samples, window.width * window.height);
      const sample = paintedChannels[channel] ?? 0;
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
