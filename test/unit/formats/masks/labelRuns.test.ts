import assert from 'node:assert/strict';
import fc from 'fast-check';
import { beneathInRuns, receivedLabels, sentLabels } from '../../../../src/formats/masks/labelRuns';

describe('labels of a tile that are sent', () => {
  it('arrive as they were, in runs or pixel by pixel', () => {
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

  it('take little room where there is little, and never more than the pixels', () => {
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

describe('what lies beneath labels', () => {
  it('is one run where it is the same for pixels side by side', () => {
    const runs = beneathInRuns([5, 2, 5, 9, 6, 2, 6, 9, 7, 2, 9, 2]);
    assert.deepEqual([...runs], [5 | (1 << 16), 2, 2, 9, 7, 1, 2, 9, 1, 2]);
  });
});
