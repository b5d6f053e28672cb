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
 * popover); the keyboard then goes back to where it was.
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
  root.addEventListener('toggle', event => {
    if (event.newState !== 'closed') return;
    grown.disconnect();
    const keptFocus = root.contains(document.activeElement) || document.activeElement === document.body;
    root.remove();
    if (keptFocus && before instanceof HTMLElement && before.isConnected) before.focus();
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
  return { root, close: () => root.isConnected && root.hidePopover() };
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
