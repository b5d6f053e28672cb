/**
 * Memory to paint labels in, reused for each tile. Rows are a little longer than needed: with rows a power of two apart,
 * the pixels of a column would evict each other from the processor's cache (measured: 2.6 times slower).
 */
export class LabelCanvas {
  /** Labels, row-major, `stride` apart. */
  readonly pixels: Uint32Array;
  readonly stride: number;
  private readonly rows: Uint32Array[];

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.stride = width + 8;
    this.pixels = new Uint32Array(this.stride * height);
    this.rows = Array.from({ length: height }, (_, y) =>
      this.pixels.subarray(y * this.stride, y * this.stride + width),
    );
  }

  clear(): void {
    this.pixels.fill(0);
  }

  /** A copy of the labels, row-major without gaps. */
  copy(): Uint32Array<ArrayBuffer> {
    const { width, height } = this;
    // Every byte is written below: skipping the clearing halves the time.
    const memory = Buffer.allocUnsafeSlow(width * height * 4).buffer;
    const labels = new Uint32Array(memory, 0, width * height);
    this.rows.forEach((row, y) => labels.set(row, y * width));
    return labels;
  }
}
