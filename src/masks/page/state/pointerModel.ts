import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Extent, Point } from '../tiles/viewTransform';

/** µm per pixel across and down. */
export interface MicronSize {
  x: number;
  y: number;
}

/** The pointer's position on the image, and the samples there. */
export class PointerModel {
  /** The pointer's position in µm; undefined if the size of pixels is unknown. */
  readonly microns: ReadonlySignal<Point | undefined>;
  private readonly pixel = signal<Point | undefined>(undefined);
  private readonly latest = signal<Point | null>(null);
  private readonly samples = signal<readonly (number | null)[]>([]);

  /** `pixelSize`: the size of the image's pixels, if known. */
  constructor(readonly pixelSize: ReadonlySignal<MicronSize | undefined>) {
    this.microns = computed(() => {
      const [pixel, size] = [this.pixel.value, pixelSize.value];
      return pixel && size && { x: pixel.x * size.x, y: pixel.y * size.y };
    });
  }

  /** The pointer's position in pixels; undefined outside the image. */
  get pixelInImage(): ReadonlySignal<Point | undefined> {
    return this.pixel;
  }

  /**
   * The pointer's position in image pixels, also outside the image, as on a larger background
   * image. Null once the pointer left.
   */
  get position(): ReadonlySignal<Point | null> {
    return this.latest;
  }

  /** Samples of the background image at the pointer; null for NaN. */
  get values(): ReadonlySignal<readonly (number | null)[]> {
    return this.samples;
  }

  /** The pointer moved to a point in image pixels, maybe outside the image, or left (null). */
  moved(to: Point | null, image: Extent): void {
    const isInside = to && to.x >= 0 && to.y >= 0 && to.x < image.width && to.y < image.height;
    this.latest.value = to;
    this.pixel.value = isInside ? to : undefined;
  }

  sampled(values: readonly (number | null)[]): void {
    this.samples.value = values;
  }
}
