const STOPS = ':is(button,input,select)';

/**
 * Makes the controls in an element a single stop of the Tab key, like a toolbar of the ARIA
 * patterns: left and right arrows, Home and End move between them. In a text box, arrows first move
 * in the text. `except` stays a stop of its own.
 */
export function rovingFocus(root: HTMLElement, except?: HTMLElement): void {
  let current: HTMLElement | undefined;
  const controls = () => [...root.querySelectorAll<HTMLElement>(STOPS)].filter(element => element !== except);
  const stops = () =>
    controls().filter(control => !control.matches(':disabled') && !control.closest('[hidden]'));
  const mark = () => {
    const usable = stops();
    const stop = current && usable.includes(current) ? current : usable[0];
    for (const control of controls()) {
      const tabIndex = control === stop ? 0 : -1;
      if (control.tabIndex !== tabIndex) control.tabIndex = tabIndex;
    }
  };
  const focused = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && target !== except) current = target;
    mark();
  };
  const key = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (
      !(target instanceof HTMLElement) ||
      (target instanceof HTMLInputElement && target.type !== 'checkbox' && !leaves(target, event.key))
    )
      return;
    const usable = stops();
    const at = usable.indexOf(target);
    if (at < 0) return;
    const to = moved(event.key, at, usable.length);
    if (to === undefined) return;
    event.preventDefault();
    usable[to]?.focus();
  };
  new MutationObserver(mark).observe(root, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden'],
  });
  root.addEventListener('focusin', focused);
  root.addEventListener('keydown', key);
  mark();
}

function moved(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, at - 1);
    case 'ArrowRight':
      return Math.min(count - 1, at + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Whether a key leaves a text box, as the cursor is at the end already. */
function leaves({ value, selectionStart, selectionEnd }: HTMLInputElement, key: string): boolean {
  const end = key === 'ArrowLeft' || key === 'Home' ? 0 : value.length;
  return selectionStart === end && selectionEnd === end;
}
