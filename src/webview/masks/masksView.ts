import type { MaskClass } from '../../formats/masksSummary';
import type { ColourBy, MasksLook, ValueRange } from './masksLook';
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
  colourBy: ColourBy;
  /** Where the user made the colour scale begin and end. */
  range: ValueRange | null;
  minimap: boolean;
  rowOpen: boolean;
  details: boolean;
  stretched: boolean;
}

/** The look as it was left, with defaults where nothing was kept; `chosen`: #rrggbb of classes by name. */
export function restoreLook(
  kept: Partial<MasksView>,
  classes: readonly MaskClass[],
  chosen: Readonly<Record<string, string>>,
  opacity: number,
): MasksLook {
  const hiddenNames = new Set(kept.hidden ?? []);
  const hidden = new Set(classes.flatMap(({ name }, i) => (hiddenNames.has(name) ? [i] : [])));
  const colours = classes.map(({ name }, i) => fromHex(chosen[name] ?? '') ?? classColour(i));
  return {
    fill: kept.fill ?? true,
    opacity: clamp(kept.opacity ?? opacity),
    colours,
    hidden,
    colourBy: kept.colourBy ?? { kind: 'class' },
  };
}

export function hiddenNames(hidden: ReadonlySet<number>, classes: readonly MaskClass[]): string[] {
  return [...hidden].flatMap(position => classes[position]?.name ?? []);
}

/** What was chosen for a class: its colour, or null where that is the usual one. */
export function chosenColour(position: number, colour: Rgb): string | null {
  return toHex(colour) === toHex(classColour(position)) ? null : toHex(colour);
}

function clamp(opacity: number): number {
  return Number.isFinite(opacity) ? Math.min(1, Math.max(0, opacity)) : 0.5;
}
