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
import type { MasksStep, UndoableParts } from './undoSteps';

/** The look of the page, as far as steps are concerned. */
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
  /** Links images by the user's word; null undoes that. */
  link: (links: Record<string, string | null>) => Promise<void>;
  /** Shows the image of an ID, if there is one. */
  show: (image: string) => void;
}

/**
 * Undoes what the user did on the masks page, and does it again: classes and their colors, what
 * objects are colored by, contrast, pixel sizes and links of images. It compares the look with what
 * it was, so that nothing that changes it needs to know of steps; pixel sizes and links, which
 * aren't of the look, are added by those who change them. Selection and view are no part of it.
 */
export class UndoModel {
  private readonly history: StepHistory<MasksStep>;
  private seen: UndoableLook;
  private isScheduled = false;
  private latest: Promise<void> = Promise.resolve();

  constructor(private readonly options: UndoOptions) {
    this.history = new StepHistory(validSteps(options.port.view.history), joinedSteps);
    this.seen = this.now;
    options.port.onDidUpdateView(() => this.schedule());
  }

  can(move: HistoryMove): boolean {
    return this.history.next(move) !== undefined;
  }

  /** The user does something else now: its changes are a step of their own. */
  endGesture(): void {
    this.history.endGesture();
  }

  /** A change that isn't the user's doing is no step. */
  unnoticed(change: () => void): void {
    this.record();
    change();
    this.seen = this.now;
  }

  /** The user has changed what isn't of the look. */
  add(step: MasksStep): void {
    this.record();
    this.history.add(step);
    this.save();
  }

  /** Undoes the latest step or does the next one again, after those that were requested before. */
  move(move: HistoryMove): Promise<void> {
    this.latest = this.latest.then(() => this.apply(move));
    return this.latest;
  }

  private get now(): UndoableLook {
    const { look, port } = this.options;
    return { look: look.now.peek(), view: port.view };
  }

