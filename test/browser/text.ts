/**
 * Matches an accessible name that begins with `text` as whole words; trees append descriptions and
 * decorations.
 */
export function startsWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`);
}
