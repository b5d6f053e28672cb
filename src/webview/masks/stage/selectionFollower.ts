import { sameObject, type ObjectRef } from '../../../model/objectRef';
import type { CanvasView } from './canvasView';
import type { CurrentImage } from './currentImage';
import type { ObjectFocus } from './objectFocus';
import type { ObjectPointer } from './objectPointer';
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
  constructor(private readonly parts: SelectionFollowerParts) {}

  follow(ref: ObjectRef | null): void {
    const { focus, selection, pointer, current } = this.parts;
    if (sameObject(ref, focus.selected)) return;
    pointer.forget();
    focus.showSelected(ref);
    if (!ref) return;
    // Another object was selected in place of several.
    if (!selection.has(ref)) selection.clear();
    current.show(current.positionOf(ref));
    this.reveal();
  }

  /** Brings the selected object into view, if its image is shown and its box is known. */
  reveal(): void {
    const { focus, current, canvas } = this.parts;
    const { image, scene } = current;
    const { selected } = focus;
    if (!selected || selected.image !== image?.index) return;
    const move = (box: Box) => canvas.moveTo(revealBox(canvas.view, canvas.size, box, image));
    const box = scene?.boxOf(selected.object);
    if (box) return void move(box);
    scene?.loadBox(selected.object).then(
      loaded => loaded && current.scene === scene && sameObject(selected, focus.selected) && move(loaded),
      // Another image is shown, or the panel has said what went wrong.
      () => undefined,
    );
  }
}
