/** Six bits of a character of the base64 alphabet (RFC 4648), or −1. */
function sixBits(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43) return 62;
  return code === 47 ? 63 : -1;
}

/**
 * Decodes base64 text (RFC 4648; line breaks inside it and missing padding are accepted). Returns undefined
 * when the text isn't base64.
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
  let pending = 0;
  let characters = 0;
  for (let i = 0; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || code === 13) continue;
    const value = sixBits(code);
    if (value < 0) return undefined;
    characters++;
    pending = ((pending << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[count++] = (pending >> bits) & 0xff;
    }
  }
  if (characters % 4 === 1 || (padding > 0 && (characters + padding) % 4 !== 0)) return undefined;
  return bytes.slice(0, count);
}
