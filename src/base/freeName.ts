/** Maximum length of a column's name, in characters. */
export const MAX_NAME = 200;

/**
 * A name for a new column that differs from all taken names, ignoring case. If "Area" is taken, it
 * becomes "Area (image)".
 */
export function freeName(requestedName: string, taken: Iterable<string>): string {
  const usedNames = new Set(Array.from(taken, name => name.trim().toLowerCase()));
  const name = requestedName.trim().slice(0, MAX_NAME);
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? name : number === 1 ? `${name} (image)` : `${name} (image ${number})`;
    if (!usedNames.has(candidate.toLowerCase())) return candidate;
  }
}
