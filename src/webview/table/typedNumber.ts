/** A number as typed, with a point or a decimal comma; null for nothing, undefined for anything else. */
export function typedNumber(typed: string): number | null | undefined {
  const plain = typed.trim().replace(/^([^.,]*),([^.,]*)$/, '$1.$2');
  if (plain === '') return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}