  /** Changes made at once are one step. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.record();
    });
  }

  private record(): void {
    const { seen, now } = this;
    this.seen = now;
    const step = stepBetween(seen, now, this.options.classes);
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
      await this.show(isUndo ? step.before : step.after);
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

  private async show(parts: Partial<UndoableParts>): Promise<void> {
    const { look, coloring, background, selections, link, show } = this.options;
    const { pixelSizes, links, channels } = parts;
    // What can fail comes first, and alone.
    if (pixelSizes) await background.setPixelSizes(pixelSizes);
    if (links) await link(links);
    if (parts.selections) await selections.change(parts.selections);
    this.unnoticed(() => {
      look.restore(parts);
      if (parts.colorBy || parts.range !== undefined) coloring.restore(parts);
      if (parts.colorMap) coloring.setColorMap(parts.colorMap);
      if (parts.stretched !== undefined) background.stretch(parts.stretched);
      if (channels || parts.sharedContrast !== undefined)
        background.restoreChannels(channels ?? {}, parts.sharedContrast);
    });
    const [changed] = Object.keys(channels ?? {});
    if (changed !== undefined) show(imageOfLook(changed));
  }
}

function validSteps(saved: unknown): SavedSteps<MasksStep> {
  const { past, future } = (saved ?? {}) as Partial<SavedSteps<MasksStep>>;
  const steps = (of: unknown) => (Array.isArray(of) ? (of as MasksStep[]) : []);
  return { past: steps(past), future: steps(future) };
}

/** The step between two looks; undefined if the user changed nothing undoable. */
export function stepBetween(
  { look: old, view: oldView }: UndoableLook,
  { look: now, view: nowView }: UndoableLook,
  classes: readonly MaskClass[],
): MasksStep | undefined {
  const step: MasksStep = { before: {}, after: {} };
  const add = <K extends keyof UndoableParts>(part: K, from: UndoableParts[K], to: UndoableParts[K]) => {
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    step.before[part] = from;
    step.after[part] = to;
  };
  if (old.hidden !== now.hidden)
    add('hidden', hiddenNames(old.hidden, classes), hiddenNames(now.hidden, classes));
  if (old.colors !== now.colors) add('colors', ...changedColors(old, now, classes));
  add('fill', old.fill, now.fill);
  add('opacity', old.opacity, now.opacity);
  if (!sameColoring(old.colorBy, now.colorBy)) add('colorBy', old.colorBy, now.colorBy);
  add('range', oldView.range ?? null, nowView.range ?? null);
  add('colorMap', old.colorMap, now.colorMap);
  if (oldView.imageLooks !== nowView.imageLooks) add('channels', ...changedChannels(oldView, nowView));
  if (oldView.sharedContrast !== nowView.sharedContrast)
    add('sharedContrast', oldView.sharedContrast ?? null, nowView.sharedContrast ?? null);
  add('stretched', oldView.stretched ?? false, nowView.stretched ?? false);
  return Object.keys(step.after).length > 0 ? step : undefined;
}

function changedColors(old: MasksLook, now: MasksLook, classes: readonly MaskClass[]) {
  const [before, after]: Record<string, string>[] = [{}, {}];
  now.colors.forEach((color, at) => {
    const from = old.colors[at];
    const name = classes[at]?.name;
    if (!from || name === undefined || toHex(from) === toHex(color) || !before || !after) return;
    before[name] = toHex(from);
    after[name] = toHex(color);
  });
  return [before ?? {}, after ?? {}] as const;
}

/**
 * The position of an axis isn't undone, only the paint of channels. Looks that are no longer stored
 * don't count.
 */
function changedChannels(old: Partial<SavedImageLooks>, now: Partial<SavedImageLooks>) {
  const known = new Map(old.imageLooks ?? []);
  const before: UndoableParts['channels'] = {};
  const after: UndoableParts['channels'] = {};
  for (const [key, { channels }] of now.imageLooks ?? []) {
    const from = known.get(key)?.channels ?? null;
    if (JSON.stringify(from) === JSON.stringify(channels)) continue;
    before[key] = from;
    after[key] = channels;
  }
  return [before, after] as const;
}

/** The thing that one slider's or color's drag changes gradually. */
const GRADUAL: ReadonlySet<keyof UndoableParts> = new Set<keyof UndoableParts>([
  'opacity',
  'range',
  'colors',
  'channels',
  'sharedContrast',
]);

/** Two steps of one gesture in one, where they change the same things gradually. */
function joinedSteps(last: MasksStep, next: MasksStep): JoinedSteps<MasksStep> {
  const thing = ({ after }: MasksStep) =>
    (Object.keys(after) as (keyof UndoableParts)[]).map(part => [part, partKeys(after[part])]);
  const isGradual = (Object.keys(next.after) as (keyof UndoableParts)[]).every(part => GRADUAL.has(part));
  if (!isGradual || JSON.stringify(thing(last)) !== JSON.stringify(thing(next))) return undefined;
  const isUndone = JSON.stringify(last.before) === JSON.stringify(next.after);
  return { step: isUndone ? undefined : { before: last.before, after: next.after } };
}

function partKeys(part: unknown): string[] {
  return typeof part === 'object' && part !== null ? Object.keys(part) : [];
}

/** A step's label, in the words of the clicked control. */
export function stepWords({ before, after }: MasksStep): string {
  if (after.pixelSizes)
    return t.count(Object.keys(after.pixelSizes).length, 'Set Pixel Size', 'Set Pixel Size of {0} Images');
  if (after.links) return t('Link Images');
  const [[named, saved] = []] = Object.entries(after.selections ?? {});
  if (named !== undefined) return saved ? t('Name {0}', named) : t('Remove {0}', named);
  if (after.hidden) {
    const [was, is] = [new Set(before.hidden), new Set(after.hidden)];
    const [hidden, ...more] = [...is].filter(name => !was.has(name));
    const [shown, ...others] = [...was].filter(name => !is.has(name));
    if (hidden !== undefined && more.length === 0 && shown === undefined) return t('Hide {0}', hidden);
    if (shown !== undefined && others.length === 0 && hidden === undefined) return t('Show {0}', shown);
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

function isOnlyContrast(before: Partial<UndoableParts>, after: Partial<UndoableParts>): boolean {
  const painted = (of: UndoableParts['channels'] | undefined) =>
    Object.values(of ?? {}).map(channels => channels?.map(({ shown, color }) => [shown, color]));
  return (
    Object.values(before.channels ?? {}).every(channels => channels === null) ||
    JSON.stringify(painted(before.channels)) === JSON.stringify(painted(after.channels))
  );
}
