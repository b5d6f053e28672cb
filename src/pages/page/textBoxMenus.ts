/** Types of inputs that nobody types text into. */
const NO_TEXT = new Set(['checkbox', 'color', 'radio', 'range']);

/** Keeps VS Code's Cut, Copy and Paste to the menus of text boxes: anywhere else in a page they would do nothing. */
export function keepTextBoxMenus(): void {
  // In the capturing phase: VS Code reads the attribute when the event has bubbled.
  addEventListener(
    'contextmenu',
    ({ target }) => {
      const context = { preventDefaultContextMenuItems: !isTextBox(target) };
      document.body.dataset['vscodeContext'] = JSON.stringify(context);
    },
    { capture: true },
  );
}

function isTextBox(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return target instanceof HTMLTextAreaElement;
}
