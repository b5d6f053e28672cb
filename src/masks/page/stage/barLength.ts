/** A length that a scale bar shows. */
export interface BarLength {
  /** CSS pixels. */
  width: number;
  value: number;
  unit: 'nm' | 'µm' | 'mm' | 'px';
}

/**
 * The longest of 1, 2, 5, 10… that fits: `scale` is CSS pixels per image pixel, `pixelSize` µm per image pixel where it is
 * known.
 */
export function barLength(scale: number, pixelSize: number | undefined, longest: number): BarLength {
  const perUnit = pixelSize === undefined ? scale : scale / pixelSize;
  const most = longest / perUnit;
  const power = 10 ** Math.floor(Math.log10(most));
  const steps = [5, 2, 1].map(step => step * power);
  const length = steps.find(step => step <= most * (1 + 1e-9)) ?? power;
  const width = length * perUnit;
  if (pixelSize === undefined) return { width, value: length, unit: 'px' };
  if (length >= 1000) return { width, value: length / 1000, unit: 'mm' };
  if (length < 1) return { width, value: length * 1000, unit: 'nm' };
  return { width, value: length, unit: 'µm' };
}
