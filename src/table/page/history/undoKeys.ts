import type { HistoryMove } from './viewHistory';

/** Inputs that have no text of their own to undo. */
const WITHOUT_TEXT = ['checkbox', 'radio', 'range', 'button'];

/** Keys that do something at once, other than those that type or move an end of a range. */
const ACTS = ['Enter', 'Escape', ' '];

export interface UndoKeysOptions {
  onMove: (move: HistoryMove) => void;
  /** The user presses or enters something else. */
  onGesture: () => void;
}

/**
 * Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y (Cmd on a Mac) wherever the focus is, popovers included, but for text boxes, which undo what was
 * typed. VS Code would have the page undo its last typing, wherever the focus is: it must not see these keys.
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
