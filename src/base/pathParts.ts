/** Slash-separated parts of a path in Unicode's composed form: macOS decomposes accents. */
export function pathParts(path: string): string[] {
  return path
    .normalize('NFC')
    .split(/[\\/]+/)
    .filter(part => part !== '' && part !== '.');
}

/** Number of equal parts at the end of two paths. */
export function commonSuffix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length])
    length++;
  return length;
}
