import * as assert from 'node:assert/strict';
import type { BackgroundImageFacts } from '../../../../src/images/imageSource';
import { channelColors, firstLook, usualColor } from '../../../../src/images/engine/firstLook';

type SourceChannel = BackgroundImageFacts['channels'][number];

type ColorName = keyof typeof channelColors;

describe('The usual color of a channel', () => {
  const names: Record<ColorName, string[]> = {
    blue: ['DAPI', 'dapi (nuclei)', 'Hoechst 33342', 'BFP', 'Alexa 405', 'Alexa Fluor 405', 'Atto425', '405'],
    cyan: ['CFP', 'ECFP', 'mTurquoise2', 'Cerulean', 'laser 445 nm'],
    green: [
      'GFP',
      'EGFP',
      'H2B-GFP',
      'FITC',
      'Alexa 488',
      'AF488',
      'A488_phalloidin',
      'Cy2',
      'mNeonGreen',
      'SYTOX Green',
      'CSU-488',
      '488 nm',
      'Opal 520',
      'anti-mCherry Alexa Fluor 488',
    ],
    yellow: ['YFP', 'mVenus', 'Citrine', '514', 'Alexa 532'],
    orange: [
      'TRITC',
      'Cy3',
      'Alexa 546',
      'Alexa Fluor 555',
      'AlexaFluor568',
      '561',
      'tdTomato',
      'DyLight-550',
    ],
    red: ['RFP', 'mCherry', 'Texas Red', 'TexasRed', 'DsRed', 'Alexa 594', 'PI', 'Propidium iodide', 'Cy3.5'],
    magenta: [
      'Cy5',
      'Alexa 633',
      'ALEXA-647',
      'Atto 647N',
      'MitoTracker Deep Red',
      'far-red',
      '640nm',
      'SiR-actin',
    ],
    violet: ['Cy7', 'Cy5.5', 'Alexa 680', 'Alexa 750', 'IRDye 800CW'],
    gray: [
      'bright field',
      'Brightfield',
      'BF',
      'Phase contrast',
      'DIC',
      'Transmitted light',
      'T-PMT',
      'TL Phase',
    ],
  };
  for (const [color, all] of Object.entries(names) as [ColorName, string[]][]) {
    it(`is ${color} for ${all.slice(0, 4).join(', ')}…`, () => {
      for (const name of all) assert.deepEqual(usualColor(name), channelColors[color], name);
    });
  }

  it('is unknown where a name says nothing of it', () => {
    for (const name of [
      '',
      'Channel 1',
      'C2',
      'nuclei',
      'pipette',
      'Marker 12',
      'Ki67',
      'plate 488x',
      'spirit',
      '1488',
    ])
      assert.equal(usualColor(name), undefined, name);
  });
});

describe('The first look of an image', () => {
  const white: SourceChannel['color'] = [255, 255, 255];

  it('gives channels without a color that of their dye, and the others one that is left', () => {
    const colors = colorsOf([{ name: 'Marker' }, { name: 'DAPI' }, { name: 'GFP' }, {}]);
    const { orange, blue, green, magenta } = channelColors;
    assert.deepEqual(colors, [orange, blue, green, magenta]);
  });

  it('keeps the colors of the file, but those that several channels have', () => {
    const purple: SourceChannel['color'] = [160, 0, 200];
    const colors = colorsOf([
      { name: 'GFP', color: purple },
      { name: 'Cy5', color: white },
      { name: 'BF', color: white },
    ]);
    assert.deepEqual(colors, [purple, channelColors.magenta, channelColors.gray]);
  });

  it('tells two channels of one dye apart', () => {
    const colors = colorsOf([{ name: 'GFP' }, { name: 'Alexa 488' }, { name: 'DAPI' }]);
    assert.deepEqual(colors, [channelColors.green, channelColors.orange, channelColors.blue]);
  });

  it('leaves an image of one channel gray', () => {
    assert.deepEqual(colorsOf([{ name: 'GFP' }]), [white]);
  });
});

function colorsOf(channels: SourceChannel[]): number[][] {
  const facts: BackgroundImageFacts = {
    levels: [{ width: 1, height: 1 }],
    channels,
    bitsPerSample: 16,
    kind: 'unsigned',
    rgb: false,
    whiteIsZero: false,
    axes: { page: 1, z: 1, t: 1 },
    pages: [],
    firstPage: 0,
    notes: [],
  };
  return firstLook(facts, []).channels.map(({ color }) => color);
}
