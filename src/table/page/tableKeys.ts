export interface TableKeysOptions {
  onFind: () => void;
  /** Copies what the focus is in. */
  onCopy: () => void;
  /** The list of these and all other keys. */
  onShortcuts: () => void;
}

/** Keys that work wherever the focus is, except in fields that need them; those of the grid and the plots are in their own files. */
export function tableKeys({ onFind, onCopy, onShortcuts }: TableKeysOptions): void {
  document.addEventListener('keydown', event => {
    const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'f') onFind();
    else if (event.key === '?' && !inField) onShortcuts();
    else return;
    event.preventDefault();
  });
  document.addEventListener('copy', event => {
    if (document.activeElement?.closest('input, [popover]') || String(document.getSelection())) return;
    event.preventDefault();
    onCopy();
  });
}
