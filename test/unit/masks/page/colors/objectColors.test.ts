import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import {
  hiddenBits,
  type MasksLook,
  NO_VALUE,
  ObjectColors,
  unpacked,
} from '../../../../../src/masks/page/state/masksLook';
import { classColor, packed, type Rgb } from '../../../../../src/base/colors';

const [RED, BLUE]: [Rgb, Rgb] = [
  [255, 0, 0],
  [0, 0, 255],
];

describe('colors of objects', () => {
  const colors = new ObjectColors();
  const classes = new Uint16Array([0, 1, 0, 1]);
  const look: MasksLook = {
    fill: true,
    opacity: 0.5,
    colors: [RED, BLUE],
    hidden: new Set(),
    colorBy: { kind: 'class' },
    colorMap: 'viridis',
  };
  const byColumn: MasksLook = { ...look, colorBy: { kind: 'column', column: 3, name: 'Area' } };

  it('are those of their classes; the background has none', () => {
    deepEqual(
      [...colors.palette({ classes }, look, undefined)],
      [0, ...[RED, BLUE, RED, BLUE].map(c => packed(c))],
    );
  });

  it('are those of texts by their positions, gray where there is none', () => {
    const byText: MasksLook = { ...look, colorBy: { kind: 'column', column: 3, name: 'Dose', isText: true } };
    const values = Float64Array.of(1, 0, NaN, 1);
    deepEqual(
      [...colors.palette({ classes, values }, byText, undefined)].slice(1),
      [classColor(1), classColor(0), NO_VALUE, classColor(1)].map(color => packed(color)),
    );
    deepEqual(
      colors.palette({ classes }, byText, undefined),
      colors.palette({ classes }, look, undefined),
      'by class until the texts are known',
    );
  });

  it('are those of populations, gray for objects in none', () => {
    const byPopulation: MasksLook = { ...look, colorBy: { kind: 'population' } };
    const values = Uint16Array.of(2, 0, 1, 2);
    deepEqual(
      [...colors.palette({ classes, values, populations: [BLUE, RED] }, byPopulation, undefined)].slice(1),
      [RED, NO_VALUE, BLUE, RED].map(color => packed(color)),
    );
    const byClass = colors.palette({ classes }, look, undefined);
    deepEqual(colors.palette({ classes }, byPopulation, undefined), byClass, 'until they are known');
    const byText: MasksLook = { ...look, colorBy: { kind: 'column', column: 3, name: 'Dose', isText: true } };
    const before = { classes, values, populations: [BLUE, RED] };
    deepEqual(colors.palette(before, byText, undefined), byClass, 'until the texts are known');
  });

  it('are clear for hidden classes and for objects that the table does not show', () => {
    const hidden = colors.palette({ classes }, { ...look, hidden: new Set([1]) }, undefined);
    deepEqual([...hidden].map(Boolean), [false, true, false, true, false]);
    const shown = new Uint8Array([1, 1, 0, 0]);
    deepEqual([...colors.palette({ classes, shown }, look, undefined)].map(Boolean), [
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('follow the values from one end of the scale to the other, and stay at its ends beyond', () => {
    const values = new Float64Array([5, 10, 20, 1e9]);
    const palette = colors.palette({ classes, values }, byColumn, { low: 10, high: 20 });
    equal(palette[1], palette[2]);
    equal(palette[3], palette[4]);
    notEqual(palette[2], palette[3]);
  });

  it('are gray where there is no value, and those of the classes while values are on their way', () => {
    const values = new Float64Array([NaN, 1, 2, 3]);
    const palette = colors.palette({ classes, values }, byColumn, { low: 1, high: 3 });
    deepEqual(unpacked(palette[1] ?? 0), NO_VALUE);
    deepEqual(unpacked(colors.palette({ classes }, byColumn, undefined)[2] ?? 0), BLUE);
  });

  it('do not divide by zero when all values are the same', () => {
    const values = new Float64Array([7, 7, 7, 7]);
    const palette = colors.palette({ classes, values }, byColumn, { low: 7, high: 7 });
    ok(palette.subarray(1).every(pixel => pixel === palette[1] && pixel !== 0));
  });

  it('differ from object to object when colored by object', () => {
    const palette = colors.palette({ classes }, { ...look, colorBy: { kind: 'object' } }, undefined);
    equal(new Set(palette).size, 5);
  });

  it('name what is hidden bit by bit, and nothing when all is shown', () => {
    equal(hiddenBits(new Uint32Array([0, 1, 1])), undefined);
    const palette = new Uint32Array(12).fill(1);
    palette[1] = 0;
    palette[10] = 0;
    deepEqual([...new Uint8Array(hiddenBits(palette) ?? new ArrayBuffer(0))], [0b1, 0b10]);
  });
});
