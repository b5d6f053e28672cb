/** Whether a cell shows all of its text: neither cut when it was sent, nor too long for its width, nor of several lines. */
export function isCellWhole(
  text: string,
  isCut: boolean,
  { scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number },
): boolean {
  return !isCut && scrollWidth <= clientWidth && !/[\r\n]/.test(text);
}
