const CONTROLS = ':is(button,input,select)';

/**
 * Makes the controls in an element a single stop of the Tab key, like a toolbar of the ARIA
 * patterns: left and right arrows, Home and End move between them. In a text box, arrows first move
 * in the text. `except` stays a stop of its own.
 */
export function rovingFocus(root: HTMLElement, except?: HTMLElement): void {
  let current: HTMLElement | undefined;
  const controls = () =>
    [...root.querySelectorAll<HTMLElement>(CONTROLS)].filter(element => element !== except);
  const stops = () =>
    controls().filter(control => !control.matches(':disabled') && !control.closest('[hidden]'));
  const updateTabIndexes = () => {
    const currentStops = stops();
    const stop = current && currentStops.includes(current) ? current : currentStops[0];
    for (const control of controls()) {
      const tabIndex = control === stop ? 0 : -1;
      if (control.tabIndex !== tabIndex) control.tabIndex = tabIndex;
    }
  };
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement && target !== except) current = target;
    updateTabIndexes();
  };
  const onKey = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (
      !(target instanceof HTMLElement) ||
      (target instanceof HTMLInputElement && target.type !== 'checkbox' && !leavesTextBox(target, event.key))
    )
      return;
    const currentStops = stops();
    const from = currentStops.indexOf(target);
    if (from < 0) return;
    const to = targetIndex(event.key, from, currentStops.length);
    if (to === undefined) return;
    event.preventDefault();
    currentStops[to]?.focus();
  };
  new MutationObserver(updateTabIndexes).observe(root, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'hidden'],
  });
  root.addEventListener('focusin', onFocus);
  root.addEventListener('keydown', onKey);
  updateTabIndexes();
}

function targetIndex(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, from - 1);
    case 'ArrowRight':
      return Math.min(count - 1, from + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Whether a key leaves a text box, as the cursor is at the end already. */
function leavesTextBox({ value, selectionStart, selectionEnd }: HTMLInputElement, key: string): boolean {
  const end = key === 'ArrowLeft' || key === 'Home' ? 0 : value.length;
  return selectionStart === end && selectionEnd === end;
}
