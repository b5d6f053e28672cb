import { isCoded } from '../../../base/errors';
import { tileKey, type Tile } from './tileMath';

export interface TileLoaderOptions<T> {
  /** Requests under way at once. */
  parallel: number;
  fetch: (tile: Tile, signal: AbortSignal) => Promise<T>;
  onTile: (tile: Tile, value: T) => void;
  onFailure: (tile: Tile, error: unknown) => void;
}

/**
 * Fetches the tiles that are wanted now, first ones first. What is no longer wanted is canceled; what failed is not
 * requested again.
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

  /** Replaces what is wanted. */
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
        this.options.onFailure(tile, error);
      }
    } finally {
      if (stillWanted()) {
        this.running.delete(key);
        this.fillUp();
      }
    }
  }
}
