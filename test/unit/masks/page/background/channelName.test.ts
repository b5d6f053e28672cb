import { deepEqual } from 'node:assert/strict';
import { channelName } from '../../../../../src/masks/page/state/objectMeasurements';

describe('names of channels', () => {
  const names = (channelNames: string[], rgb?: true) =>
    [0, 1, 2].map(at => channelName({ channelNames, ...(rgb && { rgb }) }, at));

  it('are the colors of an RGB image', () => {
    deepEqual(names([], true), ['Red', 'Green', 'Blue']);
  });

  it('are those of the file, and numbers where it has none', () => {
    deepEqual(names(['DAPI', '', 'GFP']), ['DAPI', 'Channel 2', 'GFP']);
    deepEqual(names(['DAPI'], true), ['DAPI', 'Green', 'Blue']);
  });
});
