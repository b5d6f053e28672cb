import { element } from './element';

const MARGIN = 4;

export interface PopoverOptions {
  /** The button or header it belongs to, and below which it opens; without one it is where its style puts it. */
  anchor?: Element;
  label: string;
  className?: string;
  role?: 'dialog' | 'menu';
  content: Node[];
  /** Where the keyboard goes first; the popover itself by default. */
  focus?: HTMLElement;
  onClosed?: () => void;
}

/**
 * Opens a small window over the page. Esc or a click elsewhere closes it, as opening another does (the browser's own
 * popover); the keyboard then goes back to where it was. It also closes when the focus goes elsewhere, in the page or to another
 * editor. It stays at its anchor while that moves, and closes when that is scrolled out of view.
 */
export function openPopover(options: PopoverOptions): { root: HTMLElement; close(): void } {
  const { anchor, label, className = '', role = 'dialog', content, focus, onClosed } = options;
  const before = document.activeElement;
  const root = element(
    'div',
    { class: `popover ${className}`, role, 'aria-label': label, tabindex: -1, popover: 'auto' },
    ...content,
  );
  // A dialog is a landmark of its own; a menu belongs to one.
  const home = role === 'menu' ? document.querySelector('main') : null;
  (home ?? document.body).append(root);
  const grown = new ResizeObserver(() => keepInside(root));
  const open = new AbortController();
  root.addEventListener('toggle', event => {
    if (event.newState !== 'closed') return;
    open.abort();
    grown.disconnect();
    const keptFocus = root.contains(document.activeElement) || document.activeElement === document.body;
    root.remove();
    if (keptFocus && before instanceof HTMLElement) returnFocus(before);
    onClosed?.();
  });
  root.addEventListener('keydown', event => {
    // What is typed here is not for the grid below.
    event.stopPropagation();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    root.hidePopover();
  });
  root.showPopover();
  if (anchor) {
    place(root, anchor.getBoundingClientRect());
    grown.observe(root);
  }
  (focus ?? root).focus();
  const { signal } = open;
  window.addEventListener('blur', () => onceBlurred(() => root.hidePopover(), signal), { signal });
  const isOurs = (target: EventTarget | null) =>
    target instanceof Node && (root.contains(target) || anchor?.contains(target) === true);
  document.addEventListener('focusin', ({ target }) => isOurs(target) || root.hidePopover(), { signal });
  if (anchor) {
    const follow = () => {
      if (isInView(anchor, root)) place(root, anchor.getBoundingClientRect());
      else root.hidePopover();
    };
    const onScroll = ({ target }: Event) => isOurs(target) || follow();
    document.addEventListener('scroll', onScroll, { capture: true, passive: true, signal });
    window.addEventListener('resize', follow, { signal });
  }
  return { root, close: () => root.isConnected && root.hidePopover() };
}

/** Runs once the window has lost the focus for good: VS Code takes it for a moment where it gives it to a page. */
function onceBlurred(run: () => void, signal: AbortSignal): void {
  requestAnimationFrame(() => {
    if (!signal.aborted && !document.hasFocus()) run();
  });
}

/** Focuses an element, but never takes the focus away from another editor: then as soon as the page has it again. */
function returnFocus(before: HTMLElement): void {
  const focus = () => {
    const isFree = document.activeElement === document.body || document.activeElement === null;
    if (before.isConnected && isFree) before.focus();
  };
  if (document.hasFocus()) focus();
  else window.addEventListener('focus', focus, { once: true });
}

/** Whether the middle of an element is in view: not scrolled away, and beneath no pinned column. */
function isInView(anchor: Element, popover: Element): boolean {
  const { left, top, width, height } = anchor.getBoundingClientRect();
  const there = document.elementFromPoint(left + width / 2, top + height / 2);
  return anchor.contains(there) || popover.contains(there);
}

/** Below the anchor where there is room, else above; always inside the window. */
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

/** Moves a popover up that has grown past the window's lower edge, for example when statistics arrive. */
function keepInside(root: HTMLElement): void {
  const { top, height } = root.getBoundingClientRect();
  const inside = Math.max(MARGIN, Math.min(top, innerHeight - height - MARGIN));
  if (inside !== top) root.style.top = `${inside}px`;
}
