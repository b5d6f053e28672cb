const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+$/;

/**
 * A number as typed, with a point or a decimal comma; null for nothing, undefined for anything else. "1,234" may be meant
 * either way: it is a number only where the table itself has decimal commas.
 */
export function typedNumber(typed: string, decimalComma = false): number | null | undefined {
  const trimmed = typed.trim();
  if (trimmed === '') return null;
  if (!decimalComma && GROUPED.test(trimmed)) return undefined;
  const value = Number(trimmed.replace(/^([^.,]*),([^.,]*)$/, '$1.$2'));
  return Number.isFinite(value) ? value : undefined;
}
