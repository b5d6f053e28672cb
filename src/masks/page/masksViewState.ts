import type { MaskClass } from '../masksSummary';
import type { ObjectRef } from '../objectRef';
import type { ImageSort } from './strip/imageOrder';
import type { InspectorSizes } from './inspector/inspectorPlace';
import type { ColorBy, MasksLook } from './masksLook';
import { colorMapNames, type ColorMapName } from '../../pages/page/widgets/colorScale';
import type { ValueRange } from '../../pages/page/widgets/valueScale';
import { classColor } from '../../base/classPalette';
import { fromHex, toHex, type Rgb } from '../../base/rgb';
import type { SavedImageLooks } from './background/imageLooks';
import type { SavedObjects } from './stage/savedSelection';
import type { View } from './stage/viewTransform';

/** The saved view of the masks page. Classes go by name: positions may differ in another archive of the same job. */
export interface MasksViewState extends SavedImageLooks {
  image: string;
  /** Absent while the image is shown whole. */
  view: View | null;
  fill: boolean;
  opacity: number;
  hidden: string[];
  /** All masks are. */
  masksHidden: boolean;
  colorBy: ColorBy;
  colorMap: ColorMapName;
  /** Ends of the color scale as the user set them. */
  range: ValueRange | null;
  /** The selected object. */
  selected: ObjectRef | null;
  /** Objects that are selected together. */
  several: SavedObjects[];
  minimap: boolean;
  rowOpen: boolean;
  details: boolean;
  inspectorSizes: InspectorSizes;
  imageSort: ImageSort;
  imageFilter: string;
  stretched: boolean;
}

/** A saved view in today's form: what objects are colored by was saved as `colourBy` once. */
export function currentMasksView(saved: object): Partial<MasksViewState> {
  const { colourBy, ...view } = saved as Partial<MasksViewState> & { colourBy?: ColorBy };
  return colourBy && !view.colorBy ? { ...view, colorBy: colourBy } : view;
}

/** The saved look, with defaults where nothing was saved; `classColors`: #rrggbb of classes by name. */
export function restoreLook(
  saved: Partial<MasksViewState>,
  classes: readonly MaskClass[],
  classColors: Readonly<Record<string, string>>,
  opacity: number,
): MasksLook {
  const hiddenNames = new Set(saved.hidden ?? []);
  const hidden = new Set(classes.flatMap(({ name }, i) => (hiddenNames.has(name) ? [i] : [])));
  const colors = classes.map(({ name }, i) => fromHex(classColors[name] ?? '') ?? classColor(i));
  return {
    fill: saved.fill ?? true,
    opacity: clamp(saved.opacity ?? opacity),
    colors,
    hidden,
    colorBy: saved.colorBy ?? { kind: 'class' },
    colorMap: saved.colorMap && colorMapNames.includes(saved.colorMap) ? saved.colorMap : 'viridis',
  };
}

export function hiddenNames(hidden: ReadonlySet<number>, classes: readonly MaskClass[]): string[] {
  return [...hidden].flatMap(position => classes[position]?.name ?? []);
}

/** The color to save for a class: null where it is the default one. */
export function customColor(position: number, color: Rgb): string | null {
  return toHex(color) === toHex(classColor(position)) ? null : toHex(color);
}

function clamp(opacity: number): number {
  return Number.isFinite(opacity) ? Math.min(1, Math.max(0, opacity)) : 0.5;
}
