/** Resolves once what the page looks like now is on the screen; in a hidden page when it is shown again. */
export function afterPaint(): Promise<void> {
  return new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));
}
