import * as assert from 'node:assert/strict';
import type { ComparedPair } from '../../../../src/study/conditionComparison';
import type { ShownReplicate } from '../../../../src/study/conditionRequests';
import { pLabels } from '../../../../src/study/page/comparePlot';
import { wrapped } from '../../../../src/study/page/compareFigure';
import {
  legendEnd,
  replicateColors,
  replicateLegend,
  replicateNames,
} from '../../../../src/study/page/replicateMarks';

describe('The plot of a comparison', () => {
  it('gives replicates of one name one color and shape, in the order in which people count', () => {
    const replicate = (condition: string, name: string): ShownReplicate => {
      return { condition, name: [name], images: 1, objects: 1, value: 1 };
    };
    const names = replicateNames([replicate('a', 'd10'), replicate('a', 'd2'), replicate('b', 'd2')]);
    assert.deepEqual(
      [...names],
      [
        ['["d2"]', 0],
        ['["d10"]', 1],
      ],
    );
  });

  it('gives replicates the colors that a person chose, where these are colors', () => {
    const names = new Map([
      ['["d1"]', 0],
      ['["d2"]', 1],
      ['["d3"]', 2],
    ]);
    const own = replicateColors(names, {}, '#ffffff');
    const chosen = { '["d1"]': '#123456', '["d2"]': 'url(x)', '["gone"]': '#ffffff' };
    const colors = replicateColors(names, chosen, '#ffffff');
    assert.deepEqual([colors(0), colors(1), colors(2)], ['#123456', own(1), own(2)]);
    assert.notEqual(own(0), own(1));
  });

  it('has probabilities with one sign where they are close, upright where closer, and none where they would overlap even so', () => {
    const pair: ComparedPair = {
      of: ['a', 'b'],
      effect: 1,
      ci95: [0, 2],
      t: 3,
      df: 4,
      p: 0.0064,
      pAdjusted: null,
      n: 6,
    };
    const words = { p: () => 'p = 0.0064', pNumber: () => '0.0064' };
    const labels = (step: number) => pLabels([pair, pair], words, step);
    const { room, ...whole } = labels(80);
    assert.deepEqual(whole, { texts: ['p = 0.0064', 'p = 0.0064'], sign: '', isUpright: false });
    const texts = ['0.0064', '0.0064'];
    assert.deepEqual(labels(64), { texts, sign: 'p', isUpright: false, room });
    const upright = labels(30);
    assert.deepEqual([upright.isUpright, upright.texts], [true, texts]);
    assert.ok(upright.room > room);
    assert.deepEqual(labels(10).texts, ['', '']);
    assert.equal(pLabels([], words, 80).room, 0);
  });

  it('has a legend in as many lines as there may be, which says how many replicates are not in it', () => {
    const legend = (count: number, maxLines: number, width = 200) =>
      replicateLegend({
        names: new Map(Array.from({ length: count }, (_, at) => [`["donor ${at}"]`, at])),
        nameOf: ([name = '']) => name,
        heading: 'Donor',
        moreReplicates: left => `and ${left} more`,
        width,
        maxLines,
      });
    assert.deepEqual(legend(0, 2), []);
    const [line = [], ...others] = legend(2, 2);
    assert.deepEqual([line.map(({ text }) => text), others], [['Donor', 'donor 0', 'donor 1'], []]);
    assert.deepEqual(
      line.map(({ index }) => index),
      [undefined, 0, 1],
    );
    const whole = legend(40, Infinity);
    assert.equal(whole.flat().length, 41);
    const cut = legend(40, 2);
    const shown = cut.flat().filter(({ index }) => index !== undefined).length;
    assert.deepEqual([cut.length, cut.at(-1)?.at(-1)?.text], [2, `and ${40 - shown} more`]);
    for (const lines of [whole, cut]) assert.ok(legendEnd(lines) <= 200);
    // Nothing is left out where it has room.
    assert.equal(legend(3, 1, 400).flat().length, 4);
  });

  it('has its caption in lines that are as wide as the figure, however long a word is', () => {
    const lines = (text: string) => wrapped(text, 10, part => part.length);
    assert.deepEqual(lines('one two three  four'), ['one two', 'three four']);
    assert.deepEqual(lines(`a ${'x'.repeat(25)} b`), ['a', 'x'.repeat(10), 'x'.repeat(10), 'xxxxx b']);
    assert.deepEqual(lines(''), []);
  });
});
