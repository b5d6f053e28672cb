/** Resolves once the current state of the page is painted; in a hidden page when it is shown again. */
export function afterPaint(): Promise<void> {
  return new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
}
