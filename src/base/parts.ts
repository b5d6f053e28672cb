import { type Disposable, DisposableStore } from './disposable';

/** Identifies an object that one subject provides to later ones. */
export class PartKey<T> {
  declare private readonly type: T;

  constructor(readonly name: string) {}
}

/** Objects that subjects provide to later ones, by key. Owns those that are disposable. */
export class Parts implements Disposable {
  private readonly parts = new Map<PartKey<unknown>, unknown>();
  private readonly store = new DisposableStore();

  /** Throws a TypeError if the key is taken. */
  add<T extends object>(key: PartKey<T>, part: T): T {
    if (this.parts.has(key)) throw new TypeError(`There is a part "${key.name}" already`);
    this.parts.set(key, part);
    if ('dispose' in part) this.store.add(part as Disposable);
    return part;
  }

  /** Throws a TypeError if the key is missing. */
  get<T>(key: PartKey<T>): T {
    if (!this.parts.has(key)) throw new TypeError(`There is no part "${key.name}"`);
    return this.parts.get(key) as T;
  }

  /** Undefined if the subject that provides it isn't included. */
  find<T>(key: PartKey<T>): T | undefined {
    return this.parts.get(key) as T | undefined;
  }

  /** Disposes the parts in the reverse order of adding. */
  dispose(): void {
    this.store.dispose();
  }
}
