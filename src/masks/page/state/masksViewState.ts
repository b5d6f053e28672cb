import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { classColor, fromHex, type Rgb, toHex } from '../../../base/colors';
import type { PagePort } from '../../../pages/page/pagePort';
import type { SavedSteps } from '../../../pages/page/stepHistory';
import { type ColorMapName, colorMapNames, type ValueRange } from '../../../pages/page/widgets/colorScale';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { MaskClass, ObjectRef } from '../../../archives/masksSummary';
import type { View } from '../tiles/viewTransform';
import type { SavedImageLooks } from './imageLooks';
import type { InspectorSizes } from './inspectorPlace';
import type { ImageSort } from './listedImages';
import { type ColorBy, type MasksLook, NO_VALUE } from './masksLook';
import type { SavedObjects } from './objectSelection';
import type { MasksStep, UndoableState } from './undoSteps';

/**
 * An object in the saved view, with its image's ID and object count. An image counts as unchanged
 * while both are the same.
 */
export interface SavedObject extends ObjectRef {
  id?: string;
  objectCount?: number;
}

/**
 * The saved view of the masks page. Classes are saved by name: another archive of the job may have
 * them at other positions.
 */
export interface MasksViewState extends SavedImageLooks {
  image: string;
  /** Null while all of the image is shown. */
  view: View | null;
  fill: boolean;
  opacity: number;
  hidden: string[];
  /** Whether all masks are hidden. */
  masksHidden: boolean;
  colorBy: ColorBy;
  colorMap: ColorMapName;
  /** Ends of the color scale that the user set. */
  range: ValueRange | null;
  /** The selected object. */
  selected: SavedObject | null;
  /** Objects that are selected together. */
  several: SavedObjects[];
  minimap: boolean;
  rowOpen: boolean;
  details: boolean;
  inspectorSizes: InspectorSizes;
  imageSort: ImageSort;
  imageFilter: string;
  stretched: boolean;
  /** The undo history. */
  history: SavedSteps<MasksStep>;
}

/** A saved view in the current format. Earlier versions saved the coloring as `colourBy`. */
export function currentMasksView(saved: object): Partial<MasksViewState> {
  const { colourBy, ...view } = saved as Partial<MasksViewState> & { colourBy?: ColorBy };
  return colourBy && !view.colorBy ? { ...view, colorBy: colourBy } : view;
}

/** The saved look, with defaults for missing values; `classColors`: #rrggbb by class name. */
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

interface CurrentLookOptions {
  look: MasksLook;
  /** Whether the masks are hidden, as saved. */
  isHidden: boolean;
  classes: readonly MaskClass[];
  port: Pick<PagePort<MasksViewState>, 'updateView'>;
  panel: Pick<RpcEndpoint<MasksPageSide, MasksPanelSide>, 'send'>;
}

/**
 * The current look and visibility of the masks. Saves changes with the view, and sends hidden
 * classes to the panel.
 */
export class CurrentLook {
  /** Whether masks are painted: not while they are hidden or while the user peeks below them. */
  readonly masksShown: ReadonlySignal<boolean>;
  private readonly look: Signal<MasksLook>;
  private readonly hidden: Signal<boolean>;
  private readonly peeking = signal(false);

  constructor(private readonly options: CurrentLookOptions) {
    this.look = signal(options.look);
    this.hidden = signal(options.isHidden);
    this.masksShown = computed(() => !this.hidden.value && !this.peeking.value);
  }

  get current(): ReadonlySignal<MasksLook> {
    return this.look;
  }

  /** Whether the user has hidden all masks. */
  get masksHidden(): ReadonlySignal<boolean> {
    return this.hidden;
  }

  change(change: Partial<MasksLook>): void {
    const { port, classes } = this.options;
    const look = { ...this.look.peek(), ...change };
    const { fill, opacity, hidden } = look;
    if (change.hidden) this.sendHidden(hidden);
    port.updateView({ fill, opacity, hidden: hiddenNames(hidden, classes) });
    this.look.value = look;
  }

  /** Tells the panel which classes are hidden. */
  sendHidden(hidden = this.look.peek().hidden): void {
    this.options.panel.send('visibility', { hiddenClasses: [...hidden] });
  }

  /** The color of a class, also while objects have other colors. */
  classColor(name: string): Rgb {
    const position = this.options.classes.findIndex(maskClass => maskClass.name === name);
    return this.look.value.colors[position] ?? NO_VALUE;
  }

  /** Gives a class another color, also in other results. */
  setClassColor(position: number, color: Rgb): void {
    const { panel, classes } = this.options;
    panel.send('classColors', { [classes[position]?.name ?? '']: customColor(position, color) });
    this.change({
      colors: this.look.peek().colors.map((classColor, index) => (index === position ? color : classColor)),
    });
  }

  /**
   * Restores the look before or after an undoable step. Classes that no longer exist are skipped.
   */
  restore({
    hidden,
    colors,
    fill,
    opacity,
  }: Partial<Pick<UndoableState, 'hidden' | 'colors' | 'fill' | 'opacity'>>): void {
    const { classes } = this.options;
    const positions = new Map(classes.map(({ name }, position) => [name, position]));
    for (const [name, hex] of Object.entries(colors ?? {})) {
      const [position, color] = [positions.get(name), fromHex(hex)];
      if (position !== undefined && color) this.setClassColor(position, color);
    }
    this.change({
      ...(hidden && { hidden: new Set(hidden.flatMap(name => positions.get(name) ?? [])) }),
      ...(fill !== undefined && { fill }),
      ...(opacity !== undefined && { opacity }),
    });
  }

  /** Shows a class, or hides it. */
  toggleClass(position: number): void {
    const hidden = new Set(this.look.peek().hidden);
    if (!hidden.delete(position)) hidden.add(position);
    this.change({ hidden });
  }

  /** Hides all other classes. */
  showOnly(position: number): void {
    const hidden = new Set(this.options.classes.keys());
    hidden.delete(position);
    this.change({ hidden });
  }

  /** Hides all other classes; if they are hidden already, shows them. */
  toggleOthers(position: number): void {
    const { hidden } = this.look.peek();
    const isAlone = hidden.size === this.options.classes.length - 1 && !hidden.has(position);
    if (isAlone) this.change({ hidden: new Set() });
    else this.showOnly(position);
  }

  /** Hides all classes; if any is hidden, shows all. */
  toggleClasses(): void {
    const { hidden } = this.look.peek();
    this.change({ hidden: new Set(hidden.size === 0 ? this.options.classes.keys() : []) });
  }

  /** Switches between filled masks and outlines. */
  toggleFill(): void {
    this.change({ fill: !this.look.peek().fill });
  }

  toggleMasks(): void {
    const isHidden = !this.hidden.peek();
    this.options.port.updateView({ masksHidden: isHidden });
    this.hidden.value = isHidden;
  }

  /** Shows the image below the masks while a key is held. */
  peek(peeking: boolean): void {
    this.peeking.value = peeking;
  }
}
