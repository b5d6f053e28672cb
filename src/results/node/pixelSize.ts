/** µm per pixel as people type it, also with a decimal comma; undefined where it isn't a size. */
export function parsePixelSize(typed: string): number | undefined {
  const size = Number(typed.trim().replace(',', '.'));
  return size > 0 && size < 1e6 ? size : undefined;
}
