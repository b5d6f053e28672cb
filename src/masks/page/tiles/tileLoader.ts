import { isCoded } from '../../../base/errors';
import { type Tile, tileKey } from './tiles';

interface TileLoaderOptions<T> {
  /** Maximum number of parallel requests. */
  parallel: number;
  fetch: (tile: Tile, signal: AbortSignal) => Promise<T>;
  onTile: (tile: Tile, value: T) => void;
  /** Absent if failures needn't be reported. */
  onFailure?: (tile: Tile, error: unknown) => void;
}

/**
 * Fetches wanted tiles in order. Cancels tiles that are no longer wanted; doesn't retry failed
 * tiles.
 */
export class TileLoader<T> {
  private readonly running = new Map<string, AbortController>();
  private readonly failed = new Set<string>();
  private waiting: Tile[] = [];

  constructor(private readonly options: TileLoaderOptions<T>) {}

  /** Whether no tile is loading or waiting. */
  get idle(): boolean {
    return this.running.size === 0 && this.waiting.length === 0;
  }

  /** Whether no other tile is expected, for a tile that arrives. */
  get isLast(): boolean {
    return this.running.size <= 1 && this.waiting.length === 0;
  }

  /** Replaces the list of wanted tiles. */
  want(tiles: readonly Tile[]): void {
    const tilesByKey = new Map(tiles.map(tile => [tileKey(tile), tile]));
    for (const [key, controller] of this.running) {
      if (tilesByKey.has(key)) continue;
      this.running.delete(key);
      controller.abort();
    }
    this.waiting = [...tilesByKey].flatMap(([key, tile]) =>
      this.running.has(key) || this.failed.has(key) ? [] : [tile],
    );
    this.fillUp();
  }

  dispose(): void {
    this.want([]);
  }

  private fillUp(): void {
    while (this.running.size < this.options.parallel) {
      const tile = this.waiting.shift();
      if (!tile) return;
      void this.load(tile);
    }
  }

  private async load(tile: Tile): Promise<void> {
    const key = tileKey(tile);
    const controller = new AbortController();
    this.running.set(key, controller);
    const stillWanted = () => this.running.get(key) === controller;
    try {
      const value = await this.options.fetch(tile, controller.signal);
      if (stillWanted()) this.options.onTile(tile, value);
    } catch (error) {
      if (stillWanted() && !isCoded(error, 'cancelled')) {
        this.failed.add(key);
        this.options.onFailure?.(tile, error);
      }
    } finally {
      if (stillWanted()) {
        this.running.delete(key);
        this.fillUp();
      }
    }
  }
}

/**
 * Caches the most recently used values up to a number of bytes. The newest value stays even if it
 * exceeds that alone.
 */
export class ByteBoundCache<T> {
  private readonly entries = new Map<string, { value: T; bytes: number }>();
  private total = 0;

  /** `onDrop` is called with every removed value, to free its resources. */
  constructor(
    private readonly limit: number,
    private readonly onDrop: (value: T) => void = () => undefined,
  ) {}

  get bytes(): number {
    return this.total;
  }

  /** The value; counts as a use. */
  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** The value, without counting as a use. */
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

  /** Replaces a value without counting as a use. */
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
