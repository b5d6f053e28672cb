import { isCoded } from '../../../base/errors';
import type { ObjectRef } from '../../../model/objectRef';
import type { MasksPageSide, MasksPanelSide } from '../../../protocol/masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { FrameQueue } from '../../widgets/frameQueue';
import type { ImageScene } from './imageScene';
import type { ObjectFocus } from './objectFocus';
import { nextInStack, type ClickedStack } from './clickedStack';
import type { Point } from './viewTransform';

export interface ObjectPointerOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  focus: ObjectFocus;
  scene: () => ImageScene | undefined;
  onFailure: (error: unknown) => void;
}

/** Finds the object under the pointer and the one a click means, at most once a frame. */
export class ObjectPointer {
  private pointed: Point | null = null;
  private clicked: ClickedStack | undefined;
  private pending: AbortController | undefined;
  private readonly frames = new FrameQueue(() => void this.findPointed());

  constructor(private readonly options: ObjectPointerOptions) {}

  /** The objects under the last click, when there are several and one of them is selected. */
  get stack(): { position: number; count: number } | undefined {
    return this.clicked && { position: this.clicked.position, count: this.clicked.candidates.length };
  }

  /** The selection now comes from elsewhere. */
  forget(): void {
    this.clicked = undefined;
  }

  /** The pointer is there, in image pixels, or nowhere. */
  point(at: Point | null): void {
    this.pointed = at && { x: Math.floor(at.x), y: Math.floor(at.y) };
    this.frames.schedule();
  }

  /** Selects the object there; again, or with `step`, the next one beneath; nothing where there is none. */
  async click(at: Point, onPanel: Point, step: boolean): Promise<void> {
    const { focus, scene, onFailure } = this.options;
    const clicked = scene();
    if (!clicked) return;
    const { index } = clicked.image;
    try {
      const objects = await this.objectsAt(clicked, { x: Math.floor(at.x), y: Math.floor(at.y) });
      if (scene() !== clicked) return;
      const selected = focus.selected?.image === index ? focus.selected.object : null;
      this.clicked = nextInStack(this.clicked, objects, onPanel, selected, step);
      const object = this.clicked?.candidates[this.clicked.position];
      focus.select(object === undefined ? null : { image: index, object });
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  /** The object there that a menu means: the selected one if it is among them, else the topmost; null where there is none. */
  async objectUnder(at: Point): Promise<ObjectRef | null> {
    const { focus, scene, onFailure } = this.options;
    const under = scene();
    if (!under) return null;
    const { index } = under.image;
    try {
      const objects = await this.objectsAt(under, { x: Math.floor(at.x), y: Math.floor(at.y) });
      const { selected } = focus;
      if (selected?.image === index && objects.includes(selected.object)) return selected;
      return objects[0] === undefined ? null : { image: index, object: objects[0] };
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
      return null;
    }
  }

  private async findPointed(): Promise<void> {
    const { focus, scene, onFailure } = this.options;
    const under = scene();
    const at = this.pointed;
    this.pending?.abort();
    const near = under && at ? under.objectNear(at.x, at.y) : null;
    if (!under || !at || near !== undefined) {
      focus.hover(
        under && near !== null && near !== undefined ? { image: under.image.index, object: near } : null,
      );
      return;
    }
    const controller = new AbortController();
    this.pending = controller;
    try {
      const [object] = await this.objectsAt(under, at, controller.signal);
      if (controller.signal.aborted || scene() !== under) return;
      focus.hover(object === undefined ? null : { image: under.image.index, object });
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  /** Shown objects that cover a pixel, smallest first. */
  private async objectsAt(scene: ImageScene, { x, y }: Point, signal?: AbortSignal): Promise<number[]> {
    const { width, height, index } = scene.image;
    if (x < 0 || y < 0 || x >= width || y >= height) return [];
    const { objects } = await this.options.panel.request('objectsAt', { image: index, x, y }, signal);
    return objects.filter(object => scene.isShown(object));
  }
}
