/** Something that holds a resource until it is disposed. Structurally the same as vscode's. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables and disposes them in the reverse order of adding. */
export class DisposableStore implements Disposable {
  private disposables: Disposable[] = [];
  private disposed = false;

  get isDisposed(): boolean {
    return this.disposed;
  }

  /** Takes ownership and returns the same object; disposes it at once if the store is disposed. */
  add<T extends Disposable>(disposable: T): T {
    if (this.disposed) disposable.dispose();
    else this.disposables.push(disposable);
    return disposable;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    const disposables = this.disposables;
    this.disposables = [];
    for (const disposable of disposables.reverse()) disposable.dispose();
  }
}

/** Wraps a function as a disposable that calls it at most once. */
export function toDisposable(release: () => void): Disposable {
  let released = false;
  return {
    dispose() {
      if (released) return;
      released = true;
      release();
    },
  };
}

/** Creates a disposable on first use, and owns it. If that fails, the next use tries again. */
export class Lazy<T extends Disposable> implements Disposable {
  private created: T | undefined;
  private creating: Promise<T> | undefined;
  private disposed = false;

  constructor(private readonly factory: () => Promise<T>) {}

  /** The disposable; undefined until it is created. */
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
