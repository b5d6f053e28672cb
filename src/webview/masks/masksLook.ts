import type { Rgb } from './palette';

/** How the masks look now. */
export interface MasksLook {
  fill: boolean;
  opacity: number;
  /** Per class. */
  colours: readonly Rgb[];
  hidden: ReadonlySet<number>;
}
