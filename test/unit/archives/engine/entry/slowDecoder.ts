/**
 * Decodes COCO's compressed runs into a full mask, column-major, one byte a pixel: written for the
 * tests alone, from the description of the format, with a big number for each value and a step for
 * each pixel.
 */
export function slowMask(counts: string, height: number, width: number): Uint8Array {
  const runs: bigint[] = [];
  let bits = '';
  for (const character of counts) {
    const group = (character.charCodeAt(0) - 48).toString(2).padStart(6, '0');
    bits = group.slice(1) + bits;
    if (group.startsWith('1')) continue;
    let value = BigInt(`0b${bits}`);
    if (bits.startsWith('1')) value -= 1n << BigInt(bits.length);
    if (runs.length > 2) value += runs[runs.length - 2] ?? 0n;
    runs.push(value);
    bits = '';
  }
  const mask = new Uint8Array(height * width);
  let at = 0;
  runs.forEach((run, index) => {
    for (let n = 0n; n < run; n++) mask[at++] = index % 2;
  });
  if (at !== mask.length) throw new Error(`The runs sum to ${at} of ${mask.length}`);
  return mask;
}
