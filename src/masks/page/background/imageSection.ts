import type { BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import type { MicronSize } from '../stage/micronSize';
import type { Extent } from '../stage/viewTransform';

/** How large a pixel is, and who says so. */
export interface KnownPixelSize {
  size: MicronSize;
  from: 'user' | 'backgroundImage';
}

/** What the inspector says of the image: one that lies under masks, or one that is shown by itself. */
export interface ImageSection {
  readonly root: HTMLElement;
  /** How the image is painted. */
  readonly controls: HTMLElement;
  looking(): void;
  /** A large image is being read; `share` of it is done. */
  reading(share: number, onStop: () => void): void;
  /** The user did not want to wait for it. */
  stopped(onAgain: () => void): void;
  setPixelSize(known: KnownPixelSize | undefined): void;
  show(pairing: BackgroundImagePairing, image: Extent, stretched: boolean): void;
}
