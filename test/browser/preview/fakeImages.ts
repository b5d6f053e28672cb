import type { BackgroundImageInfo } from '../../../src/images/backgroundImageInfo';
import type { BackgroundImagePairing } from '../../../src/images/backgroundImagePairing';

type Color = [red: number, green: number, blue: number];

const COLORS: Record<'bright-field' | 'several' | 'one', Color[]> = {
  'bright-field': [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ],
  several: [
    [0, 120, 255],
    [0, 255, 0],
    [255, 0, 255],
    [255, 128, 0],
  ],
  one: [[255, 255, 255]],
};

/** The facts of the made-up background image. */
export function fakeImage(
  stain: 'fluorescence' | 'bright-field',
  width: number,
  height: number,
  channels = 1,
): BackgroundImageInfo {
  const brightField = stain === 'bright-field';
  const colors = COLORS[brightField ? stain : channels > 1 ? 'several' : 'one'];
  return {
    backgroundImage: 1,
    width,
    height,
    channels: brightField ? 3 : channels,
    bitsPerSample: brightField ? 8 : 16,
    name: 'nuclei_001.tif',
    fileSize: 4_211_734,
    sampleKind: 'unsigned',
    look: {
      page: 0,
      z: 0,
      t: 0,
      channels: colors
        .slice(0, brightField ? 3 : channels)
        .map(color => ({ shown: true, color, low: 180, high: 2200 })),
    },
    channelNames: brightField ? [] : ['DAPI', 'FITC', '', 'Cy5, far red, after bleaching'],
    ...(brightField && { rgb: true as const }),
    axes: { page: 1, z: channels > 1 ? 12 : 1, t: 1 },
    levels: [{ width, height }],
    level: 0,
    pages: [],
    firstPage: 0,
    pixelSize: { x: 0.325, y: 0.325, from: 'ome' },
    compression: 'Deflate',
  };
}

/** Every state of the background image of masks. */
export function fakePairings(backgroundImage: BackgroundImageInfo) {
  const { width, height } = backgroundImage;
  const paired: BackgroundImagePairing = {
    state: 'paired',
    how: 'Uploaded from this file',
    backgroundImage,
    fileSize: '4.21 MB',
    notes: backgroundImage.channels > 1 ? [] : ['The file has 3 pages; only the first is read.'],
    path: '/home/ana/Plate 3/Well B1/nuclei_001.tif',
  };
  const suggested: BackgroundImagePairing = {
    state: 'suggested',
    how: 'Only the file name is the same.',
    path: '/home/ana/other/nuclei_001.tif',
  };
  const otherSize: BackgroundImagePairing = {
    state: 'unreadable',
    how: `The background image has ${2 * width} × ${2 * height} pixels, the masks have ${width} × ${height}; it is not shown under them.`,
    path: '/home/ana/Plate 3/Well B1/nuclei_001.svs',
    offers: [
      { kind: 'level', level: 1, width, height },
      { kind: 'page', page: 3, width, height },
      { kind: 'scaled', width: 2 * width, height: 2 * height },
    ],
  };
  const missing: BackgroundImagePairing = {
    state: 'missing',
    how: 'No file with this name in the workspace.',
  };
  return { paired, suggested, 'other-size': otherSize, missing };
}
