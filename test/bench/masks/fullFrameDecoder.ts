/**
 * The peer: what the usual decoder makes of an object's runs, a new mask of the whole image,
 * column-major, one byte per pixel, every pixel written; as fast as possible, with native filling
 * of each run. With `skipZeros` pixels outside aren't written, which moves half of the cost to the
 * first read of the mask.
 */
export function fillFullFrame(
  runs: ArrayLike<number>,
  height: number,
  width: number,
  skipZeros: boolean,
): Uint8Array {
  const mask = new Uint8Array(height * width);
  let position = 0;
  for (let at = 0; at < runs.length; at++) {
    const end = position + (runs[at] ?? 0);
    if ((at & 1) === 1) mask.fill(1, position, end);
    else if (!skipZeros) mask.fill(0, position, end);
    position = end;
  }
  return mask;
}

/** How the peer decodes base64 to runs: native base64, then group by group, without checks. */
export function peerRuns(counts: string): number[] {
  const text = Buffer.from(counts, 'base64');
  const runs: number[] = [];
  for (let at = 0; at < text.length;) {
    let value = 0;
    let shift = 0;
    let code: number;
    do {
      code = (text[at++] ?? 0) - 48;
      value |= (code & 0x1f) << shift;
      shift += 5;
    } while ((code & 0x20) !== 0);
    if ((code & 0x10) !== 0 && shift < 32) value |= -1 << shift;
    runs.push(runs.length > 2 ? value + (runs[runs.length - 2] ?? 0) : value);
  }
  return runs;
}
