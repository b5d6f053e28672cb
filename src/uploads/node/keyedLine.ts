/** Parses a line `["key", {…}]`; undefined if it is damaged. */
export function parseKeyedLine(line: string): [key: string, fields: Record<string, unknown>] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const [key, fields] = value as unknown[];
  if (typeof key !== 'string' || typeof fields !== 'object' || fields === null) return undefined;
  return [key, fields as Record<string, unknown>];
}
