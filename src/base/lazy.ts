import type { Disposable } from './disposable';

/** Creates a disposable on first use, and owns it. If that fails, the next use tries again. */
export class Lazy<T extends Disposable> implements Disposable {
  private created: T | undefined;
  private creating: Promise<T> | undefined;
  private disposed = false;

  constructor(private readonly factory: () => Promise<T>) {}

  /** Undefined until it was created. */
  get value(): T | undefined {
    return this.created;
  }

  get(): Promise<T> {
    this.creating ??= this.create();
    return this.creating;
  }

  dispose(): void {
    this.disposed = true;
    this.created?.dispose();
  }

  private async create(): Promise<T> {
    try {
      const created = await this.factory();
      this.created = created;
      if (this.disposed) created.dispose();
      return created;
    } catch (error) {
      this.creating = undefined;
      throw error;
    }
  }
}
