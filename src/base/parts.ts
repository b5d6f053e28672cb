import { type Disposable, DisposableStore } from './disposable';

/** The name of what one subject offers to those after it, by which they ask for it. */
export class PartKey<T> {
  declare private readonly type: T;

  constructor(readonly name: string) {}
}

/** What subjects offer to later ones, each under its own key. Disposes of what can be disposed. */
export class Parts implements Disposable {
  private readonly parts = new Map<PartKey<unknown>, unknown>();
  private readonly store = new DisposableStore();

  /** Throws a TypeError where there is one of that key. */
  add<T extends object>(key: PartKey<T>, part: T): T {
    if (this.parts.has(key)) throw new TypeError(`There is a part "${key.name}" already`);
    this.parts.set(key, part);
    if ('dispose' in part) this.store.add(part as Disposable);
    return part;
  }

  /** Throws a TypeError where there is none. */
  get<T>(key: PartKey<T>): T {
    if (!this.parts.has(key)) throw new TypeError(`There is no part "${key.name}"`);
    return this.parts.get(key) as T;
  }

  /** Undefined where its subject isn't there. */
  find<T>(key: PartKey<T>): T | undefined {
    return this.parts.get(key) as T | undefined;
  }

  /** In the reverse order of adding. */
  dispose(): void {
    this.store.dispose();
  }
}
