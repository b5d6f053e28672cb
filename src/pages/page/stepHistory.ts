/** Maximum number of steps, and of their characters as JSON: they are saved with the view. */
const MAX_STEPS = 100;
const MAX_CHARACTERS = 64_000;

/** Steps that can be undone, and steps that were; the latest of each is last. */
export interface SavedSteps<Step> {
  past: Step[];
  future: Step[];
}

export type HistoryMove = 'undo' | 'redo';

/** The step that two consecutive ones make: none if they undo each other. */
export type JoinedSteps<Step> = { step?: Step | undefined } | undefined;

/** The steps that the user took on a page, and how far they are undone. */
export class StepHistory<Step> {
  private past: Step[];
  private future: Step[];
  /** Whether the current gesture made the latest step. */
  private goesOn = false;

  /** `join` decides which steps of a gesture are the same; undefined for two steps. */
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

  /** The step that is next to be undone or done again. */
  next(move: HistoryMove): Step | undefined {
    return (move === 'undo' ? this.past : this.future).at(-1);
  }

  /** Adds a change by the user. A range moved key by key, or a text being typed, is one step. */
  add(step: Step): void {
    const last = this.past.at(-1);
    const joined = this.goesOn && last !== undefined ? this.join(last, step) : undefined;
    const next = joined ? joined.step : step;
    if (joined) this.past.pop();
    if (next !== undefined) this.past.push(next);
    this.goesOn = next !== undefined;
    this.future = [];
    this.trim();
  }

  clear(): void {
    this.past = [];
    this.future = [];
    this.endGesture();
  }

  /** The user does something else now: its changes are a step of their own. */
  endGesture(): void {
    this.goesOn = false;
  }

  /** The next step was undone or done again. */
  moved(move: HistoryMove): void {
    const [from, to] = move === 'undo' ? [this.past, this.future] : [this.future, this.past];
    const step = from.pop();
    if (step !== undefined) to.push(step);
    this.endGesture();
  }

  /** The next step can't be undone or done again. */
  discard(move: HistoryMove): void {
    (move === 'undo' ? this.past : this.future).pop();
  }

  /** All steps are others now. */
  protected replace({ past, future }: SavedSteps<Step>): void {
    this.past = past;
    this.future = future;
  }

  /** Drops the oldest steps, but never the latest. */
  private trim(): void {
    let characters = 0;
    const first = this.past.findLastIndex((step, at) => {
      characters += JSON.stringify(step).length;
      return at < this.past.length - 1 && characters > MAX_CHARACTERS;
    });
    this.past.splice(0, Math.max(first + 1, this.past.length - MAX_STEPS));
  }
}

/** Inputs that have no text of their own to undo. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'range', 'button', 'color'];

/** Keys that act at once, unlike typing and moving an end of a range. */
const ACTS = ['Enter', 'Escape', ' '];

interface UndoKeysOptions {
  onMove: (move: HistoryMove) => void;
  /** The user presses or enters something else. */
  onGesture: () => void;
}

/**
 * Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y (Cmd on a Mac) wherever the focus is, popovers included, but for
 * text boxes, which undo what was typed. VS Code would have the page undo its last typing, wherever
 * the focus is: it must not see these keys.
 */
export function undoKeys({ onMove, onGesture }: UndoKeysOptions): void {
  document.addEventListener(
    'keydown',
    event => {
      if (isText(event.target)) return;
      if (ACTS.includes(event.key)) onGesture();
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

/** What a key does to the history, if anything. */
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

/** Whether something in the page has the focus. */
export function hasFocus(): boolean {
  return document.activeElement !== null && document.activeElement !== document.body;
}

/** What open windows of the page show would be out of date. */
export function closePopovers(): void {
  for (const open of document.querySelectorAll<HTMLElement>(':popover-open')) open.hidePopover();
}
