/** Small values that VS Code stores for all windows and workspaces; its Memento is one. */
export interface GlobalState {
  keys(): readonly string[];
  get(key: string): unknown;
  /** `undefined` removes the value. */
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Keys of global state in versions that stored choices for all accounts together. */
export const OLD_KEYS = {
  /** Prefix of the keys of background images. */
  backgroundImages: 'pictures:',
  pixelSizes: 'imageAnalysis.masks.pixelSizes',
  classColors: 'imageAnalysis.masks.classColours',
} as const;

/** Whether there are choices of an earlier version to move. */
export function hasOldChoices(state: GlobalState): boolean {
  const { backgroundImages, pixelSizes, classColors } = OLD_KEYS;
  return state
    .keys()
    .some(key => key.startsWith(backgroundImages) || key === pixelSizes || key === classColors);
}
