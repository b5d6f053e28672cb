import { type Extent, fitView } from '../tiles/viewTransform';

/** Sizes of the inspector that the user set, in CSS pixels; absent for the usual size. */
export interface InspectorSizes {
  width?: number | undefined;
  height?: number | undefined;
}

/** Position, size and size limits of the inspector. */
interface InspectorPlace {
  beside: boolean;
  size: number;
  min: number;
  max: number;
}

const MAX_USUAL_WIDTH = 280;
const MIN_USUAL_WIDTH = 240;
const USUAL_WIDTH_SHARE = 0.4;
const MAX_USUAL_HEIGHT = 320;
const USUAL_HEIGHT_SHARE = 0.45;
const MIN_WIDTH = 220;
const MIN_HEIGHT = 96;
/** Minimum size of the image. */
const MIN_STAGE: Extent = { width: 160, height: 120 };
/** Factor by which the image must grow to move the inspector: less isn't worth the jump. */
const MIN_GROWTH_TO_MOVE = 1.15;

/**
 * Whether the inspector goes beside the image instead of below it: where the image is larger.
 * `before`: whether it is beside now.
 */
export function isBeside(room: Extent, image: Extent, before: boolean): boolean {
  const beside = fitScale({ width: room.width - usualWidth(room), height: room.height }, image);
  const below = fitScale({ width: room.width, height: room.height - usualHeight(room) }, image);
  return before ? below < beside * MIN_GROWTH_TO_MOVE : beside > below * MIN_GROWTH_TO_MOVE;
}

/** The size of the inspector in the room that it shares with the image. */
export function inspectorPlace(room: Extent, beside: boolean, sizes: InspectorSizes): InspectorPlace {
  // A panel that is too small for both is shared equally.
  const min = beside ? Math.min(MIN_WIDTH, room.width / 2) : Math.min(MIN_HEIGHT, room.height / 2);
  const max = Math.max(min, beside ? room.width - MIN_STAGE.width : room.height - MIN_STAGE.height);
  const requestedSize = beside ? (sizes.width ?? usualWidth(room)) : (sizes.height ?? usualHeight(room));
  return { beside, size: Math.floor(Math.min(max, Math.max(min, requestedSize))), min, max };
}

function usualWidth({ width }: Extent): number {
  return Math.min(MAX_USUAL_WIDTH, Math.max(MIN_USUAL_WIDTH, width * USUAL_WIDTH_SHARE));
}

function usualHeight({ height }: Extent): number {
  return Math.min(MAX_USUAL_HEIGHT, height * USUAL_HEIGHT_SHARE);
}

function fitScale(stage: Extent, image: Extent): number {
  const isTooSmall = stage.width < MIN_STAGE.width || stage.height < MIN_STAGE.height;
  return isTooSmall ? 0 : fitView(image, stage).scale;
}
