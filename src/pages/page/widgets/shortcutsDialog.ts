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
  // It has nothing else to focus, and must scroll by keyboard in a small panel.
  root.tabIndex = 0;
}
