import { createDeflate, crc32, type Deflate } from 'node:zlib';
import { once } from 'node:events';
import type { OutputFile } from '../../base/node/outputFolder';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Filter type of rows that are stored as the difference to the row above. */
const UP = 2;

/**
 * Writes a 16-bit gray PNG (https://www.w3.org/TR/png-3/) row by row, so that the whole image is
 * never in memory. Available libraries need the whole image.
 */
export class PngWriter {
  private readonly deflate: Deflate = createDeflate();
  private readonly copying: Promise<void>;
  private above: Uint8Array;

  private constructor(
    private readonly file: OutputFile,
    width: number,
  ) {
    this.above = new Uint8Array(width * 2);
    this.copying = this.copy();
    // Until addRows or finish awaits it, a failure must not become an unhandled rejection.
    this.copying.catch(() => undefined);
  }

  static async begin(
    file: OutputFile,
    { width, height, description }: { width: number; height: number; description: string },
  ): Promise<PngWriter> {
    await file.append(SIGNATURE);
    const header = new Uint8Array(13);
    const view = new DataView(header.buffer);
    view.setUint32(0, width);
    view.setUint32(4, height);
    header[8] = 16;
    await file.append(chunk('IHDR', header));
    const text = `Description\0${description.replace(/[^\x20-\x7e]/g, '?')}`;
    await file.append(chunk('tEXt', new TextEncoder().encode(text)));
    return new PngWriter(file, width);
  }

  /** Appends rows of big-endian samples, from the top down. */
  async addRows(rows: Uint8Array): Promise<void> {
    const length = this.above.length;
    const count = rows.length / length;
    const filtered = new Uint8Array(rows.length + count);
    let above = this.above;
    for (let row = 0, index = 0; row < count; row++) {
      const samples = rows.subarray(row * length, (row + 1) * length);
      filtered[index++] = UP;
      for (let i = 0; i < length; i++) filtered[index++] = (samples[i] as number) - (above[i] as number);
      above = samples;
    }
    this.above = above.slice();
    if (!this.deflate.write(filtered)) await Promise.race([once(this.deflate, 'drain'), this.copying]);
  }

  async finish(): Promise<void> {
    this.deflate.end();
    await this.copying;
    await this.file.append(chunk('IEND', new Uint8Array(0)));
  }

  /** Frees the compressor; an unfinished file isn't a valid PNG. */
  abandon(): void {
    this.deflate.destroy();
  }

  private async copy(): Promise<void> {
    for await (const bytes of this.deflate) await this.file.append(chunk('IDAT', bytes as Uint8Array));
  }
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
