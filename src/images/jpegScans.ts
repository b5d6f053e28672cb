/**
 * Whether the scans of a Huffman-coded JPEG file, by their headers, bring every coefficient of every channel to its last bit: then
 * a file that ends without its end marker may still have all of its samples. `whole-channel-missing`: decoders show that as gray.
 */
export function scansIn(bytes: Uint8Array): 'all' | 'some' | 'whole-channel-missing' {
  /** Bits that each coefficient still lacks, by channel. */
  const lacking = new Map<number, Uint8Array>();
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    // Data of a scan, fill bytes and restarts.
    if (bytes[at] !== 0xff || marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7)) {
      at++;
      continue;
    }
    const content = bytes.subarray(at + 4);
    const byte = (offset: number) => content[offset] ?? 0;
    if (marker >= 0xc9 && marker <= 0xcb) return 'some';
    if (marker >= 0xc0 && marker <= 0xc2) {
      // Components @5, three bytes each.
      for (let i = 0; i < byte(5); i++) lacking.set(byte(6 + 3 * i), new Uint8Array(64).fill(255));
    } else if (marker === 0xda) {
      // Components @0, two bytes each, then the first and last coefficient, and the bits before and after.
      const count = byte(0);
      const [first, last, bits] = [byte(1 + 2 * count), byte(2 + 2 * count), byte(3 + 2 * count) & 15];
      for (let i = 0; i < count; i++) lacking.get(byte(1 + 2 * i))?.fill(bits, first, last + 1);
    }
    at += 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0));
  }
  const channels = [...lacking.values()];
  if (channels.length === 0 || channels.some(([first]) => first === 255)) return 'whole-channel-missing';
  return channels.every(bits => bits.every(bit => bit === 0)) ? 'all' : 'some';
}
