import type { PagePort } from '../../pages/page/pagePort';
import type { MasksText } from '../../pages/page/pageText';
import type { RpcEndpoint } from '../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../masksPage';
import {
  type FoundObject,
  type MaskImage,
  type ObjectDetails,
  type ObjectRef,
  type ObjectsOfImage,
  sameObject,
} from '../masksSummary';
import type { CanvasView } from './stage/canvasView';
import type { CurrentImage } from './stage/currentImage';
import type { ImageScene, Marks } from './stage/imageScene';
import { ObjectFocus, ObjectPointer } from './stage/objectFocus';
import type { MasksStore } from './state/masksStore';
import type { MasksViewState } from './state/masksViewState';
import { ObjectSelection, RegionSelection, restoredSelection, savedSelection } from './state/objectSelection';
import { type Box, type Point, revealBox } from './tiles/viewTransform';

interface MasksSelectionParts {
  images: readonly MaskImage[];
  port: PagePort<MasksViewState>;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  text: MasksText;
  canvas: CanvasView;
  current: CurrentImage;
  store: Pick<MasksStore, 'selection' | 'object' | 'statistics' | 'messages'>;
  onFailure: (error: unknown) => void;
}

/**
 * Which object is pointed at and which are selected, by the pointer, by a region or elsewhere; shown on the image, in the
 * inspector and in the status line, and said to screen readers.
 */
export class MasksSelection {
  readonly focus: ObjectFocus;
  readonly pointer: ObjectPointer;
  private readonly several = new ObjectSelection(() => this.severalChanged());
  private readonly follower: SelectionFollower;
  private readonly regions: RegionSelection;
  /** The selected object that was said last. */
  private announced: ObjectRef | null = null;

  constructor(private readonly parts: MasksSelectionParts) {
    const { panel, text, canvas, current, store, onFailure } = parts;
    const scene = () => current.scene;
    this.focus = new ObjectFocus({
      panel,
      onChange: () => {
        canvas.redraw();
        this.save();
      },
      onDetails: (details, selected) => this.showObject(details, selected),
      onBeside: details => {
        if (details) this.follower.detailsArrived(details);
        store.selection.pointedBeside(details);
      },
      onFailure,
    });
    this.pointer = new ObjectPointer({
      panel,
      focus: this.focus,
      selection: this.several,
      scene,
      onFailure,
    });
    this.follower = new SelectionFollower({
      focus: this.focus,
      selection: this.several,
      pointer: this.pointer,
      current,
      canvas,
    });
    this.regions = new RegionSelection({
      panel,
      text,
      scene,
      selection: this.several,
      onSelected: words => {
        store.selection.selected(words);
        store.messages.say(words);
      },
      onFailure,
    });
  }

  /** Several selected objects, or else the one that is. */
  get objects(): ObjectsOfImage[] {
    const { selected } = this.focus;
    if (this.several.count > 0 || !selected) return this.several.all;
    return [{ image: selected.image, objects: [selected.object] }];
  }

  /** Whether several objects are selected together. */
  get hasSeveral(): boolean {
    return this.several.count > 0;
  }

  /** Those of an image that are selected together. */
  of(image: MaskImage): ReadonlySet<number> {
    return this.several.of(image.index);
  }

  /** What is to be marked on an image. */
  marksOf(image: MaskImage): Omit<Marks, 'masksShown'> {
    const here = (ref: ObjectRef | null) => (ref && ref.image === image.index ? ref.object : null);
    return { hovered: here(this.focus.hovered), selected: here(this.focus.selected) };
  }

  /** Selects the object at a point of the image, and at the point `onPanel` of the panel, as ObjectPointer says. */
  click(at: Point, onPanel: Point, how: { step: boolean; add: boolean }): void {
    this.regions.cancel();
    void this.pointer.click(at, onPanel, how);
  }

  /** Selects the shown objects inside a region: corners x, y in turn, in image pixels. */
  selectRegion(polygon: number[]): void {
    void this.regions.select(polygon);
  }

  /** Selected elsewhere: shows its image, and brings it into view. */
  follow(ref: FoundObject | null): void {
    this.follower.follow(ref);
  }

  /** Whether an object is the one that was selected when the page was left. */
  isAsLeft(selected: ObjectRef | null): boolean {
    return sameObject(selected, this.parts.port.view.selected ?? null);
  }

  /** Selects an object, and those that were selected together when the page was left. The view stays if it is `asLeft`. */
  restore(selected: ObjectRef | null, asLeft: boolean): void {
    const { images, port } = this.parts;
    this.several.restore(restoredSelection(port.view.several ?? [], images));
    if (selected && asLeft) this.follower.restore(selected);
    else if (selected) this.follow(selected);
    if (this.hasSeveral) this.showSeveral();
  }

