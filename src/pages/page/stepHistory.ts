/** Maximum number of steps, and their maximum length as JSON: they are saved with the view. */
const MAX_STEPS = 100;
const MAX_CHARACTERS = 64_000;

/** Steps to undo and to redo; the next one is last. */
export interface SavedSteps<Step> {
  past: Step[];
  future: Step[];
}

export type HistoryMove = 'undo' | 'redo';

/**
 * Two consecutive steps joined into one, or into none if they undo each other. Undefined if they
 * stay apart.
 */
export type JoinedSteps<Step> = { step?: Step | undefined } | undefined;

/** The user's steps on a page, and which of them are undone. */
export class StepHistory<Step> {
  private past: Step[];
  private future: Step[];
  /** Whether the current gesture made the latest step. */
  private isSameGesture = false;

  /** `join` merges steps of one gesture that change the same thing. */
  constructor(
    { past, future }: SavedSteps<Step>,
    private readonly join: (last: Step, next: Step) => JoinedSteps<Step>,
  ) {
    this.past = [...past];
    this.future = [...future];
  }

  get saved(): SavedSteps<Step> {
    return { past: this.past, future: this.future };
  }

  /** The step to undo or redo next. */
  next(move: HistoryMove): Step | undefined {
    return (move === 'undo' ? this.past : this.future).at(-1);
  }

  /** Adds a change by the user. Moving a range key by key, or typing a text, is one step. */
  add(step: Step): void {
    const last = this.past.at(-1);
    const joined = this.isSameGesture && last !== undefined ? this.join(last, step) : undefined;
    const addedStep = joined ? joined.step : step;
    if (joined) this.past.pop();
    if (addedStep !== undefined) this.past.push(addedStep);
    this.isSameGesture = addedStep !== undefined;
    this.future = [];
    this.trim();
  }

  clear(): void {
    this.past = [];
    this.future = [];
    this.endGesture();
  }

  /** The user starts another action: its changes are a new step. */
  endGesture(): void {
    this.isSameGesture = false;
  }

  /** The next step was undone or redone. */
  moved(move: HistoryMove): void {
    const [from, to] = move === 'undo' ? [this.past, this.future] : [this.future, this.past];
    const step = from.pop();
    if (step !== undefined) to.push(step);
    this.endGesture();
  }

  /** Drops the next step, which can't be undone or redone. */
  discard(move: HistoryMove): void {
    (move === 'undo' ? this.past : this.future).pop();
  }

  /** Replaces all steps. */
  protected replace({ past, future }: SavedSteps<Step>): void {
    this.past = past;
    this.future = future;
  }

  /** Drops the oldest steps, but never the latest. */
  private trim(): void {
    let characters = 0;
    const first = this.past.findLastIndex((step, index) => {
      characters += JSON.stringify(step).length;
      return index < this.past.length - 1 && characters > MAX_CHARACTERS;
    });
    this.past.splice(0, Math.max(first + 1, this.past.length - MAX_STEPS));
  }
}

/** Types of inputs without text that could be undone. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'range', 'button', 'color'];

/** Keys that end a gesture, unlike those that type or move an end of a range. */
const GESTURE_END_KEYS = ['Enter', 'Escape', ' '];

interface UndoKeysOptions {
  onMove: (move: HistoryMove) => void;
  /** The user starts another action. */
  onGesture: () => void;
}

/**
 * Handles Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y (Cmd on a Mac), also in popovers. Text boxes keep the
 * keys, to undo typing. VS Code mustn't see these keys: it would undo the last typing anywhere in
 * the page.
 */
export function undoKeys({ onMove, onGesture }: UndoKeysOptions): void {
  document.addEventListener(
    'keydown',
    event => {
      if (isText(event.target)) return;
      if (GESTURE_END_KEYS.includes(event.key)) onGesture();
      const move = moveOf(event);
      if (!move) return;
      event.preventDefault();
      event.stopPropagation();
      onMove(move);
    },
    { capture: true },
  );
  for (const type of ['pointerdown', 'focusin'])
    document.addEventListener(type, () => onGesture(), { capture: true });
}

/** The move that a key means; undefined for other keys. */
export function moveOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): HistoryMove | undefined {
  const { ctrlKey, metaKey, shiftKey, altKey } = event;
  if (ctrlKey === metaKey || altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'z') return shiftKey ? 'redo' : 'undo';
  return key === 'y' && ctrlKey && !shiftKey ? 'redo' : undefined;
}

function isText(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !WITHOUT_TEXT.includes(target.type);
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable);
}

/** Whether an element of the page has the focus. */
export function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/** Closes open popovers, whose content would be outdated. */
export function closePopovers(): void {
  for (const popover of document.querySelectorAll<HTMLElement>(':popover-open')) popover.hidePopover();
}
