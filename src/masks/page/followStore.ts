import type { InspectorLayout } from './inspector/inspectorLayout';
import type { MasksInspector } from './inspector/masksInspector';
import type { CurrentImage } from './stage/currentImage';
import type { MasksStage } from './stage/masksStage';
import type { MasksStore } from './state/masksStore';
import type { Thumbnails } from './thumbnails';

interface Followers {
  stage: MasksStage;
  current: CurrentImage;
  thumbnails: Thumbnails;
  inspector: MasksInspector;
  layout: InspectorLayout;
}

/** From now on the canvas, and what else of the page isn't a function of the store, is as the store says. */
export function followStore(
  { look, image, layout, pointer }: MasksStore,
  { stage, current, thumbnails, inspector, layout: split }: Followers,
): void {
  look.now.subscribe(now => {
    current.scene?.setLook(now);
    thumbnails.setLook(now);
    inspector.setLook(now);
    image.counted(current.scene?.shownCount);
  });
  look.masksShown.subscribe(() => stage.canvas.redraw());
  layout.tool.subscribe(tool => (stage.canvas.pointer.tool = tool));
  layout.details.subscribe(details => (split.shown = details));
  // The scale bar lies across.
  pointer.pixelSize.subscribe(size => stage.setPixelSize(size?.x));
}
