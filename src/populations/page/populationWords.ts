/** A share with as many digits as mean something: 0.04%, 3.2%, 57%. */
export function percent(part: number, of: number, locale?: string): string {
  if (!(of > 0)) return '–';
  const value = (100 * part) / of;
  const digits = value === 0 || value >= 10 ? 0 : value >= 1 ? 1 : 2;
  // A part is never shown as 100%, and something never as 0%.
  const shown = part < of && value > 99 ? Math.min(value, 99.99) : value;
  const decimals = part < of && value > 99 ? 2 : digits;
  const least = part > 0 ? Math.max(shown, 0.01) : shown;
  return `${least.toLocaleString(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })}%`;
}
