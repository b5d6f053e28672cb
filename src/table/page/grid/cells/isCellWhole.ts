/**
 * Whether a cell shows all of its text: neither cut when it was sent, nor too long for its width, nor of several lines, nor a
 * number that is shown with fewer digits.
 */
export function isCellWhole(
  text: string,
  isCut: boolean,
  {
    scrollWidth,
    clientWidth,
    textContent,
  }: { scrollWidth: number; clientWidth: number; textContent: string | null },
): boolean {
  if (isCut || scrollWidth > clientWidth || /[\r\n]/.test(text)) return false;
  return textContent === text || numberOf(textContent ?? '') === numberOf(text);
}

/** With either decimal mark. */
function numberOf(text: string): number {
  return Number(text.replace(',', '.'));
}
