import type { GlobalState } from './globalState';

const KEY = 'imageAnalysis.masks.classColors';

/** More than any person sets; beyond it the colors set first are dropped. */
const MAX_COLORS = 500;

/** The colors that a person gave to classes, by class name. They belong to no account: names recur in all results. */
export class ClassColorChoices {
  constructor(private readonly state: GlobalState) {}

  /** #rrggbb by class name. */
  get all(): Record<string, string> {
    return { ...(this.state.get(KEY) as Record<string, string> | undefined) };
  }

  /** Changes colors; null removes one. Values that aren't colors are ignored. */
  async set(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const colors = new Map(Object.entries(this.all));
    for (const [name, color] of Object.entries(changes)) {
      colors.delete(name);
      if (typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color)) colors.set(name, color);
    }
    await this.state.update(KEY, Object.fromEntries([...colors].slice(-MAX_COLORS)));
  }
}
