import { type PageWords, t } from '../../pages/page/l10n';
import type { CanvasView } from '../../masks/page/stage/canvasView';
import { showShortcuts } from '../../pages/page/widgets/popover';
import { listedOutcomes } from './state/outcomes';
import type { ComparisonStore } from './state/comparisonStore';

interface ComparisonKey {
  keys: readonly string[];
  /** Absent for keys of the canvas (CanvasView). */
  run?: (store: ComparisonStore, canvas: CanvasView) => void;
}

/** Keys that belong together, in the order of the list of shortcuts. */
const groups: readonly { does: PageWords; keys: readonly ComparisonKey[] }[] = [
  { does: t.later('Move the image'), keys: ['←', '→', '↑', '↓'].map(key => ({ keys: [key] })) },
  {
    does: t.later('Zoom in and out'),
    keys: [
      { keys: ['+', '='], run: (_, canvas) => canvas.zoomBy(1.5) },
      { keys: ['-', '_'], run: (_, canvas) => canvas.zoomBy(1 / 1.5) },
    ],
  },
  { does: t.later('Fit the image'), keys: [{ keys: ['0', 'f'], run: (_, canvas) => canvas.fit() }] },
  {
    does: t.later('Previous and next image'),
    keys: [
      { keys: ['['], run: store => void store.go(-1) },
      { keys: [']'], run: store => void store.go(1) },
    ],
  },
  {
    does: t.later('Next and previous object of the list, in all images'),
    keys: [
      { keys: ['n'], run: store => void store.nextObject(1) },
      { keys: ['p'], run: store => void store.nextObject(-1) },
    ],
  },
  {
    does: t.later('List matched, only A, only B, split or merged objects'),
    keys: listedOutcomes.map((list, at) => ({
      keys: [String(at + 1)],
      run: store => store.objects.showList(list),
    })),
  },
  {
    does: t.later('Show or hide the outlines of A and B'),
    keys: [
      { keys: ['a'], run: store => store.look.toggleSide('a') },
      { keys: ['b'], run: store => store.look.toggleSide('b') },
    ],
  },
  {
    does: t.later('Color objects by outcome'),
    keys: [{ keys: ['o'], run: store => store.look.toggleColors() }],
  },
  {
    does: t.later('Show or hide the image'),
    keys: [{ keys: ['i'], run: store => store.backgroundImage.toggle() }],
  },
  { does: t.later('Draw a region to judge'), keys: [{ keys: ['l'], run: store => store.look.toggleTool() }] },
  {
    does: t.later('Stop drawing, or clear the selection'),
    keys: [
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
  const rows = groups.map(({ does, keys }) => ({
    keys: keys.map(({ keys: [key] }) => label(key)),
    does: does(),
  }));
  showShortcuts(t('Keyboard Shortcuts'), [...rows, { keys: ['S'], does: t('Save the view') }]);
}

/** Makes the page's keys work for any focus that doesn't need them itself. */
export function listenToComparisonKeys(store: ComparisonStore, canvas: CanvasView, save: () => void): void {
  addEventListener('keydown', event => {
    // Keys with these belong to VS Code; AltGr types the brackets on many keyboards.
    const altGraph = event.getModifierState('AltGraph');
    if ((event.ctrlKey || event.metaKey || event.altKey) && !altGraph) return;
    if (isTypedInto(event.target)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const pressed = groups.flatMap(({ keys }) => keys).find(each => each.run && each.keys.includes(key));
    const onCanvas = event.target === canvas.canvas || event.target === document.body;
    if (pressed) pressed.run?.(store, canvas);
    else if (key === 's') save();
    else if (key === '?') openShortcuts();
    // Enter selects the object in the center.
    else if (!onCanvas || !canvas.key(event)) return;
    event.preventDefault();
  });
}

/** Checkboxes and sliders use none of the page's keys; typing in a list selects an entry. */
function isTypedInto(target: EventTarget | null): boolean {
  if (target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'range', 'color'].includes(target.type);
}
