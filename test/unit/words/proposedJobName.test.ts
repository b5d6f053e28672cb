import { equal } from 'node:assert/strict';
import { proposedJobName } from '../../../src/words/submitWords';
import { plainEnglish as t } from '../../../src/words/translate';

describe('The name proposed for a job', () => {
  it('names a single item and the pipeline', () => {
    const pipeline = 'Bright objects: on a dark background.';
    equal(proposedJobName(t, { names: ['coins.ome.tif'], count: 1, pipeline }), 'coins – Bright objects');
    equal(proposedJobName(t, { names: ['plate 7'], count: 1, pipeline }), 'plate 7 – Bright objects');
    equal(proposedJobName(t, { names: ['.tif'], count: 1 }), '.tif');
  });

  it('names the folders of several items, a few of many, else the first item', () => {
    const inFolders = (...folders: string[]) => proposedJobName(t, { names: ['a.png'], count: 24, folders });
    equal(inFolders('control', 'treated'), 'control, treated (24 images)');
    equal(inFolders('a', 'b', 'c'), 'a, b, c (24 images)');
    equal(inFolders('a', 'b', 'c', 'd', 'e'), 'a, b and 3 more (24 images)');
    equal(inFolders(), 'a and 23 more');
    equal(proposedJobName(t, { names: ['a.png'], count: 9, folders: ['mine'] }), 'mine (9 images)');
    equal(proposedJobName(t, { names: ['a.png', 'b.png'], count: 300 }), 'a and 299 more');
  });

  it('makes do with what is known', () => {
    equal(proposedJobName(t, { names: [], count: 2, pipeline: 'Dark' }), '2 items – Dark');
    equal(proposedJobName(t, { names: [], count: 1, pipeline: 'Dark' }), 'Dark');
    equal(proposedJobName(t, { names: [], count: 1 }), '');
  });
});
