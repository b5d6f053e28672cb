// Presses screenshots into WebP, by libwebp.
import { defaultOptions } from '@jsquash/webp/meta.js';
import encoder from '@jsquash/webp/codec/enc/webp_enc.js';
import { decode } from 'fast-png';
import { readFile } from 'node:fs/promises';

/** Slow, small, and with the colors of small text kept sharp. */
const options = { ...defaultOptions, quality: 80, method: 6, use_sharp_yuv: 1 };
let libwebp;

/** The pixels of a PNG file as RGBA, without transparency: all of them, or those within a box. */
export function pixelsOf(png, box) {
  const { width, height, channels, data } = decode(png);
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let channel = 0; channel < 3; channel++)
      rgba[pixel * 4 + channel] = data[pixel * channels + channel];
  const whole = { width, height, data: rgba };
  return box ? cutOut(whole, box) : whole;
}

/** A WebP file of the pixels. */
export async function webpOf({ width, height, data }) {
  const wasmBinary = await readFile('node_modules/@jsquash/webp/codec/enc/webp_enc.wasm');
  libwebp ??= await encoder({ wasmBinary });
  const file = libwebp.encode(data, width, height, options);
  if (!file) throw new Error('libwebp refused the image');
  return Buffer.from(file);
}

/**
 * An animated WebP file that repeats for ever, of frames of one size and the milliseconds each is
 * shown. Of each frame only the box that differs from the one before is stored. The container is
 * described at developers.google.com/speed/webp.
 */
export async function movingWebpOf(frames) {
  const [{ pixels: first }] = frames;
  const parts = [];
  let shown;
  for (const { pixels, ms } of frames) {
    const box = shown
      ? differenceOf(shown, pixels)
      : { left: 0, top: 0, right: first.width, bottom: first.height };
    if (box) parts.push({ box, ms, image: imageChunksOf(await webpOf(cutOut(pixels, box))) });
    else parts.at(-1).ms += ms;
    shown = pixels;
  }
  const canvas = Buffer.alloc(10);
  canvas[0] = 0b10; // animated
  canvas.writeUIntLE(first.width - 1, 4, 3);
  canvas.writeUIntLE(first.height - 1, 7, 3);
  const chunks = [chunk('VP8X', canvas), chunk('ANIM', Buffer.alloc(6)), ...parts.map(frameChunk)];
  const size = Buffer.alloc(4);
  size.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0));
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), ...chunks]);
}

function frameChunk({ box: { left, top, right, bottom }, ms, image }) {
  const head = Buffer.alloc(16);
  const numbers = [left / 2, top / 2, right - left - 1, bottom - top - 1, ms];
  for (const [index, number] of numbers.entries()) head.writeUIntLE(number, index * 3, 3);
  head[15] = 0b10; // drawn over what was there, not blended with it
  return chunk('ANMF', Buffer.concat([head, image]));
}

function chunk(name, content) {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(name), size, content, Buffer.alloc(content.length % 2)]);
}

/** The chunks of a WebP file that have its pixels. */
function imageChunksOf(file) {
  const headerLength = 12;
  return file.subarray(headerLength);
}

/**
 * The smallest box, with even left and top, outside of which two frames are equal; undefined where
 * they are equal.
 */
function differenceOf(before, after) {
  const rows = new Int32Array(before.data.buffer);
  const others = new Int32Array(after.data.buffer);
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (let index = 0; index < rows.length; index++) {
    if (rows[index] === others[index]) continue;
    const x = index % before.width;
    const y = (index - x) / before.width;
    [left, top, right, bottom] = [
      Math.min(left, x),
      Math.min(top, y),
      Math.max(right, x),
      Math.max(bottom, y),
    ];
  }
  if (right < 0) return undefined;
  return { left: left - (left % 2), top: top - (top % 2), right: right + 1, bottom: bottom + 1 };
}

function cutOut({ width, data }, { left, top, right, bottom }) {
  const cut = new Uint8ClampedArray((right - left) * (bottom - top) * 4);
  for (let y = top; y < bottom; y++)
    cut.set(data.subarray((y * width + left) * 4, (y * width + right) * 4), (y - top) * (right - left) * 4);
  return { width: right - left, height: bottom - top, data: cut };
}
