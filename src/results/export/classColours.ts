import { classColour, type Rgb } from '../../formats/classPalette';

/** The colours of classes: those given as #rrggbb, and the palette's for others. */
export function classColours(
  classes: readonly { name: string }[],
  given: Readonly<Record<string, string>> = {},
): (className: string) => Rgb {
  const colours = new Map<string, Rgb>();
  classes.forEach(({ name }, index) => {
    const [, hex] = /^#([0-9a-f]{6})$/i.exec(Object.hasOwn(given, name) ? (given[name] ?? '') : '') ?? [];
    const value = hex === undefined ? NaN : parseInt(hex, 16);
    colours.set(
      name,
      Number.isNaN(value) ? classColour(index) : [value >> 16, (value >> 8) & 0xff, value & 0xff],
    );
  });
  return className => colours.get(className) ?? classColour(0);
}
