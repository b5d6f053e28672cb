import assert from 'node:assert/strict';
import fc from 'fast-check';
import { beneathInRuns, receivedLabels, sentLabels } from '../../../src/archives/labelRuns';

describe('labels of a tile in a message', () => {
  it('are decoded to what they were, from runs or pixels', () => {
    const pieces = fc.array(
      fc.record({
        label: fc.constantFrom(0, 0, 1, 2, 70_000, 2 ** 32 - 2),
        length: fc.integer({ min: 1, max: 300 }),
      }),
    );
    fc.assert(
      fc.property(pieces, pieces => {
        const labels = Uint32Array.from(
          pieces.flatMap(({ label, length }) => new Array<number>(length).fill(label)),
        );
        const { length } = labels;
        assert.deepEqual(receivedLabels(sentLabels(labels.slice()), length), labels);
      }),
    );
  });

  it('are short if there is little in the tile, and never longer than its pixels', () => {
    const empty = sentLabels(new Uint32Array(2 ** 16));
    assert.deepEqual([empty.labels.byteLength, empty.inRuns], [0, true]);
    const full = sentLabels(new Uint32Array(2 ** 16).fill(7));
    assert.equal(full.labels.byteLength, 8);
    assert.equal(receivedLabels(full, 2 ** 16)[2 ** 16 - 1], 7);
    const noise = Uint32Array.from({ length: 2 ** 16 }, (_, at) => at);
    const sent = sentLabels(noise);
    assert.deepEqual([sent.labels.byteLength, sent.inRuns], [4 * 2 ** 16, false]);
  });
});

describe('covered labels', () => {
  it('are one run for neighboring pixels that cover the same ones', () => {
    const runs = beneathInRuns([5, 2, 5, 9, 6, 2, 6, 9, 7, 2, 9, 2]);
    assert.deepEqual([...runs], [5 | (1 << 16), 2, 2, 9, 7, 1, 2, 9, 1, 2]);
  });
});
