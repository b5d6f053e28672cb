/** Characters of the name of a column that is in no file. */
export const MAX_COLUMN_NAME = 200;

/**
 * A name for a column of facts of images that no other column has, regardless of case. It never
 * hides a column of the table: "Area" becomes "Area (image)".
 */
export function imageColumnName(proposedName: string, existingNames: Iterable<string>): string {
  const takenNames = new Set(Array.from(existingNames, name => name.trim().toLowerCase()));
  const name = proposedName.trim().slice(0, MAX_COLUMN_NAME);
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? name : number === 1 ? `${name} (image)` : `${name} (image ${number})`;
    if (!takenNames.has(candidate.toLowerCase())) return candidate;
  }
}
