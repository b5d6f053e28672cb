import type { Disposable } from './disposable';

/** Something that is made when it is first needed, once, and owned from then on. Where that failed, it is made anew. */
export class Lazy<T extends Disposable> implements Disposable {
  private made: T | undefined;
  private making: Promise<T> | undefined;
  private disposed = false;

  constructor(private readonly make: () => Promise<T>) {}

  /** What was made; undefined as long as nobody has needed it. */
  get value(): T | undefined {
    return this.made;
  }

  get(): Promise<T> {
    this.making ??= this.begin();
    return this.making;
  }

  dispose(): void {
    this.disposed = true;
    this.made?.dispose();
  }

  private async begin(): Promise<T> {
    try {
      const made = await this.make();
      this.made = made;
      if (this.disposed) made.dispose();
      return made;
    } catch (error) {
      this.making = undefined;
      throw error;
    }
  }
}
