import { emptySurface, type Surface } from './tileSurface';

/** Surfaces that are kept: 16 MB. */
const MAX_SPARE = 64;

/**
 * Surfaces of tiles that are no longer shown, for other tiles. Where one image is opened after another, new ones for each would
 * leave the memory of the old ones to the garbage collector, which then runs while an image is to be painted.
 */
export class SurfacePool {
  private readonly spare: Surface[] = [];

  /** A surface, perhaps with the pixels of another tile. */
  take(): Surface {
    return this.spare.pop() ?? emptySurface();
  }

  /** Takes a surface back; what was drawn of it stays as it is. */
  give(surface: Surface | undefined): void {
    if (surface && this.spare.length < MAX_SPARE) this.spare.push(surface);
  }
}
