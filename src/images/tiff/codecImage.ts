import type { JpegCodec } from '../jpegCodec';
import type { SampleKind } from '../raster';

/** What a decoder has to know of the image that a block belongs to; a TiffImage has all of it. */
export interface CodecImage {
  /** Bits of a sample in the file. */
  bits: number;
  /** What the samples mean: see Photometric. */
  photometric: number;
  kind: SampleKind;
  /** Each channel in blocks of its own. */
  planar: boolean;
  blockWidth: number;
  /** Rows of a block; the last strip may have fewer. */
  blockHeight: number;
  jpegTables?: Uint8Array;
  /** Values of the codec's own tag, see TiffCompression.parametersTag. */
  codecParameters?: readonly number[];
}

/** What a block holds: `width` × `height` pixels of `channels` interleaved samples. */
export interface BlockShape {
  width: number;
  height: number;
  channels: number;
}

/** Inflates zlib data into `length` bytes, or fewer when there are no more. Throws when they are damaged. */
export type Inflate = (bytes: Uint8Array, length: number) => Uint8Array;

/** What the blocks of an image are decoded with; one of each serves many blocks. */
export interface BlockCodecs {
  inflate: Inflate;
  jpeg: JpegCodec;
}
