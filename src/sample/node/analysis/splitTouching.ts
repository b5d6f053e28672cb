import { squaredDistances } from './distances';

/** Pixels are sorted by distance in steps of an eighth of a pixel. */
const STEPS = 8;

/**
 * Splits touching objects in a row-major mask (1 is inside) at their necks; returns labels from 1.
 * Pixels are flooded from the innermost outwards. Where two basins meet, they stay separate if the
 * lower of their two peaks is at least `depth(peak)` above the meeting point; else they are merged.
 * This finds the h-maxima of the distance transform and their watershed in one pass.
 */
export function splitTouching(
  mask: Uint8Array,
  width: number,
  height: number,
  depth: (peak: number) => number,
): Int32Array {
  const squared = squaredDistances(mask, width, height);
  const order = innermostFirst(squared);
  const labels = new Int32Array(mask.length);
  const basins = new Basins();
  const neighborBasins: number[] = [];
  for (const i of order) {
    const x = i % width;
    const y = (i - x) / width;
    const distance = Math.sqrt(squared[i] ?? 0);
    neighborBasins.length = 0;
    let nearest = 0;
    let nearestDistance = -1;
    for (let dy = y > 0 ? -1 : 0; dy <= (y < height - 1 ? 1 : 0); dy++) {
      for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
        const j = i + dy * width + dx;
        const label = labels[j] ?? 0;
        if (label === 0) continue;
        const root = basins.find(label);
        if (!neighborBasins.includes(root)) neighborBasins.push(root);
        if ((squared[j] ?? 0) > nearestDistance) {
          nearestDistance = squared[j] ?? 0;
          nearest = root;
        }
      }
    }
    if (nearest === 0) {
      labels[i] = basins.add(distance);
      continue;
    }
    labels[i] = nearest;
    for (let a = 0; a < neighborBasins.length; a++) {
      for (let b = a + 1; b < neighborBasins.length; b++)
        basins.meet(neighborBasins[a] ?? 0, neighborBasins[b] ?? 0, distance, depth);
    }
  }
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] ?? 0;
    if (label !== 0) labels[i] = basins.find(label);
  }
  return labels;
}

/** Positions of the pixels inside, by descending distance (bucket sort). */
function innermostFirst(squared: Int32Array): Int32Array {
  const keyOf = (value: number) => Math.floor(Math.sqrt(value) * STEPS);
  let highest = 0;
  for (let i = 0; i < squared.length; i++) highest = Math.max(highest, squared[i] ?? 0);
  const ends = new Int32Array(keyOf(highest) + 2);
  let count = 0;
  for (let i = 0; i < squared.length; i++) {
    const value = squared[i] ?? 0;
    if (value === 0) continue;
    count++;
    const key = keyOf(value);
    ends[key] = (ends[key] ?? 0) + 1;
  }
  let start = 0;
  for (let key = ends.length - 1; key >= 0; key--) {
    const size = ends[key] ?? 0;
    ends[key] = start;
    start += size;
  }
  const order = new Int32Array(count);
  for (let i = 0; i < squared.length; i++) {
    const value = squared[i] ?? 0;
    if (value === 0) continue;
    const key = keyOf(value);
    const slot = ends[key] ?? 0;
    order[slot] = i;
    ends[key] = slot + 1;
  }
  return order;
}

/** Union-find over basins. A basin's peak is the distance of its innermost pixel to the edge. */
class Basins {
  private readonly parents: number[] = [0];
  private readonly peaks: number[] = [0];

  add(peak: number): number {
    this.parents.push(this.parents.length);
    this.peaks.push(peak);
    return this.parents.length - 1;
  }

  find(basin: number): number {
    let root = basin;
    while (this.parents[root] !== root) root = this.parents[root] ?? 0;
    for (let next = basin; next !== root;) {
      const parent = this.parents[next] ?? 0;
      this.parents[next] = root;
      next = parent;
    }
    return root;
  }

  /** Merges two basins that meet at `distance`, unless the lower one is deep enough. */
  meet(a: number, b: number, distance: number, depth: (peak: number) => number): void {
    const first = this.find(a);
    const second = this.find(b);
    if (first === second) return;
    const peakOf = (basin: number) => this.peaks[basin] ?? 0;
    const [deep, shallow] = peakOf(first) >= peakOf(second) ? [first, second] : [second, first];
    if (peakOf(shallow) - distance < depth(peakOf(shallow))) this.parents[shallow] = deep;
  }
}
