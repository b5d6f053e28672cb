/** Letters that may have accents. */
const BEYOND_ASCII = /[^ -~]/;

/**
 * A text whose code unit order is the order people expect of the original: digits count as numbers ("a2" before "a10"),
 * case and accents matter only between texts that are otherwise equal (compare the originals then). Many times faster to
 * compare than by Intl.Collator.
 */
export function naturalKey(text: string): string {
  const plain = !BEYOND_ASCII.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase().replace(/\d+/g, number => {
    const digits = number.replace(/^0+(?=\d)/, '');
    // A digit first, so that numbers stay before letters; then how many digits there are, then the digits.
    return `0${String.fromCharCode(Math.min(digits.length, 0xfff))}${digits}`;
  });
}
