import createDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js';
import wasmBinary from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm';
import { startDecoder, type WasmDecoder } from './wasmDecoder';

/** Pixels after which a decoder is not used again: it never frees the memory it has grown to. */
const MAX_PIXELS = 1 << 22;

export interface JpegPixels {
  width: number;
  height: number;
  rgba: Uint8ClampedArray | Uint8Array;
  /** What the decoder had to say of data that it could read. */
  messages: string[];
}

/** Decodes JPEG streams one after the other. The decoder starts with the first, and starts again after a damaged or large one. */
export class JpegCodec {
  private started: Promise<WasmDecoder<[turn: boolean]>> | undefined;
  private messages: string[] = [];

  /** RGBA of a gray or color stream, in full resolution; `failed`, with the decoder's messages, where it can't be read. */
  async decode(bytes: Uint8Array): Promise<JpegPixels | { failed: string[]; cause?: unknown }> {
    this.started ??= startDecoder<[turn: boolean]>(createDecoder, wasmBinary, text => {
      this.messages.push(text);
    });
    let decoder;
    try {
      decoder = await this.started;
    } catch (error) {
      this.started = undefined;
      throw error;
    }
    this.messages = [];
    try {
      const image = decoder.decode(bytes, false);
      if (image) {
        const { width, height, data } = image;
        if (this.messages.length > 0 || width * height > MAX_PIXELS) this.started = undefined;
        return { width, height, rgba: data as Uint8ClampedArray, messages: this.messages };
      }
      this.started = undefined;
      return { failed: this.messages };
    } catch (cause) {
      this.started = undefined;
      return { failed: this.messages, cause };
    }
  }

  /** Frees the decoder's memory; the next stream starts another. */
  release(): void {
    this.started = undefined;
  }
}

/** Red, green and blue of RGBA pixels, or the first of them where they are gray. */
export function withoutAlpha(
  rgba: ArrayLike<number>,
  pixels: number,
  channels: number,
): Uint8Array<ArrayBuffer> {
  const samples = new Uint8Array(pixels * channels);
  if (channels === 1) {
    for (let i = 0; i < pixels; i++) samples[i] = rgba[i * 4] as number;
    return samples;
  }
  for (let i = 0, from = 0, to = 0; i < pixels; i++, from += 4, to += 3) {
    samples[to] = rgba[from] as number;
    samples[to + 1] = rgba[from + 1] as number;
    samples[to + 2] = rgba[from + 2] as number;
  }
  return samples;
}
