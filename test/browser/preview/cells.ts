import { seededNumbers } from './seededNumbers';

/** A made-up cell: an ellipse, in image pixels. */
export interface Cell {
  x: number;
  y: number;
  long: number;
  short: number;
  angle: number;
  kind: number;
  brightness: number;
  /** What its angle comes to. */
  turned: { cos: number; sin: number; cosOfWobble: number; sinOfWobble: number };
}

/**
 * Cells at random places, the larger first, so that the smaller lie on top. A few overlap on
 * purpose.
 */
export function makeCells(count: number, width: number, height: number, seed: number): Cell[] {
  const random = seededNumbers(seed);
  const cells: Cell[] = [];
  for (let tries = 0; cells.length < count && tries < count * 60; tries++) {
    const kind = random() < 0.72 ? 0 : random() < 0.6 ? 1 : 2;
    const short = kind === 2 ? 3 + random() * 3 : 8 + random() * 7;
    const place = {
      x: random() * width,
      y: random() * height,
      long: short * (1 + random() * (kind === 1 ? 1.1 : 0.5)),
    };
    const angle = random() * Math.PI;
    const brightness = 0.45 + random() * 0.5;
    const crowded = cells.some(
      other => (other.x - place.x) ** 2 + (other.y - place.y) ** 2 < ((other.long + place.long) * 0.78) ** 2,
    );
    if (crowded && random() >= 0.004) continue;
    const turned = {
      cos: Math.cos(angle),
      sin: Math.sin(angle),
      cosOfWobble: Math.cos(angle * 5),
      sinOfWobble: Math.sin(angle * 5),
    };
    cells.push({ ...place, short, angle, kind, brightness, turned });
  }
  return cells.sort((a, b) => b.long * b.short - a.long * a.short);
}

/** The same cells in an image that is so many times smaller. */
export function smaller(cells: readonly Cell[], times: number): readonly Cell[] {
  if (times === 1) return cells;
  return cells.map(cell => ({
    ...cell,
    x: cell.x / times,
    y: cell.y / times,
    long: cell.long / times,
    short: cell.short / times,
  }));
}

/** 0 in the middle of a cell, 1 on its border, more outside. */
export function depth(cell: Cell, x: number, y: number): number {
  const { cos, sin, cosOfWobble, sinOfWobble } = cell.turned;
  const dx = x - cell.x;
  const dy = y - cell.y;
  const along = (dx * cos + dy * sin) / cell.long;
  const across = (dy * cos - dx * sin) / cell.short;
  const radius = Math.sqrt(along * along + across * across);
  if (radius === 0) return 0;
  // The sine of three times the angle at which the place is seen, and more. Every test of the page
  // waits for this.
  const c = along / radius;
  const s = across / radius;
  const wave = s * (3 - 4 * s * s) * cosOfWobble + c * (4 * c * c - 3) * sinOfWobble;
  return radius / (1 + 0.06 * wave);
}

export function boxOf(cell: Cell, width: number, height: number): [number, number, number, number] {
  const reach = cell.long * 1.1;
  return [
    Math.max(0, Math.floor(cell.x - reach)),
    Math.max(0, Math.floor(cell.y - reach)),
    Math.min(width, Math.ceil(cell.x + reach)),
    Math.min(height, Math.ceil(cell.y + reach)),
  ];
}

/**
 * A background image of the cells: fluorescence (light on dark) or stained bright field. RGBA,
 * row-major.
 */
export function paintCells(
  cells: readonly Cell[],
  width: number,
  height: number,
  stain: 'fluorescence' | 'bright-field',
): Uint8ClampedArray {
  const light = new Float32Array(width * height);
  for (const cell of cells) {
    const [x1, y1, x2, y2] = boxOf({ ...cell, long: cell.long * 1.4 }, width, height);
    for (let y = y1; y < y2; y++) {
      for (let x = x1; x < x2; x++) {
        const d = depth(cell, x + 0.5, y + 0.5);
        if (d > 1.5) continue;
        const at = y * width + x;
        const edge = 1 / (1 + Math.exp((d - 1) * 9));
        const texture = 0.85 + 0.15 * Math.sin(x * 0.9 + cell.angle * 9) * Math.sin(y * 0.8);
        light[at] = Math.max(light[at] ?? 0, edge * cell.brightness * texture);
      }
    }
  }
  const random = seededNumbers(99);
  // A prime number of them, repeated, so that no pattern is seen.
  const noises = Float32Array.from({ length: 65_521 }, () => (random() + random() + random() - 1.5) * 0.05);
  const out = new Uint8ClampedArray(width * height * 4);
  const isDark = stain === 'fluorescence';
  for (let i = 0; i < light.length; i++) {
    const y = Math.floor(i / width);
    const uneven = 0.06 * (1 - (i - y * width) / width) + 0.05 * (1 - y / height);
    const value = (light[i] as number) + (noises[i % noises.length] as number);
    out[i * 4] = 255 * (isDark ? value + uneven : 0.93 - value * 0.55 - uneven);
    out[i * 4 + 1] = 255 * (isDark ? value + uneven : 0.86 - value * 0.72 - uneven);
    out[i * 4 + 2] = 255 * (isDark ? value + uneven : 0.92 - value * 0.38 - uneven);
    out[i * 4 + 3] = 255;
  }
  return out;
}
