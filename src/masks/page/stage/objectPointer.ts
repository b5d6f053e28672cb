import { isCoded } from '../../../base/errors';
import { sameObject, type ObjectRef } from '../../objectRef';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { FrameQueue } from '../../../pages/page/widgets/frameQueue';
import type { ImageScene } from './imageScene';
import type { ObjectFocus } from './objectFocus';
import type { ObjectSelection } from './objectSelection';
import { nextInStack, type ClickedStack } from './clickedStack';
import type { Point } from './viewTransform';

export interface ObjectPointerOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  focus: ObjectFocus;
  selection: ObjectSelection;
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

  /**
   * Selects the object there; again, or with `step`, the next one beneath; nothing where there is none. With `add` others stay
   * selected, and an object that is selected no longer is.
   */
  async click(at: Point, onPanel: Point, { step, add }: { step: boolean; add: boolean }): Promise<void> {
    const { focus, selection, scene, onFailure } = this.options;
    const clicked = scene();
    if (!clicked) return;
    const { index } = clicked.image;
    try {
      const objects = await this.objectsAt(clicked, { x: Math.floor(at.x), y: Math.floor(at.y) });
      if (scene() !== clicked) return;
      if (add) {
        this.forget();
        const [topmost] = objects;
        if (topmost !== undefined) this.addOrRemove({ image: index, object: topmost });
        return;
      }
      selection.clear();
      const selected = focus.selected?.image === index ? focus.selected.object : null;
      this.clicked = nextInStack(this.clicked, objects, onPanel, selected, step);
      const object = this.clicked?.candidates[this.clicked.position];
      focus.select(object === undefined ? null : { image: index, object });
    } catch (error) {
      if (!isCoded(error, 'cancelled')) onFailure(error);
    }
  }

  /** The object selected so far is one of several from now on. */
  private addOrRemove(ref: ObjectRef): void {
    const { focus, selection } = this.options;
    const { selected } = focus;
    if (selection.count === 0 && selected && !sameObject(selected, ref)) selection.toggle(selected);
    focus.select(selection.toggle(ref) ? ref : null);
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
    const { width, height, index, objectCount } = scene.image;
    if (objectCount === 0 || x < 0 || y < 0 || x >= width || y >= height) return [];
    const { objects } = await this.options.panel.request('objectsAt', { image: index, x, y }, signal);
    return objects.filter(object => scene.isShown(object));
  }
}
