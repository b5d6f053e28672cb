import { t } from '../../../pages/page/l10n';
import type { PagePort } from '../../../pages/page/pagePort';
import { FrameQueue } from '../../../pages/page/widgets/timing';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import {
  type LocatedObject,
  type MaskImage,
  type ObjectDetails,
  type ObjectRef,
  type ObjectsOfImage,
  sameObject,
} from '../../../archives/masksSummary';
import type { Box, Point } from '../tiles/viewTransform';
import type { ImageModel, Scene } from './imageModel';
import type { MasksViewState, SavedObject } from './masksViewState';
import type { MessagesModel } from './messagesModel';
import { type ClickedStack, ObjectFocus } from './objectFocus';
import { ObjectSelection } from './objectSelection';

interface SelectionModelOptions {
  images: readonly MaskImage[];
  image: ImageModel;
  messages: MessagesModel;
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'request' | 'send'>;
  /** Shows the image at a position in the archive. */
  show: (position: number) => void;
  /** Moves the view to a box of the current image. */
  reveal: (box: Box) => void;
}

/**
 * The hovered object and the selected ones. Objects are selected by the pointer, by a region, or
 * elsewhere; then their image is shown and the object is brought into view.
 */
export class SelectionModel {
  readonly focus: ObjectFocus;
  /** Several objects that are selected together. */
  readonly several: ObjectSelection;
  /** The objects under the last click, if it made the selection. */
  private clickedStack: ClickedStack | undefined;
  private regionRequest: AbortController | undefined;
  private pointer: Point | null = null;
  private hoverRequest: AbortController | undefined;
  private readonly frames = new FrameQueue(() => void this.hoverObject());
  /** An object that was selected elsewhere and isn't in view yet. */
  private awaitingReveal: ObjectRef | null = null;
  /** The saved selected object of an image whose objects are still being read. */
  private savedObject: SavedObject | null = null;
  /** The scene whose view stays as the user left it. */
  private sceneAsLeft: Scene | undefined;
  /** The selected object that screen readers announced last. */
  private announced: ObjectRef | null = null;

  constructor(private readonly options: SelectionModelOptions) {
    const { images, messages, port, panel } = options;
    this.several = new ObjectSelection(images, port, count =>
      messages.report(count > 0 ? t.count(count, '1 object selected', '{0} objects selected') : ''),
    );
    this.focus = new ObjectFocus({
      images,
      panel,
      port,
      arrived: details => this.arrived(details),
      stack: () => this.clickedStack,
      failed: messages.failed,
    });
    this.focus.shown.subscribe(shown => {
      const selected = shown?.selected ? shown.details : null;
      if (selected && !sameObject(selected, this.announced))
        messages.say(t('Object {0}, {1}, selected', String(selected.id), selected.className));
      this.announced = selected;
    });
  }

  /** Several selected objects, else the single one. */
  get objects(): readonly ObjectsOfImage[] {
    const selected = this.focus.selected.peek();
    const several = this.several.all.peek();
    if (several.length > 0 || !selected) return several;
    return [{ image: selected.image, objects: [selected.object] }];
  }

  /** The objects marked on an image. */
  marksOf({ index }: MaskImage): { hovered: number | null; selected: number | null } {
    const objectHere = (ref: ObjectRef | null) => (ref?.image === index ? ref.object : null);
    return {
      hovered: objectHere(this.focus.hovered.peek()),
      selected: objectHere(this.focus.selected.peek()),
    };
  }

  /** Sets the pointer, in image pixels; finds the object below it at most once a frame. */
  point(point: Point | null): void {
    this.pointer = point && { x: Math.floor(point.x), y: Math.floor(point.y) };
    this.frames.schedule();
  }

