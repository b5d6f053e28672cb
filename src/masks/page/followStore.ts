import type { InspectorLayout } from './inspector/inspectorLayout';
import type { CurrentImage } from './stage/currentImage';
import type { MasksStage } from './stage/masksStage';
import type { MasksStore } from './state/masksStore';
import type { Thumbnails } from './thumbnails';

interface Followers {
  stage: MasksStage;
  current: CurrentImage;
  thumbnails: Thumbnails;
  layout: InspectorLayout;
}

/** From now on the canvas, and what else of the page isn't a function of the store, is as the store says. */
export function followStore(
  { look, image, layout, pointer, coloring, background }: MasksStore,
  { stage, current, thumbnails, layout: split }: Followers,
): void {
  look.now.subscribe(now => {
    current.scene?.setLook(now);
    thumbnails.setLook(now);
    image.counted(current.scene?.shownCount);
  });
  look.masksShown.subscribe(() => stage.canvas.redraw());
  layout.tool.subscribe(tool => (stage.canvas.pointer.tool = tool));
  layout.details.subscribe(details => (split.shown = details));
  coloring.scale.subscribe(scale => {
    thumbnails.setRange(scale?.range);
    stage.colorBar.show(scale);
  });
  coloring.values.subscribe(({ image: of, values, range }) => {
    if (of && of === current.scene) current.scene.setValues(values, range);
  });
  background.painted.subscribe(painted => {
    const { scene } = current;
    if (!scene || painted?.under !== scene) return;
    scene.setBackgroundImage(painted.info, painted.stretched);
    if (painted.look) scene.setBackgroundImageLook(painted.look);
  });
  background.pairing.subscribe(pairing => {
    if (pairing?.backgroundImage && current.image) thumbnails.setBackgroundOpened(current.image.index);
  });
  // The scale bar lies across.
  pointer.pixelSize.subscribe(size => stage.setPixelSize(size?.x));
}
