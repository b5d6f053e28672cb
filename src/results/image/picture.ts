import type { Raster } from '../../formats/raster';
import { contrastOf, shownChannels, type ChannelRange } from './contrast';
import { PictureLevels } from './pictureLevels';

const TILE = 256;

/** A decoded picture, painted tile by tile with a contrast that is fixed for the whole of it. */
export class Picture {
  /** Undefined when samples are shown as they are. */
  readonly contrast: ChannelRange[] | undefined;
  private readonly levels: PictureLevels;
  private readonly shown: number[];
  private readonly tables: (Uint8Array | undefined)[];

  constructor(readonly raster: Raster) {
    this.levels = new PictureLevels(raster);
    this.shown = shownChannels(raster);
    this.contrast = contrastOf(raster);
    this.tables = this.shown.map((_, at) => this.brightnessTable(at));
  }

  /** RGBA of a tile of 256 × 256, row-major; alpha is 0 outside the picture and 255 in it. */
  async tile(
    level: number,
    tileX: number,
    tileY: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { width, height, samples } = await this.levels.level(level, signal);
    const { channels } = this.raster;
    const pixels = new Uint8Array(TILE * TILE * 4);
    const columns = Math.min(TILE, width - tileX * TILE);
    const rows = Math.min(TILE, height - tileY * TILE);
    const [first = 0] = this.shown;
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const from = ((tileY * TILE + y) * width + tileX * TILE + x) * channels;
        const to = (y * TILE + x) * 4;
        if (this.shown.length === 1) {
          pixels.fill(this.brightness(0, samples[from + first] ?? 0), to, to + 3);
        } else {
          for (let at = 0; at < this.shown.length; at++)
            pixels[to + at] = this.brightness(at, samples[from + (this.shown[at] ?? 0)] ?? 0);
        }
        pixels[to + 3] = 255;
      }
    }
    return pixels;
  }

  private brightness(shown: number, sample: number): number {
    const table = this.tables[shown];
    return table ? (table[sample] ?? 0) : this.stretch(shown, sample);
  }

  /** Brightness of every value, where there are at most 65,536. */
  private brightnessTable(shown: number): Uint8Array | undefined {
    if (this.raster.bitsPerSample === 32) return undefined;
    return Uint8Array.from({ length: 2 ** this.raster.bitsPerSample }, (_, sample) =>
      this.stretch(shown, sample),
    );
  }

  private stretch(shown: number, sample: number): number {
    const { low, high } = this.contrast?.[shown] ?? { low: 0, high: 255 };
    const share = Math.min(1, Math.max(0, (sample - low) / (high - low)));
    // Samples that are not a number are as dark as nothing.
    if (share !== share) return 0;
    return Math.round(255 * (this.raster.photometric === 'white-is-zero' ? 1 - share : share));
  }
}
