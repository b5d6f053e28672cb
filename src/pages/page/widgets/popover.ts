import { type ComponentChild, render } from 'preact';
import { element, icon } from './element';

const MARGIN = 4;

interface PopoverOptions {
  /** The button or header below which it opens; without one, CSS places it. */
  anchor?: Element;
  label: string;
  className?: string;
  role?: 'dialog' | 'menu';
  content?: Node[];
  /** Its content as a function of signals. */
  view?: (close: () => void) => ComponentChild;
  /** The element to focus; by default one with `autofocus`, else the popover itself. */
  focus?: HTMLElement;
  onClosed?: () => void;
}

/**
 * Opens a small window over the page, with the browser's popover. Esc, a click outside or another
 * popover closes it, and the focus returns. It also closes when the focus moves elsewhere, in the
 * page or to another editor. It follows its anchor, and closes when that is scrolled out of view.
 */
export function openPopover(options: PopoverOptions): { root: HTMLElement; close(): void } {
  const { anchor, label, className = '', role = 'dialog', content = [], view, focus, onClosed } = options;
  const focusedBefore = document.activeElement;
  const root = element(
    'div',
    { class: `popover ${className}`, role, 'aria-label': label, tabindex: -1, popover: 'auto' },
    ...content,
  );
  const close = () => {
    if (root.isConnected) root.hidePopover();
  };
  if (view) render(view(close), root);
  // A dialog is a landmark, and a menu must be inside one.
  const parent = role === 'menu' ? document.querySelector('main:not([inert] *)') : null;
  (parent ?? document.body).append(root);
  const sizeObserver = new ResizeObserver(() => keepInside(root));
  const whileOpen = new AbortController();
  root.addEventListener('toggle', event => {
    if (event.newState !== 'closed') return;
    whileOpen.abort();
    sizeObserver.disconnect();
    const hadFocus = root.contains(document.activeElement) || document.activeElement === document.body;
    root.remove();
    if (view) render(null, root);
    if (hadFocus && focusedBefore instanceof HTMLElement) returnFocus(focusedBefore);
    onClosed?.();
  });
  root.addEventListener('keydown', event => {
    // Keys in the popover aren't for the grid below.
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    root.hidePopover();
  });
  root.showPopover();
  if (anchor) {
    place(root, anchor.getBoundingClientRect());
    sizeObserver.observe(root);
  }
  (focus ?? root.querySelector<HTMLElement>('[autofocus]') ?? root).focus();
  const { signal } = whileOpen;
  window.addEventListener('blur', () => onceBlurred(() => root.hidePopover(), signal), { signal });
  const isInside = (target: EventTarget | null) =>
    target instanceof Node && (root.contains(target) || anchor?.contains(target) === true);
  document.addEventListener('focusin', ({ target }) => isInside(target) || root.hidePopover(), { signal });
  if (anchor) {
    const follow = () => {
      if (isInView(anchor, root)) place(root, anchor.getBoundingClientRect());
      else root.hidePopover();
    };
    const onScroll = ({ target }: Event) => isInside(target) || follow();
    document.addEventListener('scroll', onScroll, { capture: true, passive: true, signal });
    window.addEventListener('resize', follow, { signal });
  }
  return { root, close };
}

/** Runs once the window has lost the focus, not when VS Code takes it briefly to focus a page. */
function onceBlurred(run: () => void, signal: AbortSignal): void {
  requestAnimationFrame(() => {
    if (!signal.aborted && !document.hasFocus()) run();
  });
}

/** Focuses an element. While another editor has the focus, waits until the page has it again. */
function returnFocus(target: HTMLElement): void {
  const focus = () => {
    const isFree = document.activeElement === document.body || document.activeElement === null;
    if (target.isConnected && isFree) target.focus();
  };
  if (document.hasFocus()) focus();
  else window.addEventListener('focus', focus, { once: true });
}

/** Whether an element's center is in view: neither scrolled away nor under a pinned column. */
function isInView(anchor: Element, popover: Element): boolean {
  const { left, top, width, height } = anchor.getBoundingClientRect();
  const topmost = document.elementFromPoint(left + width / 2, top + height / 2);
  return anchor.contains(topmost) || popover.contains(topmost);
}

/** Places the popover below the anchor if there is room, else above, and inside the window. */
function place(root: HTMLElement, anchor: DOMRect): void {
  const { width, height } = root.getBoundingClientRect();
  const left = Math.max(MARGIN, Math.min(anchor.left, innerWidth - width - MARGIN));
  const below = anchor.bottom + MARGIN;
  const above = anchor.top - height - MARGIN;
  const top =
    below + height <= innerHeight - MARGIN || above < MARGIN
      ? Math.max(MARGIN, Math.min(below, innerHeight - height - MARGIN))
      : above;
  root.style.left = `${left}px`;
  root.style.top = `${top}px`;
}

/** Moves up a popover that grew beyond the window's lower edge, such as when statistics arrive. */
function keepInside(root: HTMLElement): void {
  const { top, height } = root.getBoundingClientRect();
  const topInside = Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN));
  if (topInside !== top) root.style.top = `${topInside}px`;
}

interface MenuItem {
  label: string;
  /** Set for an item that is one of several options. */
  checked?: boolean;
  disabled?: boolean;
  /** Whether to draw a line above the item. */
  startsGroup?: boolean;
  run: () => void;
}

/** Opens a menu below its button. Arrows, Home and End move the focus, Enter selects. */
export function openMenu(anchor: Element, label: string, items: readonly MenuItem[]): void {
  const buttons = items.map(({ label: words, checked, disabled, startsGroup }) =>
    element(
      'button',
      {
        type: 'button',
        class: startsGroup ? 'menu-item starts-group' : 'menu-item',
        role: checked === undefined ? 'menuitem' : 'menuitemradio',
        'aria-checked': checked === undefined ? undefined : String(checked),
        disabled,
        tabindex: -1,
      },
      element('span', { class: 'menu-check' }, checked && icon('check')),
      element('span', {}, words),
    ),
  );
  const popover = openPopover({ anchor, label, role: 'menu', className: 'menu', content: buttons });
  buttons.forEach((button, index) =>
    button.addEventListener('click', () => {
      popover.close();
      items[index]?.run();
    }),
  );
  const usable = buttons.filter(button => !button.disabled);
  const focusItem = (index: number) => usable[(index + usable.length) % usable.length]?.focus();
  popover.root.addEventListener('keydown', event => {
    const index = usable.findIndex(button => button === document.activeElement);
    if (event.key === 'ArrowDown') focusItem(index + 1);
    else if (event.key === 'ArrowUp') focusItem(index < 0 ? -1 : index - 1);
    else if (event.key === 'Home') focusItem(0);
    else if (event.key === 'End') focusItem(-1);
    else return;
    event.preventDefault();
  });
  focusItem(0);
}

/** A shortcut: one or several equal keys, as named on a keyboard, and what they do. */
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
  // Focusable, so that keys can scroll it in a small panel.
  root.tabIndex = 0;
}
