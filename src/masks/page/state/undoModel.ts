import { t } from '../../../pages/page/l10n';
import { toHex } from '../../../base/colors';
import { isCoded } from '../../../base/errors';
import type { PagePort } from '../../../pages/page/pagePort';
import {
  type HistoryMove,
  type JoinedSteps,
  type SavedSteps,
  StepHistory,
} from '../../../pages/page/stepHistory';
import type { MaskClass } from '../../../archives/masksSummary';
import type { BackgroundImageModel } from './backgroundImageModel';
import type { ColoringModel } from './coloringModel';
import { imageOfLook, type SavedImageLooks } from './imageLooks';
import { type MasksLook, sameColoring } from './masksLook';
import { type CurrentLook, hiddenNames, type MasksViewState } from './masksViewState';
import type { MessagesModel } from './messagesModel';
import type { NamedSelections } from './namedSelections';
import type { MasksStep, UndoableState } from './undoSteps';

/** The state of the page that steps are made from. */
interface UndoableLook {
  look: MasksLook;
  view: Partial<MasksViewState>;
}

interface UndoOptions {
  classes: readonly MaskClass[];
  port: Pick<PagePort<MasksViewState>, 'view' | 'updateView' | 'onDidUpdateView'>;
  look: CurrentLook;
  coloring: ColoringModel;
  background: BackgroundImageModel;
  messages: MessagesModel;
  selections: NamedSelections;
  /** Links images as the user chose; null removes a link. */
  link: (links: Record<string, string | null>) => Promise<void>;
  /** Shows the image of an ID, if it exists. */
  show: (image: string) => void;
}

/**
 * Undo and redo on the masks page: of classes and their colors, coloring, contrast, pixel sizes,
 * links of images and named selections. The model compares the look before and after a change, so
 * the code that changes the look needn't record steps. Changes outside the look are added by the
 * code that makes them. Selection and view aren't undoable.
 */
export class UndoModel {
  private readonly history: StepHistory<MasksStep>;
  private recordedLook: UndoableLook;
  private isScheduled = false;
  private lastMove: Promise<void> = Promise.resolve();

  constructor(private readonly options: UndoOptions) {
    this.history = new StepHistory(validSteps(options.port.view.history), joinedSteps);
    this.recordedLook = this.currentLook;
    options.port.onDidUpdateView(() => this.schedule());
  }

  can(move: HistoryMove): boolean {
    return this.history.next(move) !== undefined;
  }

  /** The user starts another action: its changes are a new step. */
  endGesture(): void {
    this.history.endGesture();
  }

  /** Makes a change that isn't recorded for undo. */
  withoutUndo(change: () => void): void {
    this.record();
    change();
    this.recordedLook = this.currentLook;
  }

  /** Adds a change that isn't part of the look. */
  add(step: MasksStep): void {
    this.record();
    this.history.add(step);
    this.save();
  }

  /** Undoes or redoes a step, after all moves that were requested before. */
  move(move: HistoryMove): Promise<void> {
    this.lastMove = this.lastMove.then(() => this.apply(move));
    return this.lastMove;
  }

  private get currentLook(): UndoableLook {
    const { look, port } = this.options;
    return { look: look.current.peek(), view: port.view };
  }

