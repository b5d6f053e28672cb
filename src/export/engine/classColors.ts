import { classColor } from '../../base/classPalette';
import { fromHex, type Rgb } from '../../base/rgb';

/** The colors of classes: those given as #rrggbb, and the palette's for others. */
export function classColors(
  classes: readonly { name: string }[],
  given: Readonly<Record<string, string>> = {},
): (className: string) => Rgb {
  const colors = new Map<string, Rgb>();
  classes.forEach(({ name }, index) => {
    const hex = Object.hasOwn(given, name) ? (given[name] ?? '') : '';
    colors.set(name, fromHex(hex) ?? classColor(index));
  });
  return className => colors.get(className) ?? classColor(0);
}
