/** Small values that VS Code stores for all windows and workspaces; its Memento is one. */
export interface GlobalState {
  keys(): readonly string[];
  get(key: string): unknown;
  /** `undefined` removes the value. */
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Keys of global state before choices were stored by account and spelled the US way. */
export const OLD_KEYS = {
  /** What the keys of background images begin with. */
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
