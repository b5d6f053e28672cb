import { encode } from 'fast-png';
import { bloodSmear, twoStains, type ColourSamples } from './colour';
import {
  beads,
  dimAndBlurredNuclei,
  emptyField,
  nuclei,
  touchingNuclei,
  unevenLight,
  type GreySamples,
} from './fluorescence';
import { greyTiff } from './greyTiff';

/** A picture for a newcomer to try; its bytes are made when they are asked for. */
export interface SamplePicture {
  name: string;
  bytes: () => Uint8Array;
}

/** Drawn by the sample service itself, the same on every machine, in the order a newcomer should try them. */
export function samplePictures(): Iterable<SamplePicture> {
  return [
    { name: 'nuclei.png', bytes: () => greyPng(nuclei()) },
    { name: 'nuclei-touching.png', bytes: () => greyPng(touchingNuclei()) },
    { name: 'nuclei-uneven-light.png', bytes: () => greyPng(unevenLight()) },
    { name: 'nuclei-dim-16-bit.tif', bytes: () => wideTiff(dimAndBlurredNuclei()) },
    { name: 'cells-two-stains.png', bytes: () => colourPng(twoStains()) },
    { name: 'blood-smear.png', bytes: () => colourPng(bloodSmear()) },
    { name: 'beads-two-sizes.png', bytes: () => greyPng(beads()) },
    { name: 'empty-field.png', bytes: () => greyPng(emptyField()) },
  ];
}

function greyPng({ width, height, samples }: GreySamples): Uint8Array {
  return encode(
    { width, height, data: Uint8Array.from(samples), channels: 1, depth: 8 },
    { zlib: { level: 3 } },
  );
}

function colourPng({ width, height, samples }: ColourSamples): Uint8Array {
  return encode({ width, height, data: samples, channels: 3, depth: 8 }, { zlib: { level: 3 } });
}

function wideTiff({ width, height, samples }: GreySamples): Uint8Array {
  return greyTiff(Uint16Array.from(samples), width, height);
}
