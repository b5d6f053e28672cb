/** Hides what must not be read in a log: the known keys, by their masks, and what follows the path of every link (its signature). */
export function maskSecrets(text: string, masks: Iterable<(text: string) => string>): string {
  let masked = text;
  for (const mask of masks) masked = mask(masked);
  return masked.replace(/[^\s"'<>]+/g, withoutQuery);
}

/** Also of a link without a scheme, such as //host/path?signature=…. */
function withoutQuery(word: string): string {
  const query = word.search(/[?#]/);
  if (query === -1) return word;
  const isLink = /^https?:\/\//i.test(word) || /[^\w]https?:\/\//i.test(word);
  return isLink || word.includes('=', query) ? `${word.slice(0, query)}?•••` : word;
}
