/** A cache limited in bytes: removes least recently used values first; the newest stays. */
export class ByteCache<T> {
  private readonly values = new Map<string, { value: T; bytes: number }>();
  private total = 0;

  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.total;
  }

  get(key: string): T | undefined {
    const entry = this.values.get(key);
    if (!entry) return undefined;
    this.values.delete(key);
    this.values.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, bytes: number): void {
    this.remove(key);
    this.values.set(key, { value, bytes });
    this.total += bytes;
    for (const oldest of this.values.keys()) {
      if (this.total <= this.maxBytes || oldest === key) break;
      this.remove(oldest);
    }
  }

  /** Removes all values whose key begins with `prefix`. */
  removeAll(prefix: string): void {
    for (const key of [...this.values.keys()]) if (key.startsWith(prefix)) this.remove(key);
  }

  private remove(key: string): void {
    this.total -= this.values.get(key)?.bytes ?? 0;
    this.values.delete(key);
  }
}
