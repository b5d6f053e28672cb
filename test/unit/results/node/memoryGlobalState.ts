import type { GlobalState } from '../../../../src/results/node/oldChoices';

/** Global state as VS Code stores it: plain JSON. */
export class MemoryGlobalState implements GlobalState {
  private readonly values = new Map<string, string>();

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    for (const [key, value] of Object.entries(values)) this.values.set(key, JSON.stringify(value));
  }

  keys(): readonly string[] {
    return [...this.values.keys()];
  }

  get(key: string): unknown {
    const text = this.values.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, JSON.stringify(value));
    return Promise.resolve();
  }
}
