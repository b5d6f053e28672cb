import { deepEqual } from 'node:assert/strict';
import { spellingsOf } from '../../../src/archives/imageNames';

describe('A name that means an image', () => {
  const path = 'plate 1/K\u00f6rper_1.5.tif';

  it('says in what it differs from its path', () => {
    const spellings = {
      [path]: [],
      'K\u00f6rper_1.5.tif': ['folders'],
      [`/data/${path}`]: ['folders'],
      'plate 1/K\u00f6rper_1.5': ['extension'],
      'plate 1/K\u00f6rper_1.5.ome.tiff': ['extension'],
      'Plate 1/K\u00f6rper_1.5.tif': ['case'],
      'plate 1/k\u00f6rper_1.5': ['extension', 'case'],
      [path.toUpperCase()]: ['case'],
      [path.normalize('NFD')]: ['accents'],
      'plate 1\\K\u00f6rper_1.5.tif': ['separators'],
      ' ./plate 1/K\u00f6rper_1.5.tif': ['separators'],
      'D:\\raw\\PLATE 1\\ko\u0308rper_1.5.czi': ['folders', 'extension', 'case', 'accents', 'separators'],
    };
    deepEqual(
      Object.keys(spellings).map(text => [text, spellingsOf(text, path)]),
      Object.entries(spellings),
    );
  });
});
