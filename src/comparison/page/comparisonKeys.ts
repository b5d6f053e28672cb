import { type PageWords, t } from '../../pages/page/l10n';
import type { CanvasView } from '../../masks/page/stage/canvasView';
import { showShortcuts } from '../../pages/page/widgets/popover';
import { listedOutcomes } from './state/outcomes';
import type { ComparisonStore } from './state/comparisonStore';

/** A shortcut, and the keys that have it. */
interface ComparisonShortcut {
  keys: readonly string[];
  /** Absent for keys of the canvas (CanvasView). */
  run?: (store: ComparisonStore, canvas: CanvasView) => void;
}

/** Groups of shortcuts, as in the list of shortcuts. `does` says what they do. */
const groups: readonly { does: PageWords; shortcuts: readonly ComparisonShortcut[] }[] = [
  { does: t.later('Move the image'), shortcuts: ['←', '→', '↑', '↓'].map(key => ({ keys: [key] })) },
  {
    does: t.later('Zoom in and out'),
    shortcuts: [
      { keys: ['+', '='], run: (_, canvas) => canvas.zoomBy(1.5) },
      { keys: ['-', '_'], run: (_, canvas) => canvas.zoomBy(1 / 1.5) },
    ],
  },
  { does: t.later('Fit the image'), shortcuts: [{ keys: ['0', 'f'], run: (_, canvas) => canvas.fit() }] },
  {
    does: t.later('Previous and next image'),
    shortcuts: [
      { keys: ['['], run: store => void store.go(-1) },
      { keys: [']'], run: store => void store.go(1) },
    ],
  },
  {
    does: t.later('Next and previous object in the list, in all images'),
    shortcuts: [
      { keys: ['n'], run: store => void store.nextObject(1) },
      { keys: ['p'], run: store => void store.nextObject(-1) },
    ],
  },
  {
    does: t.later('List matched, only A, only B, split or merged objects'),
    shortcuts: listedOutcomes.map((list, index) => ({
      keys: [String(index + 1)],
      run: store => store.objects.showList(list),
    })),
  },
  {
    does: t.later('Show or hide the outlines of A and B'),
    shortcuts: [
      { keys: ['a'], run: store => store.look.toggleSide('a') },
      { keys: ['b'], run: store => store.look.toggleSide('b') },
    ],
  },
  {
    does: t.later('Color objects by outcome'),
    shortcuts: [{ keys: ['o'], run: store => store.look.toggleColors() }],
  },
  {
    does: t.later('Show or hide the image'),
    shortcuts: [{ keys: ['i'], run: store => store.backgroundImage.toggle() }],
  },
  {
    does: t.later('Draw a region to judge'),
    shortcuts: [{ keys: ['l'], run: store => store.look.toggleTool() }],
  },
  {
    does: t.later('Stop drawing, or clear the selection'),
    shortcuts: [
      {
        keys: ['Escape'],
        run: (store, canvas) => {
          if (!canvas.pointer.cancelRegion()) store.escape();
        },
      },
    ],
  },
];

/** Opens the list of shortcuts. */
export function openShortcuts(): void {
  const label = (key = '') => (key === 'Escape' ? 'Esc' : key.toUpperCase());
  const rows = groups.map(({ does, shortcuts }) => ({
    keys: shortcuts.map(({ keys: [firstKey] }) => label(firstKey)),
    does: does(),
  }));
  showShortcuts(t('Keyboard Shortcuts'), [...rows, { keys: ['S'], does: t('Save the view') }]);
}

/**
 * Handles the page's keys wherever the focus is, except in elements that use typed characters
 * themselves.
 */
export function listenToComparisonKeys(store: ComparisonStore, canvas: CanvasView, save: () => void): void {
  const allShortcuts = groups.flatMap(({ shortcuts }) => shortcuts);
  addEventListener('keydown', event => {
    // Keys with these modifiers belong to VS Code; AltGr types the brackets on many keyboards.
    const altGraph = event.getModifierState('AltGraph');
    if ((event.ctrlKey || event.metaKey || event.altKey) && !altGraph) return;
    if (usesTypedCharacters(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const pressed = allShortcuts.find(({ run, keys }) => run && keys.includes(key));
    const onCanvas = event.target === canvas.canvas || event.target === document.body;
    if (pressed) pressed.run?.(store, canvas);
    else if (key === 's') save();
    else if (key === '?') openShortcuts();
    // Enter selects the object in the center.
    else if (!onCanvas || !canvas.key(event)) return;
    event.preventDefault();
  });
}

/**
 * Whether an element uses typed characters: a text field, or a list, where they select an entry.
 * Checkboxes, sliders and color fields use none of the page's keys.
 */
function usesTypedCharacters(target: EventTarget | null): boolean {
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'range', 'color'].includes(target.type);
}
