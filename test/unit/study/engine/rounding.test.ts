import * as assert from 'node:assert/strict';
import { compareTable } from '../../../../src/study/engine/compareTable';
import { studyImagesOf } from '../../../../src/study/engine/studyImages';
import { TableTexts } from '../../columns/engine/tableTexts';

/**
 * Objects of the images of three donors in each condition; `values` of a donor, spread over one
 * image or more.
 */
type Study = { condition: string; donor: string; image: string; value: string }[];

describe('Values that differ by rounding alone', () => {
  const texts = new TableTexts();
  before(() => texts.start());
  after(() => texts.end());

  async function compared(study: Study, more: Partial<Parameters<typeof compareTable>[2]> = {}) {
    const rows = study.map(({ image, condition, donor, value }) => `${image},${condition},${donor},${value}`);
    const view = await texts.view(['Image,Condition,Donor,Fold', ...rows].join('\n'));
    return compareTable(view, studyImagesOf(view.table), {
      ...{ condition: 1, replicate: [2], measure: { kind: 'column', column: 3 } },
      ...{ mean: 'objects', paired: false, scale: 'difference' },
      ...more,
    });
  }

  /**
   * Donors whose objects are so many units of a last decimal around `mean`, with exactly that mean.
   */
  function study(random: () => number, conditions: number, mean: number, digits: number): Study {
    const found: Study = [];
    for (let condition = 0; condition < conditions; condition++)
      for (let donor = 0; donor < 3; donor++) {
        const unit = 10 ** digits;
        const offs = Array.from({ length: 2 + Math.floor(random() * 4) }, () =>
          Math.round((random() - 0.5) * unit),
        );
        offs.push(-offs.reduce((sum, off) => sum + off, 0));
        for (const [at, off] of offs.entries())
          found.push({
            condition: `c${condition}`,
            donor: `d${donor}`,
            image: `c${condition}/d${donor}_${at % 2}.tif`,
            // Decimals written with all digits, as integers have none that are rounded.
            value: decimal(BigInt(mean * unit + off), digits),
          });
      }
    return found;
  }

  it('have no p, however they are compared', async () => {
    const random = seeded(24);
    for (let round = 0; round < 60; round++) {
      const conditions = 2 + (round % 2);
      // Near 0, values cancel out: rounding is in proportion to what was added up.
      const mean = [1, 3, 0][round % 3] ?? 1;
      const found = study(random, conditions, mean, 3 + Math.floor(random() * 9));
      for (const scale of mean === 0 ? (['difference'] as const) : (['difference', 'ratio'] as const))
        for (const paired of [false, true])
          for (const over of ['objects', 'images'] as const) {
            // Means over images differ, unless each image has the same.
            const even = over === 'images' ? found.map(each => ({ ...each, image: each.donor })) : found;
            const { pairs, overall } = await compared(even, { scale, paired, mean: over });
            const at = `${round}: ${mean}, ${scale}, ${paired ? 'paired' : 'unpaired'}, ${over}`;
            assert.deepEqual(
              pairs.map(({ p, reason }) => [p, reason]),
              pairs.map(() => [null, 'no-variance']),
              at,
            );
            assert.equal(overall?.p ?? null, null, at);
          }
    }
  });

  it('are told from values that differ a little', async () => {
    const random = seeded(25);
    for (let round = 0; round < 40; round++) {
      const found = study(random, 2, 1, 6).map(each =>
        each.donor === 'd1' ? { ...each, value: String(Number(each.value) + 1e-9 * (1 + random())) } : each,
      );
      for (const scale of ['difference', 'ratio'] as const)
        assert.equal(typeof (await compared(found, { scale })).pairs[0]?.p, 'number');
    }
  });

  it('have no p where means are 1 up to their last digit, as a ratio neither', async () => {
    const donors = [
      ['0.7411764705882354', '1.2766828380836872', '0.9821406913280777'],
      ['1.3274256533493545', '0.8060979273054972', '0.8664764193451489'],
      ['1.028731533367295', '1.1471217524197659', '0.8241467142129395'],
      ['1.423292273236282', '0.7625046659201193', '0.8142030608435983'],
      ['1.2753665767474158', '0.9658395876178522', '0.758793835634732'],
      ['0.9619569974035067', '1.181375266213496', '0.8566677363829973'],
    ];
    const found = donors.flatMap((values, at) =>
      values.map(value => ({
        condition: at < 3 ? 'ctrl' : 'mock',
        donor: `d${at % 3}`,
        image: `${at}`,
        value,
      })),
    );
    for (const scale of ['difference', 'ratio'] as const)
      for (const paired of [false, true]) {
        const [pair] = (await compared(found, { scale, paired })).pairs;
        assert.deepEqual([pair?.p, pair?.reason], [null, 'no-variance']);
      }
  });

  it('have no p where each share is the same, by numbers of objects that differ', async () => {
    const found: Study = [];
    for (const condition of ['a', 'b', 'c'])
      for (let donor = 1; donor <= 3; donor++)
        for (let at = 0; at < 3 * donor; at++)
          found.push({
            condition,
            donor: `d${donor}`,
            image: `${condition}${donor}`,
            value: at < donor ? '1' : '0',
          });
    const measure = {
      kind: 'share' as const,
      of: [{ kind: 'range' as const, column: 3, from: 1, to: null }],
    };
    for (const scale of ['difference', 'ratio', 'logit'] as const)
      for (const paired of [false, true]) {
        const { pairs, overall } = await compared(found, { measure, scale, paired });
        assert.deepEqual(
          pairs.map(({ reason }) => reason),
          pairs.map(() => 'no-variance'),
        );
        assert.equal(overall?.p, null);
      }
  });
});

function decimal(units: bigint, digits: number): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
