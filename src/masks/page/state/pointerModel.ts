import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Extent, Point } from '../tiles/viewTransform';

/** µm per pixel across and down. */
export interface MicronSize {
  x: number;
  y: number;
}

/** The pointer's position on the image, and the samples there. */
export class PointerModel {
  /** Its position in µm, if the size of pixels is known. */
  readonly microns: ReadonlySignal<Point | undefined>;
  private readonly pixel = signal<Point | undefined>(undefined);
  private readonly latest = signal<Point | null>(null);
  private readonly samples = signal<readonly (number | null)[]>([]);

  /** `pixelSize`: how large the image's pixels are, where that is known. */
  constructor(readonly pixelSize: ReadonlySignal<MicronSize | undefined>) {
    this.microns = computed(() => {
      const [at, size] = [this.pixel.value, pixelSize.value];
      return at && size && { x: at.x * size.x, y: at.y * size.y };
    });
  }

  /** Its position in pixels; undefined outside the image. */
  get at(): ReadonlySignal<Point | undefined> {
    return this.pixel;
  }

  /**
   * Its position in pixels of the image, maybe outside, as on a larger background image; null once
   * it left.
   */
  get place(): ReadonlySignal<Point | null> {
    return this.latest;
  }

  /** Samples of the background image below it; null for NaN. */
  get values(): ReadonlySignal<readonly (number | null)[]> {
    return this.samples;
  }

  /** It moved to a point in pixels of the image, which may lie beside it, or left it. */
  moved(to: Point | null, image: Extent): void {
    const isInside = to && to.x >= 0 && to.y >= 0 && to.x < image.width && to.y < image.height;
    this.latest.value = to;
    this.pixel.value = isInside ? to : undefined;
  }

  sampled(values: readonly (number | null)[]): void {
    this.samples.value = values;
  }
}
