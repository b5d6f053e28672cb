/** Six bits of a character of the base64 alphabet (RFC 4648), or −1. */
function sixBits(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43) return 62;
  return code === 47 ? 63 : -1;
}

/**
 * Decodes base64 text (RFC 4648; line breaks inside and missing padding are let pass), or gives undefined when the
 * text is not base64.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  let padding = 0;
  while (end > 0 && padding < 2 && text.charCodeAt(end - 1) === 61) {
    end--;
    padding++;
  }
  const bytes = new Uint8Array(Math.floor((end * 3) / 4));
  let count = 0;
  let bits = 0;
  let held = 0;
  let characters = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) continue;
    const value = sixBits(code);
    if (value < 0) return undefined;
    characters++;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[count++] = (held >> bits) & 0xff;
    }
  }
  if (characters % 4 === 1 || (padding > 0 && (characters + padding) % 4 !== 0)) return undefined;
  return bytes.slice(0, count);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 (RFC 4648, padded) of ASCII text. Throws when a character is not ASCII. */
export function encodeBase64(ascii: string): string {
  let text = '';
  for (let i = 0; i < ascii.length; i += 3) {
    const a = ascii.charCodeAt(i);
    const b = i + 1 < ascii.length ? ascii.charCodeAt(i + 1) : 0;
    const c = i + 2 < ascii.length ? ascii.charCodeAt(i + 2) : 0;
    if ((a | b | c) > 127) throw new RangeError('Only ASCII text can be encoded');
    text += ALPHABET.charAt(a >> 2) + ALPHABET.charAt(((a & 3) << 4) | (b >> 4));
    text += i + 1 < ascii.length ? ALPHABET.charAt(((b & 15) << 2) | (c >> 6)) : '=';
    text += i + 2 < ascii.length ? ALPHABET.charAt(c & 63) : '=';
  }
  return text;
}
