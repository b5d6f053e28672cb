import { element } from './element';
import { openPopover } from './popover';

/** A key or several that do the same, as they are called on a keyboard, and what they do. */
export interface Shortcut {
  keys: readonly string[];
  does: string;
}

/** Opens a small dialog that lists shortcuts; Esc closes it. */
export function showShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const rows = shortcuts.flatMap(({ keys, does }) => [
    element('dt', {}, ...keys.map(key => element('kbd', {}, key))),
    element('dd', {}, does),
  ]);
  const { root } = openPopover({
    label: title,
    className: 'shortcuts',
    content: [element('h2', {}, title), element('dl', {}, ...rows)],
  });
  // Nothing in it takes the focus, and in a small panel it is scrolled by the keyboard.
  root.tabIndex = 0;
}
