import type { GlobalState } from './resultChoices';

/** Keys of global state before choices were stored with their account and names were spelled the US way. */
export const OLD_BACKGROUND_IMAGES = 'pictures:';
export const OLD_PIXEL_SIZES = 'imageAnalysis.masks.pixelSizes';
export const OLD_CLASS_COLORS = 'imageAnalysis.masks.classColours';

/** Whether there are choices of an earlier version to move. */
export function hasOldChoices(state: GlobalState): boolean {
  return state
    .keys()
    .some(
      key => key.startsWith(OLD_BACKGROUND_IMAGES) || key === OLD_PIXEL_SIZES || key === OLD_CLASS_COLORS,
    );
}