  /** Changes made at the same time are one step. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.record();
    });
  }

  private record(): void {
    const { recordedLook, currentLook } = this;
    this.recordedLook = currentLook;
    const step = stepBetween(recordedLook, currentLook, this.options.classes);
    if (!step) return;
    this.history.add(step);
    this.save();
  }

  private save(): void {
    this.options.port.updateView({ history: this.history.saved });
  }

  private async apply(move: HistoryMove): Promise<void> {
    const { messages } = this.options;
    const isUndo = move === 'undo';
    this.record();
    const step = this.history.next(move);
    if (!step) {
      messages.report(isUndo ? t('Nothing to undo') : t('Nothing to redo'));
      return;
    }
    try {
      await this.restore(isUndo ? step.before : step.after);
      this.history.moved(move);
      messages.report(isUndo ? t('Undid: {0}', stepWords(step)) : t('Redid: {0}', stepWords(step)));
    } catch (error) {
      if (isCoded(error, 'cancelled')) return;
      this.history.discard(move);
      messages.failed(error, isUndo ? t.later("Couldn't undo: {0}") : t.later("Couldn't redo: {0}"));
    } finally {
      this.save();
    }
  }

  private async restore(state: Partial<UndoableState>): Promise<void> {
    const { look, coloring, background, selections, link, show } = this.options;
    const { pixelSizes, links, channels } = state;
    // Changes that can fail come first: a failure then leaves the look unchanged.
    if (pixelSizes) await background.setPixelSizes(pixelSizes);
    if (links) await link(links);
    if (state.selections) await selections.change(state.selections);
    this.withoutUndo(() => {
      look.restore(state);
      if (state.colorBy || state.range !== undefined) coloring.restore(state);
      if (state.colorMap) coloring.setColorMap(state.colorMap);
      if (state.stretched !== undefined) background.stretch(state.stretched);
      if (channels || state.sharedContrast !== undefined)
        background.restoreChannels(channels ?? {}, state.sharedContrast);
    });
    const [repaintedImage] = Object.keys(channels ?? {});
    if (repaintedImage !== undefined) show(imageOfLook(repaintedImage));
  }
}

function validSteps(saved: unknown): SavedSteps<MasksStep> {
  const { past, future } = (saved ?? {}) as Partial<SavedSteps<MasksStep>>;
  const stepsIn = (value: unknown) => (Array.isArray(value) ? (value as MasksStep[]) : []);
  return { past: stepsIn(past), future: stepsIn(future) };
}

/** The step between two states of the look; undefined if nothing undoable changed. */
export function stepBetween(
  { look: old, view: oldView }: UndoableLook,
  { look: current, view: currentView }: UndoableLook,
  classes: readonly MaskClass[],
): MasksStep | undefined {
  const step: MasksStep = { before: {}, after: {} };
  const add = <K extends keyof UndoableState>(part: K, from: UndoableState[K], to: UndoableState[K]) => {
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    step.before[part] = from;
    step.after[part] = to;
  };
  if (old.hidden !== current.hidden)
    add('hidden', hiddenNames(old.hidden, classes), hiddenNames(current.hidden, classes));
  if (old.colors !== current.colors) add('colors', ...changedColors(old, current, classes));
  add('fill', old.fill, current.fill);
  add('opacity', old.opacity, current.opacity);
  if (!sameColoring(old.colorBy, current.colorBy)) add('colorBy', old.colorBy, current.colorBy);
  add('range', oldView.range ?? null, currentView.range ?? null);
  add('colorMap', old.colorMap, current.colorMap);
  if (oldView.imageLooks !== currentView.imageLooks)
    add('channels', ...changedChannels(oldView, currentView));
  if (oldView.sharedContrast !== currentView.sharedContrast)
    add('sharedContrast', oldView.sharedContrast ?? null, currentView.sharedContrast ?? null);
  add('stretched', oldView.stretched ?? false, currentView.stretched ?? false);
  return Object.keys(step.after).length > 0 ? step : undefined;
}

function changedColors(old: MasksLook, current: MasksLook, classes: readonly MaskClass[]) {
  const before: Record<string, string> = {};
  const after: Record<string, string> = {};
  current.colors.forEach((color, position) => {
    const oldColor = old.colors[position];
    const name = classes[position]?.name;
    if (!oldColor || name === undefined || toHex(oldColor) === toHex(color)) return;
    before[name] = toHex(oldColor);
    after[name] = toHex(color);
  });
  return [before, after] as const;
}

/**
 * The channels that changed, before and after. Another plane isn't undoable, and looks that are no
 * longer stored don't count.
 */
function changedChannels(old: Partial<SavedImageLooks>, current: Partial<SavedImageLooks>) {
  const oldLooks = new Map(old.imageLooks ?? []);
  const before: UndoableState['channels'] = {};
  const after: UndoableState['channels'] = {};
  for (const [key, { channels }] of current.imageLooks ?? []) {
    const oldChannels = oldLooks.get(key)?.channels ?? null;
    if (JSON.stringify(oldChannels) === JSON.stringify(channels)) continue;
    before[key] = oldChannels;
    after[key] = channels;
  }
  return [before, after] as const;
}

/** Parts of the state that change gradually while a slider or a color is dragged. */
const GRADUAL_PARTS: ReadonlySet<keyof UndoableState> = new Set<keyof UndoableState>([
  'opacity',
  'range',
  'colors',
  'channels',
  'sharedContrast',
]);

/** Joins two steps of one gesture that change the same things gradually; undefined for others. */
function joinedSteps(last: MasksStep, next: MasksStep): JoinedSteps<MasksStep> {
  const changedKeys = ({ after }: MasksStep) =>
    (Object.keys(after) as (keyof UndoableState)[]).map(part => [part, partKeys(after[part])]);
  const isGradual = (Object.keys(next.after) as (keyof UndoableState)[]).every(part =>
    GRADUAL_PARTS.has(part),
  );
  if (!isGradual || JSON.stringify(changedKeys(last)) !== JSON.stringify(changedKeys(next))) return undefined;
  const isUndone = JSON.stringify(last.before) === JSON.stringify(next.after);
  return { step: isUndone ? undefined : { before: last.before, after: next.after } };
}

function partKeys(part: unknown): string[] {
  return typeof part === 'object' && part !== null ? Object.keys(part) : [];
}

/** A step's label, with the words of the control that made it. */
export function stepWords({ before, after }: MasksStep): string {
  if (after.pixelSizes)
    return t.count(Object.keys(after.pixelSizes).length, 'Set Pixel Size', 'Set Pixel Size of {0} Images');
  if (after.links) return t('Link Images');
  const [[selectionName, saved] = []] = Object.entries(after.selections ?? {});
  if (selectionName !== undefined)
    return saved ? t('Name {0}', selectionName) : t('Remove {0}', selectionName);
  if (after.hidden) {
    const [oldHidden, newHidden] = [new Set(before.hidden), new Set(after.hidden)];
    const [hidden, ...moreHidden] = [...newHidden].filter(name => !oldHidden.has(name));
    const [shown, ...moreShown] = [...oldHidden].filter(name => !newHidden.has(name));
    if (hidden !== undefined && moreHidden.length === 0 && shown === undefined) return t('Hide {0}', hidden);
    if (shown !== undefined && moreShown.length === 0 && hidden === undefined) return t('Show {0}', shown);
    return t('Show or Hide Classes');
  }
  const [colored] = Object.keys(after.colors ?? {});
  if (colored !== undefined) return t('Color of {0}', colored);
  if (after.colorBy) return t('Change Coloring');
  if (after.range !== undefined || after.colorMap) return t('Change Color Scale');
  if (after.fill !== undefined)
    return after.fill
      ? t({ message: 'Filled', comment: 'How masks are drawn, not as outlines' })
      : t('Outlines');
  if (after.opacity !== undefined) return t('Change Opacity');
  if (after.stretched !== undefined) return t('Stretch to Fit Masks');
  if (after.channels && Object.keys(after.channels).length > 0)
    return isOnlyContrast(before, after) ? t('Change Contrast') : t('Change Channels');
  return t('Same contrast for all images');
}

function isOnlyContrast(before: Partial<UndoableState>, after: Partial<UndoableState>): boolean {
  const withoutContrast = (looks: UndoableState['channels'] | undefined) =>
    Object.values(looks ?? {}).map(channels => channels?.map(({ shown, color }) => [shown, color]));
  return (
    Object.values(before.channels ?? {}).every(channels => channels === null) ||
    JSON.stringify(withoutContrast(before.channels)) === JSON.stringify(withoutContrast(after.channels))
  );
}
