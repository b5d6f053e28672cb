import { sameObject, type ObjectRef } from '../../objectRef';
import type { FoundObject, ObjectDetails } from '../../masksSummary';
import type { CanvasView } from './canvasView';
import type { CurrentImage } from './currentImage';
import type { ObjectFocus } from './objectFocus';
import type { ObjectPointer } from './objectPointer';
import type { ImageScene } from './imageScene';
import type { ObjectSelection } from './objectSelection';
import { revealBox, type Box } from './viewTransform';

export interface SelectionFollowerParts {
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
