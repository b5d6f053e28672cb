import * as assert from 'node:assert/strict';
import {
  countObjects,
  afterFirstClause,
  firstClause,
  formatBytes,
  formatDuration,
  formatTimestamp,
} from '../../../src/words/format';
import { plainEnglish } from '../../../src/words/translate';

describe('Formatting', () => {
  it('gives sizes in decimal units with at most three digits', () => {
    const sizes = [0, 999, 1000, 123_456, 1_500_000_000, 5e15];
    assert.deepEqual(
      sizes.map(size => formatBytes('en', size)),
      ['0 B', '999 B', '1 kB', '123 kB', '1.5 GB', '5,000 TB'],
    );
    assert.equal(formatBytes('de', 1500), '1,5 kB');
  });

  it('gives durations in whole units and carries minutes over', () => {
    const durations = [0, 0.4, 59, 90, 3570, 3599, 3600, 7199, 9000];
    assert.deepEqual(
      durations.map(seconds => formatDuration(plainEnglish, seconds)),
      ['1 s', '1 s', '59 s', '2 min', '1 h 0 min', '1 h 0 min', '1 h 0 min', '2 h 0 min', '2 h 30 min'],
    );
  });

  it('counts objects', () => {
    const words = [0, 1, 1234].map(count => countObjects(plainEnglish, 'en', count));
    assert.deepEqual(words, ['0 objects', '1 object', '1,234 objects']);
  });

  it('gives a timestamp to the minute, and other texts as they are', () => {
    assert.match(formatTimestamp('en-US', '2026-03-04T05:06:07Z'), /Mar \d, 2026, \d+:\d\d [AP]M/);
    assert.equal(formatTimestamp('en-US', 'yesterday'), 'yesterday');
  });

  it('cuts a description after its first clause, or between words', () => {
    assert.equal(firstClause('Counts nuclei. Needs two channels.'), 'Counts nuclei');
    const cut = firstClause('word '.repeat(30));
    assert.match(cut, /^(word )+word…$/);
    assert.ok(cut.length <= 73);
  });

  it('shortens a description to what follows that clause, which is not said twice', () => {
    assert.equal(afterFirstClause('Nuclei: on a dark background. Fast.'), 'on a dark background. Fast.');
    assert.equal(afterFirstClause(' Counts nuclei. '), '');
    const long = 'word '.repeat(30).trim();
    assert.equal(afterFirstClause(long), long);
  });
});