  /**
   * Selects the object at a point of the image, or clears the selection if none is there. A second
   * click at the point, or `step`, selects the next object below. `add` toggles the object in the
   * selection. `onPanel`: the same point on the panel.
   */
  async click(point: Point, onPanel: Point, { step, add }: { step: boolean; add: boolean }): Promise<void> {
    this.regionRequest?.abort();
    const { focus, several } = this;
    const objectsHere = await this.objectsAtPoint(point);
    if (!objectsHere) return;
    const { image, objects } = objectsHere;
    if (add) {
      this.clickedStack = undefined;
      const [topmost] = objects;
      if (topmost !== undefined) this.addOrRemove({ image, object: topmost });
      return;
    }
    several.clear();
    const before = focus.selected.peek();
    const selected = before?.image === image ? before.object : null;
    this.clickedStack = nextInStack(this.clickedStack, objects, onPanel, selected, step);
    const object = this.clickedStack?.candidates[this.clickedStack.position];
    focus.select(object === undefined ? null : { image, object });
  }

  /**
   * The target of a context menu at a point: the selected object if it is there, else the topmost
   * one; null if there is none.
   */
  async objectUnder(point: Point): Promise<ObjectRef | null> {
    const objectsHere = await this.objectsAtPoint(point);
    if (!objectsHere) return null;
    const { image, objects } = objectsHere;
    const selected = this.focus.selected.peek();
    if (selected?.image === image && objects.includes(selected.object)) return selected;
    return objects[0] === undefined ? null : { image, object: objects[0] };
  }

  /**
   * Replaces the selection by the visible objects in a region; `polygon`: corners x, y in turn, in
   * image pixels.
   */
  async selectRegion(polygon: number[]): Promise<void> {
    const { panel, image: currentImage, messages } = this.options;
    const scene = currentImage.scene.peek();
    if (!scene) return;
    const { index: image } = scene.image;
    this.regionRequest?.abort();
    this.regionRequest = new AbortController();
    const abortSignal = AbortSignal.any([scene.signal, this.regionRequest.signal]);
    try {
      const inside = await panel.request('objectsInRegion', { image, polygon }, abortSignal);
      if (abortSignal.aborted) return;
      const objects = inside.objects.filter(object => scene.isShown(object));
      if (objects.length === 0) {
        messages.report(t('No objects there'));
        return;
      }
      this.several.replace(image, objects);
    } catch (error) {
      messages.failed(error);
    }
  }

  /** Makes the selected objects' rows a filter of the table, which can be undone there. */
  async filterToSelected(): Promise<void> {
    const { panel, messages } = this.options;
    const selection = this.selectionToSend(this.several.all.peek());
    const count = this.several.count.peek();
    if (count === 0) return;
    this.regionRequest?.abort();
    const { signal: abortSignal } = (this.regionRequest = new AbortController());
    try {
      const { rows } = await panel.request('selectRows', { selection }, abortSignal);
      if (abortSignal.aborted) return;
      messages.report(
        rows === 0
          ? t.count(
              count,
              '1 object selected, it has no table row',
              '{0} objects selected, none has a table row',
            )
          : t.count(
              rows,
              'Filtered to the selection: 1 table row',
              'Filtered to the selection: {0} table rows',
            ),
      );
    } catch (error) {
      messages.failed(error);
    }
  }

  /**
   * Selects the next visible object of the current image, or the previous one for `step` −1, and
   * scrolls to it. Steps through the objects selected together, if any. Cyclic.
   */
  async step(step: 1 | -1): Promise<void> {
    const { focus, several, options } = this;
    const scene = options.image.scene.peek();
    if (!scene) return;
    const { index: image, objectCount } = scene.image;
    const selected = focus.selected.peek();
    const object = nextObject({
      count: objectCount,
      from: selected?.image === image ? selected.object : null,
      step,
      among: several.objectsIn(image),
      isShown: candidate => scene.isShown(candidate),
    });
    if (object === undefined) {
      options.messages.say(t('No objects to select'));
      return;
    }
    this.regionRequest?.abort();
    this.clickedStack = undefined;
    this.sceneAsLeft = undefined;
    focus.select({ image, object });
    await this.reveal();
  }

