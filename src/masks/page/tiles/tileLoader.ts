import { isCoded } from '../../../base/errors';
import { type Tile, tileKey } from './tiles';

interface TileLoaderOptions<T> {
  /** Requests under way at once. */
  parallel: number;
  fetch: (tile: Tile, signal: AbortSignal) => Promise<T>;
  onTile: (tile: Tile, value: T) => void;
  /** Absent where a tile that is missing says no more. */
  onFailure?: (tile: Tile, error: unknown) => void;
}

/**
 * Fetches wanted tiles in order. Cancels tiles that aren't wanted any more; doesn't retry failed
 * ones.
 */
export class TileLoader<T> {
  private readonly running = new Map<string, AbortController>();
  private readonly failed = new Set<string>();
  private waiting: Tile[] = [];

  constructor(private readonly options: TileLoaderOptions<T>) {}

  /** Whether nothing is under way or waiting. */
  get idle(): boolean {
    return this.running.size === 0 && this.waiting.length === 0;
  }

  /** Replaces the wanted tiles. */
  want(tiles: readonly Tile[]): void {
    const wanted = new Map(tiles.map(tile => [tileKey(tile), tile]));
    for (const [key, controller] of this.running) {
      if (wanted.has(key)) continue;
      this.running.delete(key);
      controller.abort();
    }
    this.waiting = [...wanted].flatMap(([key, tile]) =>
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
 * Caches the most recently used values within a number of bytes. The newest stays even if it alone
 * is too large.
 */
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
