import type { MasksTextKey } from '../../../pages/masksTexts';
import type { MasksText } from '../../../pages/page/pageText';
import type { Shortcut } from '../../../pages/page/widgets/popover';

/** Each key with what it does; keys that do the same in another layout come after the one that is listed. */
const shortcuts = [
  { keys: [['ArrowLeft'], ['ArrowRight'], ['ArrowUp'], ['ArrowDown']], does: 'shortcutPan' },
  { keys: [['+', '=']], does: 'shortcutZoomIn' },
  { keys: [['-', '_']], does: 'shortcutZoomOut' },
  { keys: [['0'], ['f']], does: 'shortcutFit' },
  { keys: [['1']], does: 'shortcutActualSize' },
  { keys: [['[']], does: 'shortcutPreviousImage' },
  { keys: [[']']], does: 'shortcutNextImage' },
  { keys: [['Enter']], does: 'shortcutSelectCenter' },
  { keys: [['Escape']], does: 'shortcutEscape' },
  { keys: [['h']], does: 'shortcutPeek' },
  { keys: [['o']], does: 'shortcutStyle' },
  { keys: [['r']], does: 'shortcutRectangle' },
  { keys: [['l']], does: 'shortcutLasso' },
  { keys: [['v']], does: 'shortcutMove' },
  { keys: [[' ']], does: 'shortcutHoldToPan' },
  { keys: [['a']], does: 'shortcutSelectView' },
  { keys: [['m']], does: 'shortcutMinimap' },
  { keys: [['s']], does: 'shortcutSave' },
  { keys: [['?']], does: 'shortcutList' },
] as const;

/** A key that does something in the masks page. */
export type MasksKey = (typeof shortcuts)[number]['keys'][number][number];

/** Keys that mean something on the canvas only. */
export type CanvasKey = Extract<MasksKey, `Arrow${string}` | 'Enter' | ' '>;

/** What is written on keys that type no character of their own. */
const named: Partial<Record<MasksKey, MasksTextKey>> = {
  Enter: 'keyEnter',
  Escape: 'keyEscape',
  ' ': 'keySpace',
};
const arrows: Partial<Record<MasksKey, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** Keys that do nothing where an image is shown by itself. */
const ofMasks: ReadonlySet<string> = new Set<MasksKey>(['Enter', 'Escape', 'h', 'o', 'r', 'l', 'v', 'a']);

/** Whether a key is about masks or their objects. */
export function isMasksKey(key: MasksKey): boolean {
  return ofMasks.has(key);
}

/** All shortcuts of the page, in words; those about masks only where there are any. */
export function masksShortcuts(text: MasksText, hasMasks = true): Shortcut[] {
  const label = (key: MasksKey) => {
    const name = named[key];
    return name ? text.get(name) : (arrows[key] ?? key.toUpperCase());
  };
  return shortcuts
    .filter(({ keys }) => hasMasks || !keys.some(([key]) => isMasksKey(key)))
    .map(({ keys, does }) => ({ keys: keys.map(([key]) => label(key)), does: text.get(does) }));
}
