import { isCoded } from '../../base/errors';
import type { PictureLook } from '../../formats/pictureLook';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { PictureInfo } from '../../protocol/pictureEngine';
import type { RpcEndpoint } from '../../protocol/rpc';
import { FrameQueue } from '../frameQueue';
import type { Point, Size } from './viewTransform';

/** Where the pointer is on a picture. */
export interface PointedSample {
  picture: PictureInfo;
  look: PictureLook;
  at: Point;
  /** The masks' image; the picture may have another size. */
  image: Size;
  stretched: boolean;
}

/** Asks for the samples of the picture under the pointer, at most one question at a time. */
export class PointerValues {
  private pointed: PointedSample | null = null;
  private busy = false;
  private readonly frames = new FrameQueue(() => void this.ask());

  constructor(
    private readonly panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    private readonly onValues: (values: readonly (number | null)[]) => void,
  ) {}

  point(pointed: PointedSample | null): void {
    this.pointed = pointed;
    this.frames.ask();
  }

  private async ask(): Promise<void> {
    if (this.busy) return;
    const asked = this.pointed;
    if (!asked) {
      this.onValues([]);
      return;
    }
    const { picture, look, at, image, stretched } = asked;
    const across = stretched ? picture.width / image.width : 1;
    const down = stretched ? picture.height / image.height : 1;
    const [x, y] = [Math.floor(at.x * across), Math.floor(at.y * down)];
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) {
      this.onValues([]);
      return;
    }
    this.busy = true;
    try {
      const { values } = await this.panel.request('pixelValues', { picture: picture.picture, x, y, look });
      this.onValues(this.pointed ? values : []);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.onValues([]);
    } finally {
      this.busy = false;
      if (this.pointed !== asked) this.frames.ask();
    }
  }
}
