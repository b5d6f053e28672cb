/** Red, green, blue, each 0…255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A color between two; `share` 0 gives the first, 1 the second. */
export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [at(0), at(1), at(2)];
}

/** #rrggbb */
export function toHex(color: Rgb): string {
  return `#${color.map(part => part.toString(16).padStart(2, '0')).join('')}`;
}

/** A color from #rrggbb; undefined for anything else. */
export function fromHex(text: string): Rgb | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (!match) return undefined;
  const [, red = '', green = '', blue = ''] = match;
  return [parseInt(red, 16), parseInt(green, 16), parseInt(blue, 16)];
}

/** One pixel of RGBA image data read as a little-endian uint32; alpha 0…255, not premultiplied. */
export function packed([red, green, blue]: Rgb, alpha = 255): number {
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
