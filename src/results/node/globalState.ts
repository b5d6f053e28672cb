/** Small values that VS Code stores for all windows and workspaces; its Memento is one. */
export interface GlobalState {
  keys(): readonly string[];
  get(key: string): unknown;
  /** `undefined` removes the value. */
  update(key: string, value: unknown): PromiseLike<void>;
}
