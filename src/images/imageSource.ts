import type { Reason } from '../base/reasons';
import type { ImagePage, ImageSize, PixelSize } from './backgroundImageInfo';
import type { ByteSource } from './byteSource';
import { alike, type PixelWindow, type Raster, type SampleKind, type Samples } from './raster';

/*
 * What the viewer, background images, intensities, thumbnails, pixel values, areas and pairing know
 * of an image file, whatever its format: levels, channels, planes and a pixel size. A format is a
 * folder beside this file, and a line of imageFormats.ts.
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

/** The facts of an image before a sample is read. */
export interface BackgroundImageFacts {
  /** Levels in the file, the finest first; at least one. */
  levels: ImageSize[];
  /** Channels that can be painted: without alpha. */
  channels: SourceChannel[];
  bitsPerSample: number;
  kind: SampleKind;
  /** RGB is painted with one range for all three channels, or as it is at up to 8 bits. */
  rgb: boolean;
  /** The highest sample is black. */
  whiteIsZero: boolean;
  axes: { page: number; z: number; t: number };
  /** The focal plane that is shown first, if it isn't number 0. */
  firstZ?: number;
  /** The images of the file, where it has several; else empty. */
  pages: ImagePage[];
  firstPage: number;
  pixelSize?: PixelSize;
  /** Of the objective, such as 20. */
  magnification?: number;
  /** Name of the compression; absent where there is none. */
  compression?: string;
  /** Notes for the viewer: an EXIF rotation not applied, pages not shown, … */
  notes: Reason[];
}

/** Called for each part of a level that can't be decoded, whose values are void, with the error. */
export type OnDamaged = (place: PixelWindow, error: unknown) => void;

/** An image that can be read in parts. */
export interface BackgroundImageSource {
  readonly facts: BackgroundImageFacts;
  /**
   * Samples of one channel in a window inside a level, row-major. A plane that isn't in the file is
   * all NaN. Throws `bad-request` with the reason, `file-changed`, `cancelled`. With `onDamaged`, a
   * part that can't be decoded is reported instead of thrown.
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
   * RGBA of a window, alpha 255, for unsigned 8-bit RGB: the channels of `read` at once; undefined
   * if they have to be read one by one.
   */
  readColors?(
    position: PlanePosition,
    level: number,
    window: PixelWindow,
    signal?: AbortSignal,
    onDamaged?: OnDamaged,
  ): Promise<Uint8Array | undefined>;
  /** Starts what decoding needs, as something will soon be read. */
  prepare?(): void;
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

/** Samples of a part of an image: row-major, interleaved when it holds several channels. */
export interface ImageBlock {
  width: number;
  height: number;
  channels: number;
  samples: Samples;
}

/** Blocks of one size that lie side by side, from the first pixel on. */
interface BlockGrid {
  blockWidth: number;
  blockHeight: number;
}

/** Blocks that meet a window, row by row: places in the grid, and of their first pixels. */
export function* blocksIn(
  { blockWidth, blockHeight }: BlockGrid,
  { x: left, y: top, width, height }: PixelWindow,
): Generator<{ x: number; y: number; left: number; top: number }> {
  for (let y = Math.floor(top / blockHeight); y * blockHeight < top + height; y++)
    for (let x = Math.floor(left / blockWidth); x * blockWidth < left + width; x++)
      yield { x, y, left: x * blockWidth, top: y * blockHeight };
}

/** Pixels of the blocks that a window meets. */
export function pixelsOfBlocks({ blockWidth, blockHeight }: BlockGrid, window: PixelWindow): number {
  const across = Math.ceil((window.x + window.width) / blockWidth) - Math.floor(window.x / blockWidth);
  const down = Math.ceil((window.y + window.height) / blockHeight) - Math.floor(window.y / blockHeight);
  return across * down * blockWidth * blockHeight;
}

/** Copies a channel of a block's part, first pixel at `place`, to its place in a window. */
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

/** Copies RGB of a block of RGB or RGBA, first pixel at `place`, to its place in an RGBA window. */
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

/** Decoded blocks of all open images: each is decoded once as long as it is in use. */
export interface BlockStore {
  /** The block of a key, decoded unless it is here; several who need it at once share the work. */
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
  /** Keys of this image's blocks begin with it and a slash. */
  key: string;
  /** Names the image to open, where the file has several; by default the first. */
  page?: number;
  /** Inflates zlib data; Node.js has a faster one than the default. */
  inflate?: Inflate;
  /** Called with rows read and all rows, if a level must be read through before showing parts. */
  onProgress?: (done: number, total: number) => void;
}

/** A format that can be read in parts. */
export interface ImageFormat {
  /** Reads a file's structure, no samples. Throws `bad-request`, `not-a-file`, `cancelled`. */
  open(file: ImageFile, signal?: AbortSignal): Promise<BackgroundImageSource>;
}

/** Inflates zlib data into at most `length` bytes, as many as there are. Throws if damaged. */
export type Inflate = (bytes: Uint8Array, length: number) => Uint8Array;

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
