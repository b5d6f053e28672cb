import { bloodSmear, twoStains, type ColorSamples } from './colorImage';
import {
  beads,
  dimAndBlurredNuclei,
  emptyField,
  nuclei,
  touchingNuclei,
  unevenLight,
  type GraySamples,
} from './fluorescence';
import { grayTiff } from './grayTiff';
import { pngFile } from './pngFile';

/** An image for new users to try; its file is drawn on each call of `bytes`. */
export interface SampleImage {
  name: string;
  bytes: () => Uint8Array;
}

/** Drawn by the sample service itself, the same on every machine, in the order new users should try them. */
export function sampleImages(): readonly SampleImage[] {
  return [
    { name: 'nuclei.png', bytes: () => grayPng(nuclei()) },
    { name: 'nuclei-touching.png', bytes: () => grayPng(touchingNuclei()) },
    { name: 'nuclei-uneven-light.png', bytes: () => grayPng(unevenLight()) },
    { name: 'nuclei-dim-16-bit.tif', bytes: () => wideTiff(dimAndBlurredNuclei()) },
    { name: 'cells-two-stains.png', bytes: () => colorPng(twoStains()) },
    { name: 'blood-smear.png', bytes: () => colorPng(bloodSmear()) },
    { name: 'beads-two-sizes.png', bytes: () => grayPng(beads()) },
    { name: 'empty-field.png', bytes: () => grayPng(emptyField()) },
  ];
}

function grayPng({ width, height, samples }: GraySamples): Uint8Array {
  return pngFile(Uint8Array.from(samples), width, height, 1);
}

function colorPng({ width, height, samples }: ColorSamples): Uint8Array {
  return pngFile(samples, width, height, 3);
}

function wideTiff({ width, height, samples }: GraySamples): Uint8Array {
  return grayTiff(Uint16Array.from(samples), width, height);
}
