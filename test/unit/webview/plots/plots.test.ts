import { deepEqual, equal, ok } from 'node:assert/strict';
import { contrast, fromHex, type Rgb } from '../../../../src/webview/masks/palette';
import { groupColour, readable } from '../../../../src/webview/plots/markColours';
import { firstPlot, validPlots } from '../../../../src/webview/plots/plotSpec';

const columns = [
  { index: 0, name: 'Image origin', kind: 'text' as const },
  { index: 1, name: 'Object ID', kind: 'number' as const },
  { index: 2, name: 'Class', kind: 'text' as const },
  { index: 3, name: 'X Position', kind: 'number' as const },
  { index: 4, name: 'Area', kind: 'number' as const },
  { index: 5, name: 'Perimeter', kind: 'number' as const },
];

describe('a new plot', () => {
  it('begins with measures rather than ids and places, by class', () => {
    deepEqual(firstPlot('scatter', columns), { kind: 'scatter', x: 4, y: 5, colour: 2 });
    deepEqual(firstPlot('box', columns), { kind: 'box', measure: 4, by: 2 });
    deepEqual(firstPlot('bar', columns), { kind: 'bar', measure: null, by: 2 });
    deepEqual(firstPlot('histogram', columns), { kind: 'histogram', column: 4 });
  });

  it('takes the number there is where there are only ids', () => {
    deepEqual(firstPlot('histogram', columns.slice(0, 3)), { kind: 'histogram', column: 1 });
    equal(firstPlot('scatter', columns.slice(0, 3)), undefined);
    equal(firstPlot('box', columns.slice(4)), undefined);
  });

  it('that was kept is left out where its columns are gone or hold text', () => {
    const kept = [
      { kind: 'scatter' as const, x: 4, y: 5, colour: null },
      { kind: 'scatter' as const, x: 4, y: 2, colour: null },
      { kind: 'bar' as const, measure: null, by: 9 },
    ];
    deepEqual(validPlots(kept, columns), kept.slice(0, 1));
  });
});

describe('colours of a plot', () => {
  const backgrounds = { dark: '#1f1f1f', light: '#ffffff', black: '#000000' };
  for (const [theme, background] of Object.entries(backgrounds)) {
    it(`stand out on a ${theme} background, for every group`, () => {
      for (let group = 0; group < 24; group++) {
        const colour = fromHex(groupColour(group, background));
        const behind = fromHex(background);
        ok(colour && behind && contrast(colour, behind) >= 3);
      }
    });
  }

  it('are left as they are where they stand out already', () => {
    const orange: Rgb = [230, 159, 0];
    deepEqual(readable(orange, [31, 31, 31]), orange);
  });
});
