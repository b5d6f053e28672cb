import { equal, ok } from 'node:assert/strict';
import { groundColors } from '../../../../../src/masks/page/stage/themeColors';

const parts = (color: string) => color.match(/\d+/g)?.map(Number) ?? [];

describe('the ground around an image', () => {
  it('is gray, dark or light as the theme is', () => {
    for (const background of [0, 0.02, 0.9, 1]) {
      const [red = NaN, green, blue] = parts(groundColors(background, '').backdrop);
      ok(red === green && green === blue);
      equal(red < 128, background < 0.5);
    }
  });

  it('differs from the line at the edge of the image, which differs from black and white too', () => {
    for (const background of [0.02, 0.95]) {
      const { backdrop, edge } = groundColors(background, '');
      const [ground = 0] = parts(backdrop);
      const [line = 0] = parts(edge);
      for (const other of [ground, 0, 255]) ok(Math.abs(line - other) > 60);
    }
  });

  it('keeps black and white, and the border, of high contrast', () => {
    equal(groundColors(0, '#6fc3df').backdrop, 'rgb(0 0 0)');
    equal(groundColors(1, '#0f4a85').backdrop, 'rgb(255 255 255)');
    equal(groundColors(1, '#0f4a85').edge, '#0f4a85');
  });
});