  /** An object was selected elsewhere: shows its image and brings it into view. */
  follow(ref: LocatedObject | null): void {
    const { focus, several } = this;
    const { image, show } = this.options;
    this.savedObject = null;
    if (sameObject(ref, focus.selected.peek())) return;
    this.clickedStack = undefined;
    this.awaitingReveal = ref;
    if (ref) {
      // Another object was selected in place of several.
      if (!several.has(ref)) several.clear();
      // Shown first: a new image ends the hover in the previous one, whose details aren't needed.
      show(image.positionOf(ref));
    }
    focus.followSelected(ref);
    if (!ref || !this.awaitingReveal) return;
    const box = image.sceneOf(ref)?.boxOf(ref.object);
    if (box) this.move(box);
  }

  /** Restores the selected object and the multiple selection. With `asLeft` the view stays. */
  restore(selected: ObjectRef | null, asLeft: boolean): void {
    this.several.restore();
    if (!selected) return;
    if (!asLeft) {
      this.follow(selected);
      return;
    }
    this.sceneAsLeft = this.options.image.scene.peek();
    this.focus.followSelected(selected);
  }

  /**
   * Restores the page's own selection, if none was made since the result was opened (as after a
   * reload of the window). It waits until the objects of its image are read. The view stays.
   */
  restoreSaved(): void {
    this.savedObject = this.options.port.view.selected ?? null;
    this.objectsRead();
  }

  /** The objects of an image were read; the saved selected object may be among them. */
  objectsRead(): void {
    const { savedObject, focus } = this;
    const { images, image, panel } = this.options;
    if (!savedObject) return;
    const savedImage = images.find(({ id }) => id === savedObject.id);
    if (savedImage?.isPartial) return;
    this.savedObject = null;
    if (!savedImage || savedImage.objectCount !== savedObject.objectCount || focus.selected.peek()) return;
    const selected = { image: savedImage.index, object: savedObject.object };
    this.sceneAsLeft = image.scene.peek();
    focus.followSelected(selected);
    panel.send('selectedBefore', selected);
  }

  /** Brings the selected object into view, if its image is shown. */
  async reveal(): Promise<void> {
    const { image } = this.options;
    const selected = this.focus.selected.peek();
    const scene = selected && image.sceneOf(selected);
    if (!scene || scene === this.sceneAsLeft) return;
    // Another image is shown, or a message already reports the failure.
    const box = scene.boxOf(selected.object) ?? (await scene.loadBox(selected.object).catch(() => undefined));
    if (box && image.scene.peek() === scene && sameObject(selected, this.focus.selected.peek()))
      this.move(box);
  }

  /** Clears the selection and cancels a pending selection by region. */
  clear(): void {
    this.regionRequest?.abort();
    this.several.clear();
    this.focus.select(null);
    this.clearMessage();
  }

  /** Clears the message about the last action. */
  clearMessage(): void {
    this.options.messages.report('');
  }

  /** Lets the user export the selected objects alone. */
  exportSelected(): void {
    const selection = this.selectionToSend(this.objects);
    if (selection.length > 0) this.options.panel.send('exportSelected', { selection });
  }

  private selectionToSend(objects: readonly ObjectsOfImage[]) {
    return objects.map(ofImage => ({ image: ofImage.image, objects: [...ofImage.objects] }));
  }

  /** Toggles an object in the multiple selection; it starts with the single selected object. */
  private addOrRemove(ref: ObjectRef): void {
    const { focus, several } = this;
    const selected = focus.selected.peek();
    if (several.count.peek() === 0 && selected && !sameObject(selected, ref)) several.toggle(selected);
    focus.select(several.toggle(ref) ? ref : null);
  }

