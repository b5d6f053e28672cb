import type { MaskClass } from '../../protocol/masksEngine';
import type { MasksLook } from './masksLook';
import { classColour, fromHex, toHex, type Rgb } from './palette';
import type { View } from './viewTransform';

/** How a user left the masks page. Classes go by name: positions may differ in another archive of the same job. */
export interface MasksView {
  image: string;
  /** Absent while the image is shown whole. */
  view: View | null;
  fill: boolean;
  opacity: number;
  hidden: string[];
  colours: Record<string, string>;
  details: boolean;
  stretched: boolean;
}

/** The look as it was left, with defaults where nothing was kept. */
export function restoreLook(
  kept: Partial<MasksView>,
  classes: readonly MaskClass[],
  opacity: number,
): MasksLook {
  const hiddenNames = new Set(kept.hidden ?? []);
  const hidden = new Set(classes.flatMap(({ name }, i) => (hiddenNames.has(name) ? [i] : [])));
  const colours = classes.map(({ name }, i) => fromHex(kept.colours?.[name] ?? '') ?? classColour(i));
  return { fill: kept.fill ?? true, opacity: clamp(kept.opacity ?? opacity), colours, hidden };
}

export function hiddenNames(hidden: ReadonlySet<number>, classes: readonly MaskClass[]): string[] {
  return [...hidden].flatMap(position => classes[position]?.name ?? []);
}

/** Only the colours that a user changed. */
export function changedColours(
  colours: readonly Rgb[],
  classes: readonly MaskClass[],
): Record<string, string> {
  const changed = colours.flatMap((colour, i) => {
    const name = classes[i]?.name;
    return name === undefined || toHex(colour) === toHex(classColour(i))
      ? []
      : [[name, toHex(colour)] as const];
  });
  return Object.fromEntries(changed);
}

function clamp(opacity: number): number {
  return Number.isFinite(opacity) ? Math.min(1, Math.max(0, opacity)) : 0.5;
}
