/** Keeps the most recently used values within a number of bytes. The newest is kept even if it alone is too large. */
export class ByteBoundCache<T> {
  private readonly entries = new Map<string, { value: T; bytes: number }>();
  private total = 0;

  /** `onDrop` is called with every value removed, so that its resources can be freed. */
  constructor(
    private readonly limit: number,
    private readonly onDrop: (value: T) => void = () => undefined,
  ) {}

  get bytes(): number {
    return this.total;
  }

  /** The value, which counts as used now. */
  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** The value, without counting as used. */
  peek(key: string): T | undefined {
    return this.entries.get(key)?.value;
  }

  set(key: string, value: T, bytes: number): void {
    this.delete(key);
    this.entries.set(key, { value, bytes });
    this.total += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.limit || oldest === key) break;
      this.delete(oldest);
    }
  }

  /** Replaces a value without marking it as used. */
  replace(key: string, value: T, bytes: number): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.set(key, { value, bytes });
    this.total += bytes - entry.bytes;
  }

  clear(): void {
    for (const key of [...this.entries.keys()]) this.delete(key);
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.total -= entry.bytes;
    this.onDrop(entry.value);
  }
}
