import type { Rgb } from '../../../base/rgb';

/** Relative luminance, 0…1 (WCAG 2). */
export function luminance(color: Rgb): number {
  const [red, green, blue] = color.map(part => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Contrast ratio of two colors, 1…21 (WCAG 2). */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}
