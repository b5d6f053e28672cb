import { SharedValues } from '../../base/node/sharedWork';

/** Values kept at most, however small. */
const MAX_KEPT = 40;

interface Kept<T> {
  /** Names the value among all of its table's. */
  key: string;
  make: (signal: AbortSignal) => Promise<T>;
  /** Bytes that the value takes. */
  bytesOf: (value: T) => number;
}

/**
 * What was computed of a table, or read of its file, and is kept for later requests: orders, filtered rows, columns. The values
 * used last stay, as long as all of them fit the bytes that `room` gives.
 */
export class KeptValues {
  private readonly values = new SharedValues<string, unknown>();
  /** Bytes of each value that is ready, the one used last at the end. */
  private readonly sizes = new Map<string, number>();
  private total = 0;
  private held: readonly string[] = [];

  constructor(private readonly room: () => number) {}

  /** Bytes that all values take. */
  get memory(): number {
    return this.total;
  }

  /** The value of a key, made once while it is kept. Throws `cancelled`, and what `make` throws. */
  get<T>({ key, make, bytesOf }: Kept<T>, signal?: AbortSignal): Promise<T> {
    const known = this.sizes.get(key);
    if (known !== undefined) {
      this.sizes.delete(key);
      this.sizes.set(key, known);
    }
    const making = async (shared: AbortSignal) => {
      const value = await make(shared);
      this.keep(key, bytesOf(value));
      return value;
    };
    return this.values.get(key, making, signal) as Promise<T>;
  }

  /** Values of these keys stay, whatever they take, until others are held. */
  hold(keys: readonly string[]): void {
    this.held = keys;
    this.drop();
  }

  private keep(key: string, bytes: number): void {
    // A value whose making was canceled as it ended may have been made again.
    this.total += bytes - (this.sizes.get(key) ?? 0);
    this.sizes.set(key, bytes);
    this.drop();
  }

  /** Drops the values used longest ago that don't fit. */
  private drop(): void {
    const room = this.room();
    for (const [oldest, size] of this.sizes) {
      if (this.total <= room && this.sizes.size <= MAX_KEPT) break;
      if (this.held.includes(oldest)) continue;
      this.sizes.delete(oldest);
      this.values.delete(oldest);
      this.total -= size;
    }
  }
}
