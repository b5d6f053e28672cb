/** A hole larger than this share of its object belongs to the object's shape and isn't filled. */
const MAX_HOLE_RATIO = 0.2;

/** Connected components of a mask. */
interface Components {
  /** Label of each pixel: 0 outside the mask, else from 1. */
  labels: Int32Array;
  /** Number of pixels by label. Index 0 is unused. */
  areas: Int32Array;
}

/**
 * Labels the connected pixels of a row-major mask (1 is inside) with 4 or 8 neighbors, in the order
 * of their first pixels. Union-find in two passes, in linear time.
 */
export function labelComponents(
  mask: Uint8Array,
  width: number,
  height: number,
  neighbors: 4 | 8,
): Components {
  const labels = new Int32Array(width * height);
  // A union-find forest: the parent of each label. It grows as labels are added.
  let parents = new Int32Array(1024);
  let count = 0;
  const find = (label: number) => {
    let root = label;
    while (parents[root] !== root) root = parents[root] ?? 0;
    while (parents[label] !== root) {
      const next = parents[label] ?? 0;
      parents[label] = root;
      label = next;
    }
    return root;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (mask[i] !== 1) continue;
      let label = 0;
      const join = (other: number) => {
        if (other === 0) return;
        const root = find(other);
        if (label === 0) label = root;
        else if (root < label) {
          parents[label] = root;
          label = root;
        } else parents[root] = label;
      };
      if (x > 0) join(labels[i - 1] ?? 0);
      if (y > 0) {
        join(labels[i - width] ?? 0);
        if (neighbors === 8 && x > 0) join(labels[i - width - 1] ?? 0);
        if (neighbors === 8 && x < width - 1) join(labels[i - width + 1] ?? 0);
      }
      if (label === 0) {
        label = ++count;
        if (count === parents.length) {
          const larger = new Int32Array(count * 2);
          larger.set(parents);
          parents = larger;
        }
        parents[label] = label;
      }
      labels[i] = label;
    }
  }
  return renumber(
    labels,
    Int32Array.from({ length: count + 1 }, (_, label) => (label === 0 ? 0 : find(label))),
  );
}

/** Numbers the roots 1, 2, … in order, writes the numbers to `labels` and counts the pixels. */
function renumber(labels: Int32Array, roots: Int32Array): Components {
  const numbers = new Int32Array(roots.length);
  let count = 0;
  for (let label = 1; label < roots.length; label++) {
    const root = roots[label] ?? 0;
    numbers[label] = root === label ? ++count : (numbers[root] ?? 0);
  }
  const areas = new Int32Array(count + 1);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] ?? 0;
    if (label === 0) continue;
    const number = numbers[label] ?? 0;
    labels[i] = number;
    areas[number] = (areas[number] ?? 0) + 1;
  }
  return { labels, areas };
}

/** Clears, in place, the components of a mask that have fewer than `minArea` pixels. */
export function removeSmall(mask: Uint8Array, { labels, areas }: Components, minArea: number): void {
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] === 1 && (areas[labels[i] ?? 0] ?? 0) < minArea) mask[i] = 0;
  }
}

/**
 * Fills, in place, the holes of a mask for which `isPartOfObject` is true and that take up at most
 * `MAX_HOLE_RATIO` of the component around them. `isPartOfObject` gets the mean of `values` in the
 * hole and its number of pixels. Holes are 4-connected and do not reach the border.
 */
export function fillHoles(
  { mask, width, height, values }: { mask: Uint8Array; width: number; height: number; values?: Float32Array },
  components: Components,
  isPartOfObject: (mean: number, pixels: number) => boolean = () => true,
): void {
  const outside = mask.map(value => 1 - value);
  const holes = labelComponents(outside, width, height, 4);
  const surroundings = new Int32Array(holes.areas.length);
  const sums = new Float64Array(holes.areas.length);
  const touchesBorder = new Uint8Array(holes.areas.length);
  for (let i = 0; i < mask.length; i++) {
    const hole = holes.labels[i] ?? 0;
    if (hole === 0) continue;
    const x = i % width;
    if (x === 0 || x === width - 1 || i < width || i >= mask.length - width) touchesBorder[hole] = 1;
    // The pixel left of a hole's first pixel belongs to the component around the hole.
    else if (surroundings[hole] === 0) surroundings[hole] = components.labels[i - 1] ?? 0;
    sums[hole] = (sums[hole] ?? 0) + (values?.[i] ?? 0);
  }
  const filled = holes.areas.map((pixels, hole) => {
    if (hole === 0 || touchesBorder[hole] === 1) return 0;
    const isSmall = pixels <= MAX_HOLE_RATIO * (components.areas[surroundings[hole] ?? 0] ?? 0);
    return isSmall && isPartOfObject((sums[hole] ?? 0) / pixels, pixels) ? 1 : 0;
  });
  for (let i = 0; i < mask.length; i++) {
    if (filled[holes.labels[i] ?? 0] === 1) mask[i] = 1;
  }
}

/**
 * Pixel positions by label, ascending: label n has `pixels` from `starts[n]` to `starts[n + 1]`.
 */
interface LabeledPixels {
  pixels: Int32Array;
  starts: Int32Array;
  /** Highest label. */
  count: number;
}

/** Collects pixel positions by label (counting sort), without the background (label 0). */
export function labeledPixels(labels: Int32Array): LabeledPixels {
  let count = 0;
  for (let i = 0; i < labels.length; i++) count = Math.max(count, labels[i] ?? 0);
  const starts = new Int32Array(count + 2);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] ?? 0;
    if (label > 0) starts[label + 1] = (starts[label + 1] ?? 0) + 1;
  }
  for (let label = 1; label < starts.length; label++)
    starts[label] = (starts[label] ?? 0) + (starts[label - 1] ?? 0);
  const pixels = new Int32Array(starts[count + 1] ?? 0);
  const next = starts.slice();
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] ?? 0;
    if (label === 0) continue;
    const slot = next[label] ?? 0;
    pixels[slot] = i;
    next[label] = slot + 1;
  }
  return { pixels, starts, count };
}

/** A rectangle of an image, with the row-major mask of an object in it. */
export interface Crop {
  x: number;
  y: number;
  width: number;
  height: number;
  mask: Uint8Array;
}

/** The smallest rectangle around the given pixels of an image, with those pixels as the mask. */
export function cropOf(positions: Int32Array, imageWidth: number): Crop {
  let x1 = Infinity;
  let x2 = -Infinity;
  for (const position of positions) {
    const x = position % imageWidth;
    if (x < x1) x1 = x;
    if (x > x2) x2 = x;
  }
  // Positions ascend, so the first and the last give the rows.
  const y1 = Math.floor((positions[0] ?? 0) / imageWidth);
  const y2 = Math.floor((positions.at(-1) ?? 0) / imageWidth);
  const width = x2 - x1 + 1;
  const height = y2 - y1 + 1;
  const mask = new Uint8Array(width * height);
  for (const position of positions) {
    const x = position % imageWidth;
    mask[((position - x) / imageWidth - y1) * width + x - x1] = 1;
  }
  return { x: x1, y: y1, width, height, mask };
}