  /**
   * Details of an object arrived. Its box needs no request, though others may not be loaded yet.
   */
  private arrived({ image, object, bbox }: ObjectDetails): void {
    const scene = this.options.image.sceneOf({ image });
    if (!scene) return;
    scene.setBox(object, bbox);
    if (sameObject(this.awaitingReveal, { image, object })) this.move(bbox);
  }

  private move(box: Box): void {
    this.awaitingReveal = null;
    this.options.reveal(box);
  }

  /** Hovers the object below the pointer. */
  private async hoverObject(): Promise<void> {
    const { focus, pointer } = this;
    const { image, messages } = this.options;
    const scene = image.scene.peek();
    this.hoverRequest?.abort();
    const hover = (object: number | null | undefined) =>
      focus.hover(scene && typeof object === 'number' ? { image: scene.image.index, object } : null);
    const loadedObject = scene && pointer ? scene.objectNear(pointer.x, pointer.y) : null;
    if (!scene || !pointer || loadedObject !== undefined) {
      hover(loadedObject);
      return;
    }
    const { signal: abortSignal } = (this.hoverRequest = new AbortController());
    try {
      const [object] = await this.objectsAt(scene, pointer, abortSignal);
      if (!abortSignal.aborted && image.scene.peek() === scene) hover(object);
    } catch (error) {
      messages.failed(error);
    }
  }

  /**
   * The objects at a point of the current image; undefined if the request failed or the image
   * changed.
   */
  private async objectsAtPoint(point: Point): Promise<{ image: number; objects: number[] } | undefined> {
    const { image, messages } = this.options;
    const scene = image.scene.peek();
    if (!scene) return undefined;
    try {
      const objects = await this.objectsAt(scene, { x: Math.floor(point.x), y: Math.floor(point.y) });
      return image.scene.peek() === scene ? { image: scene.image.index, objects } : undefined;
    } catch (error) {
      messages.failed(error);
      return undefined;
    }
  }

  /** Shown objects that cover a pixel, smallest first. */
  private async objectsAt(scene: Scene, { x, y }: Point, abortSignal?: AbortSignal): Promise<number[]> {
    const { width, height, index, objectCount } = scene.image;
    if (objectCount === 0 || x < 0 || y < 0 || x >= width || y >= height) return [];
    const { objects } = await this.options.panel.request('objectsAt', { image: index, x, y }, abortSignal);
    return objects.filter(object => scene.isShown(object));
  }
}

interface SteppedObjects {
  /** Number of objects of the image. */
  count: number;
  /** The selected object to start from. */
  from: number | null;
  step: 1 | -1;
  /** The objects to step through; all objects if empty. */
  among: ReadonlySet<number>;
  isShown: (object: number) => boolean;
}

/** The visible object after another, or before it, cyclically. Undefined if none is visible. */
export function nextObject({ count, from, step, among, isShown }: SteppedObjects): number | undefined {
  const start = from ?? (step > 0 ? -1 : count);
  for (let steps = 1; steps <= count; steps++) {
    const object = (((start + step * steps) % count) + count) % count;
    if ((among.size === 0 || among.has(object)) && isShown(object)) return object;
  }
  return undefined;
}

/** Panel pixels between clicks at the same point. */
const SAME_POINT_DISTANCE = 4;

/**
 * The object that a click selects, smallest first. A second click at the same point, or Alt+click
 * on a selected object, selects the next one below.
 */
export function nextInStack(
  before: ClickedStack | undefined,
  candidates: readonly number[],
  point: Point,
  selected: number | null,
  step: boolean,
): ClickedStack | undefined {
  if (candidates.length === 0) return undefined;
  const selectedPosition = selected === null ? -1 : candidates.indexOf(selected);
  const isSamePoint =
    before !== undefined &&
    Math.hypot(point.x - before.point.x, point.y - before.point.y) <= SAME_POINT_DISTANCE;
  const position =
    selectedPosition >= 0 && (isSamePoint || step) ? (selectedPosition + 1) % candidates.length : 0;
  return { point, candidates, position };
}
