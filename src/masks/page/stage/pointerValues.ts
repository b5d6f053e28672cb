import type { BackgroundImageInfo } from '../../../images/backgroundImageInfo';
import { isCoded } from '../../../base/errors';
import type { BackgroundImageLook } from '../../../images/backgroundImageLook';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { FrameQueue } from '../../../pages/page/widgets/frameQueue';
import type { Point, Extent } from './viewTransform';

/** Where the pointer is on a background image. */
export interface PointedSample {
  backgroundImage: BackgroundImageInfo;
  look: BackgroundImageLook;
  at: Point;
  /** The masks' image; the background image may have another size. */
  image: Extent;
  stretched: boolean;
}

/** Requests the samples of the background image under the pointer, at most one request at a time. */
export class PointerValues {
  private pointed: PointedSample | null = null;
  private busy = false;
  private readonly frames = new FrameQueue(() => void this.load());

  constructor(
    private readonly panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    private readonly onValues: (values: readonly (number | null)[]) => void,
  ) {}

  point(pointed: PointedSample | null): void {
    this.pointed = pointed;
    this.frames.schedule();
  }

  private async load(): Promise<void> {
    if (this.busy) return;
    const sample = this.pointed;
    if (!sample) {
      this.onValues([]);
      return;
    }
    const { backgroundImage, look, at, image, stretched } = sample;
    const across = stretched ? backgroundImage.width / image.width : 1;
    const down = stretched ? backgroundImage.height / image.height : 1;
    const [x, y] = [Math.floor(at.x * across), Math.floor(at.y * down)];
    if (x < 0 || y < 0 || x >= backgroundImage.width || y >= backgroundImage.height) {
      this.onValues([]);
      return;
    }
    this.busy = true;
    try {
      const { values } = await this.panel.request('pixelValues', {
        backgroundImage: backgroundImage.backgroundImage,
        x,
        y,
        look,
      });
      this.onValues(this.pointed ? values : []);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.onValues([]);
    } finally {
      this.busy = false;
      if (this.pointed !== sample) this.frames.schedule();
    }
  }
}
