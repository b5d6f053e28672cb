export interface Extent {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/**
 * The visible part of the image: the image point in the middle of the panel, and `scale` in panel
 * pixels per image pixel.
 */
export interface View extends Point {
  scale: number;
}

export type Box = readonly [x1: number, y1: number, x2: number, y2: number];

const MAX_SCALE = 64;
const FIT_MARGIN = 16;
/** Panel pixels that may show beyond an edge of the image: as many as the scale bar takes. */
const PAN_MARGIN = 48;

/** The view that shows the whole image with a small margin, as large as the panel allows. */
export function fitView(image: Extent, panel: Extent): View {
  const room = (size: number) => Math.max(1, size - 2 * FIT_MARGIN);
  const scale = Math.min(MAX_SCALE, room(panel.width) / image.width, room(panel.height) / image.height);
  return { x: image.width / 2, y: image.height / 2, scale };
}

/** Smallest and largest scale allowed. */
function scaleLimits(image: Extent, panel: Extent): { smallest: number; largest: number } {
  return { smallest: Math.min(1, fitView(image, panel).scale / 2), largest: MAX_SCALE };
}

/** Zooms by a factor around a point of the panel: its image point stays in place. */
export function zoomAt(view: View, panel: Extent, point: Point, factor: number, image: Extent): View {
  const { smallest, largest } = scaleLimits(image, panel);
  const scale = Math.min(largest, Math.max(smallest, view.scale * factor));
  const fixedPoint = toImage(view, panel, point);
  return keepInView(
    {
      scale,
      x: fixedPoint.x - (point.x - panel.width / 2) / scale,
      y: fixedPoint.y - (point.y - panel.height / 2) / scale,
    },
    panel,
    image,
  );
}

/** Moves the image by panel pixels. */
export function panBy(view: View, panel: Extent, dx: number, dy: number, image: Extent): View {
  return keepInView({ ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale }, panel, image);
}

/**
 * The view limited to the image. A larger image fills the panel except for a small margin, so that
 * its edges can be moved clear of the legends in the corners. A smaller image is centered.
 */
export function keepInView(view: View, panel: Extent, image: Extent): View {
  const limited = (middle: number, size: number, room: number) => {
    const minimum = (room / 2 - PAN_MARGIN) / view.scale;
    return minimum * 2 >= size ? size / 2 : Math.min(size - minimum, Math.max(minimum, middle));
  };
  return {
    ...view,
    x: limited(view.x, image.width, panel.width),
    y: limited(view.y, image.height, panel.height),
  };
}

export function toImage(view: View, panel: Extent, onPanel: Point): Point {
  return {
    x: view.x + (onPanel.x - panel.width / 2) / view.scale,
    y: view.y + (onPanel.y - panel.height / 2) / view.scale,
  };
}

export function toPanel(view: View, panel: Extent, inImage: Point): Point {
  return {
    x: (inImage.x - view.x) * view.scale + panel.width / 2,
    y: (inImage.y - view.y) * view.scale + panel.height / 2,
  };
}

/**
 * A view that shows a box. Stays if the box is in view at a good size; otherwise the box is
 * centered, and zoomed only if it would be tiny or too large.
 */
export function revealBox(view: View, panel: Extent, box: Box, image: Extent): View {
  const [x1, y1, x2, y2] = box;
  const longerSide = Math.max(x2 - x1, y2 - y1, 1);
  const smallerSide = Math.min(panel.width, panel.height);
  const onPanel = longerSide * view.scale;
  const sizeIsGood = onPanel >= 16 && onPanel <= smallerSide * 0.8;
  const topLeft = toPanel(view, panel, { x: x1, y: y1 });
  const bottomRight = toPanel(view, panel, { x: x2, y: y2 });
  const margin = Math.min(24, smallerSide / 10);
  const isInside =
    topLeft.x >= margin &&
    topLeft.y >= margin &&
    bottomRight.x <= panel.width - margin &&
    bottomRight.y <= panel.height - margin;
  if (sizeIsGood && isInside) return view;
  const { smallest, largest } = scaleLimits(image, panel);
  const idealScale = sizeIsGood ? view.scale : Math.min(smallerSide / (4 * longerSide), 8);
  const scale = Math.min(largest, Math.max(smallest, idealScale));
  return keepInView({ scale, x: (x1 + x2) / 2, y: (y1 + y2) / 2 }, panel, image);
}

/** A close-up: the box is centered and takes half of the panel, or as much as the zoom allows. */
export function closeUp(panel: Extent, [x1, y1, x2, y2]: Box, image: Extent): View {
  const { smallest, largest } = scaleLimits(image, panel);
  const idealScale = Math.min(panel.width / Math.max(1, x2 - x1), panel.height / Math.max(1, y2 - y1)) / 2;
  const scale = Math.min(largest, Math.max(smallest, idealScale));
  return keepInView({ scale, x: (x1 + x2) / 2, y: (y1 + y2) / 2 }, panel, image);
}

/** A view between two, for share 0…1. The scale changes evenly to the eye. */
export function between(from: View, to: View, share: number): View {
  const mix = (a: number, b: number) => a + (b - a) * share;
  return {
    x: mix(from.x, to.x),
    y: mix(from.y, to.y),
    scale: from.scale * (to.scale / from.scale) ** share,
  };
}
