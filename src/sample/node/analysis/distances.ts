/** Larger distances are cut to this one. Objects to split are thinner, and squares stay exact. */
const MAX_DISTANCE = 4095;

/**
 * Squared Euclidean distance of each pixel of a row-major mask (1 is inside) to the nearest pixel
 * outside, exact up to 4095 pixels; 0 outside. The area beyond the image's border doesn't count as
 * outside. Takes linear time (the two phases of Meijster, Roerdink and Hesselink).
 */
export function squaredDistances(mask: Uint8Array, width: number, height: number): Int32Array {
  const vertical = new Uint16Array(width * height);
  for (let x = 0; x < width; x++) {
    let distance = MAX_DISTANCE;
    for (let i = x; i < vertical.length; i += width) {
      distance = mask[i] === 1 ? Math.min(distance + 1, MAX_DISTANCE) : 0;
      vertical[i] = distance;
    }
    distance = MAX_DISTANCE;
    for (let i = vertical.length - width + x; i >= 0; i -= width) {
      distance = mask[i] === 1 ? Math.min(distance + 1, MAX_DISTANCE) : 0;
      if (distance < (vertical[i] ?? 0)) vertical[i] = distance;
    }
  }
  const squared = new Int32Array(width * height);
  const sites = new Int32Array(width);
  const starts = new Int32Array(width);
  for (let y = 0; y < height; y++) lowerEnvelope(vertical, squared, y * width, width, sites, starts);
  return squared;
}

/** Sets one row to the lowest of the parabolas (x − site)² + vertical(site)² at each x. */
function lowerEnvelope(
  vertical: Uint16Array,
  squared: Int32Array,
  row: number,
  width: number,
  sites: Int32Array,
  starts: Int32Array,
): void {
  const heightAt = (x: number, site: number) => (x - site) ** 2 + (vertical[row + site] ?? 0) ** 2;
  let last = 0;
  sites[0] = 0;
  starts[0] = 0;
  for (let x = 1; x < width; x++) {
    while (last >= 0 && heightAt(starts[last] ?? 0, sites[last] ?? 0) > heightAt(starts[last] ?? 0, x))
      last--;
    if (last < 0) {
      last = 0;
      sites[0] = x;
      starts[0] = 0;
      continue;
    }
    const site = sites[last] ?? 0;
    const difference = (vertical[row + x] ?? 0) ** 2 - (vertical[row + site] ?? 0) ** 2;
    const start = 1 + Math.floor((x * x - site * site + difference) / (2 * (x - site)));
    if (start < width) {
      last++;
      sites[last] = x;
      starts[last] = start;
    }
  }
  for (let x = width - 1; x >= 0; x--) {
    squared[row + x] = Math.min(heightAt(x, sites[last] ?? 0), MAX_DISTANCE * MAX_DISTANCE);
    if (x === starts[last]) last--;
  }
}
