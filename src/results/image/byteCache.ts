/** Values kept within a number of bytes; those used longest ago go first, the last one always stays. */
export class ByteCache<T> {
  private readonly values = new Map<string, { value: T; bytes: number }>();
  private held = 0;

  constructor(private readonly most: number) {}

  get bytes(): number {
    return this.held;
  }

  get(key: string): T | undefined {
    const entry = this.values.get(key);
    if (!entry) return undefined;
    this.values.delete(key);
    this.values.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T, bytes: number): void {
    this.drop(key);
    this.values.set(key, { value, bytes });
    this.held += bytes;
    for (const oldest of this.values.keys()) {
      if (this.held <= this.most || oldest === key) break;
      this.drop(oldest);
    }
  }

  /** Forgets all values whose key starts so. */
  dropAll(prefix: string): void {
    for (const key of [...this.values.keys()]) if (key.startsWith(prefix)) this.drop(key);
  }

  private drop(key: string): void {
    this.held -= this.values.get(key)?.bytes ?? 0;
    this.values.delete(key);
  }
}
