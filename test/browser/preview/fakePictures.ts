import type { PicturePairing } from '../../../src/protocol/masksPage';
import type { PictureInfo } from '../../../src/protocol/pictureEngine';

type Colour = [red: number, green: number, blue: number];

const COLOURS: Record<'bright-field' | 'three' | 'one', Colour[]> = {
  'bright-field': [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ],
  three: [
    [0, 120, 255],
    [0, 255, 0],
    [255, 0, 255],
  ],
  one: [[255, 255, 255]],
};

/** What is known of the made-up picture. */
export function fakePicture(
  stain: 'fluorescence' | 'bright-field',
  width: number,
  height: number,
  channels = 1,
): PictureInfo {
  const brightField = stain === 'bright-field';
  const colours = COLOURS[brightField ? stain : channels === 3 ? 'three' : 'one'];
  return {
    picture: 1,
    width,
    height,
    channels: brightField ? 3 : channels,
    bitsPerSample: brightField ? 8 : 16,
    name: 'nuclei_001.tif',
    notes: brightField ? [] : ['The first of 3 pages is shown.'],
    sampleKind: 'unsigned',
    look: {
      page: 0,
      z: 0,
      t: 0,
      channels: colours.map(colour => ({ shown: true, colour, low: 180, high: 2200 })),
    },
    channelNames: brightField ? ['red', 'green', 'blue'] : ['DAPI', 'FITC', ''],
    axes: { page: 1, z: channels === 3 ? 12 : 1, t: 1 },
    levels: [{ width, height }],
    level: 0,
    pages: [],
    firstPage: 0,
    pixelSize: { x: 0.325, y: 0.325, from: 'ome' },
    compression: 'Deflate',
  };
}

/** What the panel may say of the picture under an image. */
export function fakePairings(picture: PictureInfo) {
  const { width, height } = picture;
  const paired: PicturePairing = {
    state: 'paired',
    how: 'Uploaded from this file',
    picture,
    path: '/home/ana/Plate 3/Well B1/nuclei_001.tif',
  };
  const suggested: PicturePairing = {
    state: 'suggested',
    how: 'Only the file name is the same.',
    path: '/home/ana/other/nuclei_001.tif',
  };
  const otherSize: PicturePairing = {
    state: 'unreadable',
    how: `The picture has ${2 * width} × ${2 * height} pixels, the masks have ${width} × ${height}; it is not shown under them.`,
    path: '/home/ana/Plate 3/Well B1/nuclei_001.svs',
    offers: [
      { kind: 'level', level: 1, width, height },
      { kind: 'page', page: 3, width, height },
      { kind: 'scaled', width: 2 * width, height: 2 * height },
    ],
  };
  const missing: PicturePairing = { state: 'missing', how: 'No file with this name in the workspace.' };
  return { paired, suggested, 'other-size': otherSize, missing };
}