  /** Brings the selected object into view, if its image is shown. */
  reveal(): void {
    this.follower.reveal();
  }

  /** Rows and objects were linked: the objects in focus may have other rows. */
  linked(): void {
    this.focus.linked();
  }

  clear(): void {
    this.regions.cancel();
    this.several.clear();
    this.focus.select(null);
    this.parts.store.selection.forget();
  }

  /** Lets the user export the selected objects alone. */
  exportSelected(): void {
    const selection = this.objects.map(({ image, objects }) => ({ image, objects: [...objects] }));
    if (selection.length > 0) this.parts.panel.send('exportSelected', { selection });
  }

  private showObject(details: ObjectDetails | undefined, selected: boolean): void {
    const { store, text } = this.parts;
    const stack = selected ? this.pointer.stack : undefined;
    // First, since it requests the masks in view.
    if (details) this.follower.detailsArrived(details);
    store.object.show(details && { details, selected, stack });
    const announced = selected ? (details ?? null) : null;
    if (details && announced && !sameObject(announced, this.announced))
      store.messages.say(text.get('selectedAnnounce', String(details.id), details.className));
    this.announced = announced;
  }

  private save(): void {
    const { port } = this.parts;
    const { selected } = this.focus;
    if (this.isAsLeft(selected)) return;
    port.updateView({ selected: selected && { image: selected.image, object: selected.object } });
  }

  private severalChanged(): void {
    const { images, port, store, text } = this.parts;
    this.showSeveral();
    port.updateView({ several: savedSelection(this.several.all, images) });
    const { count } = this.several;
    store.messages.say(count > 0 ? text.count('selectionOf', count) : '');
  }

  private showSeveral(): void {
    const { current, store } = this.parts;
    const { scene, image } = current;
    if (image) scene?.setSelection(new Set(this.several.of(image.index)));
    store.statistics.select(this.several.all);
  }
}

interface SelectionFollowerParts {
  focus: ObjectFocus;
  selection: ObjectSelection;
  pointer: ObjectPointer;
  current: CurrentImage;
  canvas: CanvasView;
}

/** Follows an object that was selected elsewhere: shows its image, and brings it into view. */
export class SelectionFollower {
  /** Selected elsewhere, but not in view yet. */
  private pending: ObjectRef | null = null;
  /** The view of this scene is as the user left it. */
  private kept: ImageScene | undefined;

  constructor(private readonly parts: SelectionFollowerParts) {}

  follow(ref: FoundObject | null): void {
    const { focus, selection, pointer, current } = this.parts;
    if (sameObject(ref, focus.selected)) return;
    pointer.forget();
    this.pending = ref;
    if (ref) {
      // Another object was selected in place of several.
      if (!selection.has(ref)) selection.clear();
      // First, since it ends the hover in the image before, whose details would be requested.
      current.show(current.positionOf(ref));
    }
    focus.showSelected(ref);
    if (!ref || !this.pending) return;
    const box = current.scene?.image.index === ref.image && current.scene.boxOf(ref.object);
    if (box) this.move(box);
  }

  /** Selected when the page was left: what is in view stays. */
  restore(ref: ObjectRef): void {
    const { focus, current } = this.parts;
    this.kept = current.scene;
    focus.showSelected(ref);
  }

  /** The details of an object have arrived, often before the objects of its image: it needs no request for its box. */
  detailsArrived({ image, object, bbox }: ObjectDetails): void {
    const { scene } = this.parts.current;
    if (scene?.image.index !== image) return;
    scene.setBox(object, bbox);
    if (sameObject(this.pending, { image, object })) this.move(bbox);
  }

  /** Brings the selected object into view, if its image is shown. */
  reveal(): void {
    const { focus, current } = this.parts;
    const { image, scene } = current;
    const { selected } = focus;
    if (!selected || selected.image !== image?.index || (scene && scene === this.kept)) return;
    const box = scene?.boxOf(selected.object);
    if (box) return void this.move(box);
    scene?.loadBox(selected.object).then(
      loaded =>
        loaded && current.scene === scene && sameObject(selected, focus.selected) && this.move(loaded),
      // Another image is shown, or the failure is shown already.
      () => undefined,
    );
  }

  /** Moves to a box; without an animation if nothing of the image was painted yet. */
  private move(box: Box): void {
    const { current, canvas } = this.parts;
    const { image, scene } = current;
    if (!image) return;
    this.pending = null;
    const view = revealBox(canvas.view, canvas.size, box, image);
    if (scene?.wasPainted) canvas.moveTo(view);
    else canvas.jumpTo(view);
  }
}
