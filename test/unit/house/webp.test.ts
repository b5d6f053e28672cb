import * as assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { movingWebpOf, type Pixels } from '../../../scripts/webp.mjs';

/** The chunks of a WebP file, or of one of its frames. */
function chunksOf(bytes: Buffer): { name: string; content: Buffer }[] {
  const chunks = [];
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    chunks.push({
      name: bytes.toString('latin1', at, at + 4),
      content: bytes.subarray(at + 8, at + 8 + length),
    });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function framesOf(file: Buffer) {
  assert.equal(file.toString('latin1', 0, 4), 'RIFF');
  assert.equal(file.readUInt32LE(4), file.length - 8);
  assert.equal(file.toString('latin1', 8, 12), 'WEBP');
  const [header, animation, ...frames] = chunksOf(file.subarray(12));
  assert.deepEqual([header?.name, animation?.name], ['VP8X', 'ANIM']);
  const number = (content: Buffer, index: number) => content.readUIntLE(index * 3, 3);
  return {
    width: 1 + (header?.content.readUIntLE(4, 3) ?? 0),
    height: 1 + (header?.content.readUIntLE(7, 3) ?? 0),
    frames: frames.map(({ content }) => ({
      left: 2 * number(content, 0),
      top: 2 * number(content, 1),
      width: 1 + number(content, 2),
      height: 1 + number(content, 3),
      ms: number(content, 4),
      image: chunksOf(content.subarray(16)).map(({ name }) => name),
    })),
  };
}

describe('A moving picture', () => {
  const gray = (value: number): Pixels => ({
    width: 40,
    height: 30,
    data: new Uint8ClampedArray(40 * 30 * 4).fill(255).map((byte, at) => (at % 4 === 3 ? byte : value)),
  });

  it('has of each frame what changed, and holds a frame that is like the one before', async () => {
    const changed = gray(10);
    for (const [x, y] of [
      [7, 3],
      [20, 9],
    ] as const)
      changed.data[(y * 40 + x) * 4] = 200;
    const file = await movingWebpOf([
      { pixels: gray(10), ms: 100 },
      { pixels: gray(10), ms: 50 },
      { pixels: changed, ms: 70 },
    ]);
    assert.deepEqual(framesOf(file), {
      width: 40,
      height: 30,
      frames: [
        { left: 0, top: 0, width: 40, height: 30, ms: 150, image: ['VP8 '] },
        { left: 6, top: 2, width: 15, height: 8, ms: 70, image: ['VP8 '] },
      ],
    });
  });

  it('begins the README: from an image to a filter, in at most 1.5 MB', () => {
    const [, path = ''] = /!\[[^\]]+\]\(([^)]+\.webp)\)/.exec(readFileSync('README.md', 'utf8')) ?? [];
    const file = readFileSync(path);
    assert.ok(file.length <= 1_500_000, `${file.length} bytes`);
    const { width, height, frames } = framesOf(file);
    assert.ok(frames.length >= 8);
    for (const frame of frames) {
      assert.ok(frame.ms > 0 && frame.ms <= 5000);
      assert.ok(frame.left + frame.width <= width && frame.top + frame.height <= height);
    }
  });
});
