import { isCoded } from '../../../base/errors';
import { FrameQueue, LatestValue } from '../../../pages/page/widgets/timing';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import { type FoundObject, type ObjectDetails, type ObjectRef, sameObject } from '../../masksSummary';
import type { ObjectSelection } from '../state/objectSelection';
import type { Point } from '../tiles/viewTransform';
import type { ImageScene } from './imageScene';

interface ObjectFocusOptions {
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** Hovered or selected has changed: marks are to be painted. */
  onChange: () => void;
  /** Details of the selected object, else of the hovered one, have come; undefined when there is neither. */
  onDetails: (details: ObjectDetails | undefined, selected: boolean) => void;
  /** Details of an object that is hovered while another is selected have come; undefined when there is none. */
  onBeside: (details: ObjectDetails | undefined) => void;
  onFailure: (error: unknown) => void;
}

/**
 * The hovered and the selected object, set here or elsewhere; sends the panel what is set here. A selected object keeps
 * the focus while others are hovered, as the pointer may rest on any of them.
 */
export class ObjectFocus {
  hovered: FoundObject | null = null;
  selected: FoundObject | null = null;
  private readonly inFocus: LatestDetails;
  private readonly beside: LatestDetails;
  private readonly sentHover: LatestValue<ObjectRef | null>;

  constructor(private readonly options: ObjectFocusOptions) {
    const { panel, onDetails, onBeside, onFailure } = options;
    this.inFocus = new LatestDetails(panel, onDetails, onFailure);
    this.beside = new LatestDetails(panel, onBeside, onFailure);
    this.sentHover = new LatestValue<ObjectRef | null>(
      null,
      ref => options.panel.send('hover', ref),
      sameObject,
    );
  }

  /** Pointed at here. */
  hover(ref: ObjectRef | null): void {
    this.sentHover.set(ref);
    this.showHovered(ref);
  }

  /** Pointed at elsewhere. */
  showHovered(ref: FoundObject | null): void {
    if (sameObject(ref, this.hovered)) return;
    this.hovered = ref;
    this.changed();
  }

  /** Selected here. */
  select(ref: ObjectRef | null): void {
    if (sameObject(ref, this.selected)) return;
    this.options.panel.send('select', ref);
    this.showSelected(ref);
  }

  /** Selected elsewhere. */
  showSelected(ref: FoundObject | null): void {
    this.selected = ref;
    this.changed();
  }

  /** Rows and objects were linked: the row of the object in focus may be another one. */
  linked(): void {
    void this.inFocus.requestAgain();
  }

  private changed(): void {
    const { hovered, selected } = this;
    this.options.onChange();
    void this.inFocus.show(selected ?? hovered, selected !== null);
    void this.beside.show(selected && !sameObject(hovered, selected) ? hovered : null, false);
  }
}

/** Details of one object at a time, requested where they aren't there; those that come too late are dropped. */
class LatestDetails {
  private ref: ObjectRef | null = null;
  private isSelected = false;
  private pending: AbortController | undefined;

  constructor(
    private readonly panel: ObjectFocusOptions['panel'],
    private readonly onDetails: ObjectFocusOptions['onDetails'],
    private readonly onFailure: ObjectFocusOptions['onFailure'],
  ) {}

  async show(ref: FoundObject | null, isSelected: boolean): Promise<void> {
    if (sameObject(ref, this.ref) && isSelected === this.isSelected) return;
    this.ref = ref;
    this.isSelected = isSelected;
    this.pending?.abort();
    if (!ref) {
      this.onDetails(undefined, false);
      return;
    }
    if (ref.details) {
      this.onDetails(ref.details, isSelected);
      return;
    }
    await this.request(ref);
  }

  /** Requests the details of the object as they are now. */
  async requestAgain(): Promise<void> {
    if (!this.ref) return;
    this.pending?.abort();
    await this.request(this.ref);
  }

  private async request({ image, object }: ObjectRef): Promise<void> {
    const { isSelected } = this;
    const { signal } = (this.pending = new AbortController());
    try {
      const details = await this.panel.request('objectDetails', { image, object }, signal);
      if (!signal.aborted) this.onDetails(details, isSelected);
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.onFailure(error);
    }
  }
}

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

const SAME_PLACE = 4;

/** A click on objects that lie over each other: where it was, and which of them it selected. */
interface ClickedStack {
  at: Point;
  candidates: readonly number[];
  position: number;
}

/**
 * Which of the objects under a click is meant, smallest first: another click at the same place (in panel pixels), or one
 * with Alt on an object that is selected already, goes to the next beneath.
 */
export function nextInStack(
  before: ClickedStack | undefined,
  candidates: readonly number[],
  at: Point,
  selected: number | null,
  step: boolean,
): ClickedStack | undefined {
  if (candidates.length === 0) return undefined;
  const selectedAt = selected === null ? -1 : candidates.indexOf(selected);
  const again = before !== undefined && Math.hypot(at.x - before.at.x, at.y - before.at.y) <= SAME_PLACE;
  const position = selectedAt >= 0 && (again || step) ? (selectedAt + 1) % candidates.length : 0;
  return { at, candidates, position };
}
