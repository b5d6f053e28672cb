/** Keeps what was read a moment ago, so that requests in quick succession read it once. Ages are in milliseconds. */
export class RecentReads<T> {
  private readonly reads = new Map<string, { value: T; at: number }>();
  private changes = 0;

  constructor(
    private readonly read: (key: string) => Promise<T>,
    private readonly maxAge: number,
    private readonly now: () => number,
  ) {}

  /** What was read less than `maxAge` ago and has not changed since, as far as is known; else it is read. */
  async get(key: string): Promise<T> {
    const recent = this.reads.get(key);
    const at = this.now();
    if (recent && at - recent.at < this.maxAge) return recent.value;
    const { changes } = this;
    const value = await this.read(key);
    // What changed while it was being read may have been read as it was before.
    if (changes === this.changes) this.reads.set(key, { value, at });
    return value;
  }

  /** Something has changed: the next `get` reads it. */
  clear(): void {
    this.changes += 1;
    this.reads.clear();
  }
}
