import { deepEqual, equal, ok } from 'node:assert/strict';
import { edgeInsets, insetRules } from '../../../../../src/table/page/grid/edgeColumns';

const columns = ['a', 'b', 'c'].map((id, at) => ({ id, left: at * 100, width: 100 }));
const insets = (left: number, right: number) =>
  edgeInsets(columns, { left, right }).map(({ id, before, after }) => [id, before, after]);

const noRoom = () => 0;

describe('columns at the edges of the grid', () => {
  it('are those that are partly in view', () => {
    deepEqual(insets(0, 300), []);
    deepEqual(insets(40, 260), [
      ['a', 40, 0],
      ['c', 0, 40],
    ]);
    deepEqual(insets(100, 200), []);
    deepEqual(insets(130, 180), [['b', 30, 20]]);
  });

  it('have their text in the part that is in view', () => {
    deepEqual(insetRules([], noRoom), []);
    const rules = insetRules(edgeInsets(columns, { left: 40, right: 300 }), noRoom);
    deepEqual(
      rules.map(({ style }) => style),
      [
        { 'padding-left': '47px', 'padding-right': '7px' },
        { transform: 'translateX(40px)' },
        { 'margin-left': '40px', 'margin-right': '0px' },
      ],
    );
  });

  it('keep the lines of their names, which begin in the part that is in view', () => {
    const moved = (left: number, right: number) =>
      insetRules(edgeInsets(columns, { left, right }), () => 30)
        .filter(({ selector }) => selector.endsWith('.header-name-box'))
        .map(({ style }) => style);
    deepEqual(moved(4, 300), [{ transform: 'translateX(0px)' }]);
    deepEqual(moved(40, 300), [{ transform: 'translateX(10px)' }]);
    deepEqual(moved(0, 280), [{ transform: 'translateX(-20px)' }]);
    deepEqual(moved(0, 220), [{ transform: 'translateX(-30px)' }]);
  });

  it('show "…" alone where a number would lose its last digits without a sign', () => {
    for (const [left, right] of [
      [70, 300],
      [99, 300],
      [0, 201],
      [0, 230],
    ] as const) {
      const rules = insetRules(edgeInsets(columns, { left, right }), noRoom);
      const [cell, , , text, sign] = rules.map(({ style }) => style);
      equal(text?.['-webkit-text-fill-color'], 'transparent');
      equal(sign?.['content'], '"…"');
      // Its size stays: padding beyond its width would widen it.
      const padding = ['padding-left', 'padding-right'].map(side => parseInt(cell?.[side] ?? ''));
      ok((padding[0] ?? NaN) + (padding[1] ?? NaN) <= 98, String(padding));
    }
  });
});
