import { type PageWords, t } from '../../../pages/page/l10n';
import { closePopovers, type HistoryMove, undoKeys } from '../../../pages/page/stepHistory';
import { type Shortcut, showShortcuts } from '../../../pages/page/widgets/popover';
import type { MasksStore } from '../state/masksStore';

/** A shortcut: keys, label and action. `keys`: the listed key, then equal keys of other layouts. */
interface MasksShortcut {
  keys: readonly (readonly string[])[];
  does: PageWords;
  /** Set if the shortcut does nothing without masks. */
  needsMasks?: true;
  /** Absent for keys that CanvasView handles. */
  run?: (store: MasksStore) => void;
}

const shortcuts: readonly MasksShortcut[] = [
  {
    keys: [['ArrowLeft'], ['ArrowRight'], ['ArrowUp'], ['ArrowDown']],
    does: t.later('Pan (with Shift: further)'),
  },
  { keys: [['+', '=']], does: t.later('Zoom in'), run: ({ canvas }) => canvas.zoomBy(1.5) },
  { keys: [['-', '_']], does: t.later('Zoom out'), run: ({ canvas }) => canvas.zoomBy(1 / 1.5) },
  { keys: [['0'], ['f']], does: t.later('Fit the image to the panel'), run: ({ canvas }) => canvas.fit() },
  { keys: [['1']], does: t.later('Show the image in actual size'), run: ({ canvas }) => canvas.actualSize() },
  { keys: [['[']], does: t.later('Previous image'), run: ({ list }) => list.go(-1) },
  { keys: [[']']], does: t.later('Next image'), run: ({ list }) => list.go(1) },
  {
    keys: [['n']],
    does: t.later('Select the next object (of several selected ones: among these)'),
    needsMasks: true,
    run: ({ selection }) => void selection.step(1),
  },
  {
    keys: [['p']],
    does: t.later('Select the previous object'),
    needsMasks: true,
    run: ({ selection }) => void selection.step(-1),
  },
  {
    keys: [['Enter']],
    does: t.later(
      'Select the object in the center; again: the next one below (with Shift: add or remove it)',
    ),
    needsMasks: true,
  },
  {
    keys: [['Escape']],
    does: t.later('Cancel drawing, clear the selection, or switch back to panning'),
    needsMasks: true,
    run: store => store.escape(),
  },
  // Only while the key is held.
  {
    keys: [['h']],
    does: t.later('Hide the masks while held'),
    needsMasks: true,
    run: ({ look }) => look.peek(true),
  },
  {
    keys: [['o']],
    does: t.later('Switch between filled masks and outlines'),
    needsMasks: true,
    run: ({ look }) => look.toggleFill(),
  },
  {
    keys: [['r']],
    does: t.later('Select objects with a rectangle'),
    needsMasks: true,
    run: ({ layout }) => layout.toggleTool('rectangle'),
  },
  {
    keys: [['l']],
    does: t.later('Select objects with a lasso'),
    needsMasks: true,
    run: ({ layout }) => layout.toggleTool('lasso'),
  },
  {
    keys: [['v']],
    does: t.later('Switch back to panning'),
    needsMasks: true,
    run: ({ layout }) => layout.toggleTool('move'),
  },
  { keys: [[' ']], does: t.later('Pan by dragging while held') },
  {
    keys: [['a']],
    does: t.later('Select all objects in view'),
    needsMasks: true,
    run: ({ selection, canvas }) => void selection.selectRegion(canvas.regionInView),
  },
  { keys: [['m']], does: t.later('Show or hide the overview'), run: ({ layout }) => layout.toggleMinimap() },
  // undoKeys handles these, also in the page's dialogs.
  {
    keys: [['Control+z']],
    does: t.later('Undo: classes, colors, contrast, pixel sizes and links of images'),
  },
  { keys: [['Control+Shift+z'], ['Control+y']], does: t.later('Redo') },
  { keys: [['s']], does: t.later('Save the view'), run: store => void store.save() },
  {
    keys: [['?']],
    does: t.later('List the keyboard shortcuts'),
    run: store => openShortcuts(store),
  },
];

/** Names of keys that type no character. */
const keyNames: Partial<Record<string, PageWords>> = {
  Enter: t.later({ message: 'Enter', comment: 'A key of the keyboard' }),
  Escape: t.later('Esc'),
  ' ': t.later({ message: 'Space', comment: 'A key of the keyboard' }),
  Control: t.later('Ctrl'),
  Shift: t.later({ message: 'Shift', comment: 'A key of the keyboard' }),
};
const arrowLabels: Partial<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** The page's shortcuts in words; without masks, only those that work then. */
export function masksShortcuts(hasMasks = true): Shortcut[] {
  const label = (key = '') => {
    const name = keyNames[key];
    return name ? name() : (arrowLabels[key] ?? key.toUpperCase());
  };
  const combined = (key = '') => (key.length > 1 ? key.split('+').map(label).join('+') : label(key));
  return shortcuts
    .filter(({ needsMasks }) => hasMasks || !needsMasks)
    .map(({ keys, does }) => ({ keys: keys.map(([key]) => combined(key)), does: does() }));
}

/** Opens the list of shortcuts. */
export function openShortcuts({ hasMasks }: MasksStore): void {
  showShortcuts(t('Keyboard Shortcuts'), masksShortcuts(hasMasks));
}

/** Undoes the latest step, or redoes the next one. */
export function moveHistory({ undo }: MasksStore, move: HistoryMove): void {
  closePopovers();
  void undo.move(move);
}

/** An element that handles keys. */
interface KeyedCanvas {
  readonly canvas: HTMLCanvasElement;
  /** Handles a key. Returns whether it did. */
  key(event: KeyboardEvent): boolean;
}

/** Handles the page's shortcuts, unless the focused element needs the key. */
export function listenToKeys(store: MasksStore, canvas: KeyedCanvas): void {
  undoKeys({
    onMove: move => moveHistory(store, move),
    onGesture: () => store.undo.endGesture(),
  });
  addEventListener('keydown', event => {
    // Other keys with modifiers belong to VS Code; AltGr types brackets on many keyboards.
    const altGraph = event.getModifierState('AltGraph');
    if ((event.ctrlKey || event.metaKey || event.altKey) && !altGraph) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const pressed = shortcuts.find(({ keys }) => keys.some(equalKeys => equalKeys.includes(key)));
    const isHandled = pressed?.run && (store.hasMasks || !pressed.needsMasks) && !needsKeys(event.target);
    const onCanvas = event.target === canvas.canvas || event.target === document.body;
    if (isHandled) {
      if (!event.repeat || key !== 'h') pressed.run?.(store);
    } else if (!onCanvas || !canvas.key(event)) return;
    event.preventDefault();
  });
  addEventListener('keyup', event => {
    if (event.key.toLowerCase() === 'h') store.look.peek(false);
  });
  addEventListener('blur', () => store.look.peek(false));
}

/** Whether the focused element uses keys: text fields, and lists, where typing selects an entry. */
function needsKeys(target: EventTarget | null): boolean {
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'range', 'color'].includes(target.type);
}
