import type { Random } from './random';

/** One round thing in an image. */
export interface Cell {
  x: number;
  y: number;
  /** Mean radius in pixels. */
  radius: number;
  /** Long axis by short axis. */
  elongation: number;
  /** Direction of the long axis, radians. */
  angle: number;
  /** Height and phase of the waves in its outline, two to a turn, three to a turn, …, as a share of the radius. */
  waves: { height: number; phase: number }[];
  /** Where its texture is taken from. */
  seed: number;
}

/** How cells of one kind vary. */
export interface Kind {
  radius: [least: number, most: number];
  elongation: [least: number, most: number];
  /** Unevenness of the outline, 0 for none. */
  roughness: number;
}

function newCell(random: Random, kind: Kind, x: number, y: number): Cell {
  return {
    x,
    y,
    radius: random.between(...kind.radius),
    elongation: random.between(...kind.elongation),
    angle: random.between(0, Math.PI),
    waves: [2, 3, 4, 5].map(n => ({
      height: (kind.roughness * random.between(0.3, 1)) / n,
      phase: random.between(0, 2 * Math.PI),
    })),
    seed: Math.floor(random.between(0, 1e6)),
  };
}

/**
 * Scatters up to `count` cells over width × height pixels, apart by `gap` radii more than touching, and clear of those
 * that are `taken`.
 */
export function scatter(
  random: Random,
  kind: Kind,
  count: number,
  width: number,
  height: number,
  gap: number,
  taken: readonly Cell[] = [],
): Cell[] {
  const cells: Cell[] = [];
  for (let tries = 0; tries < count * 30 && cells.length < count; tries++) {
    const cell = newCell(random, kind, random.between(0, width), random.between(0, height));
    const reach = (other: Cell) => (cell.radius + other.radius) * (1 + gap);
    const free = (other: Cell) => Math.hypot(cell.x - other.x, cell.y - other.y) > reach(other);
    if (cells.every(free) && taken.every(free)) cells.push(cell);
  }
  return cells;
}

/** Grows clusters: to each cell, with the given chance again and again, one that touches it and no other. */
export function cluster(random: Random, kind: Kind, founders: readonly Cell[], chance: number): Cell[] {
  const cells = [...founders];
  for (const parent of founders) {
    let last = parent;
    while (random.unit() < chance) {
      const direction = random.between(0, 2 * Math.PI);
      const cell = newCell(random, kind, 0, 0);
      const distance = (last.radius + cell.radius) * random.between(0.88, 0.98);
      cell.x = last.x + distance * Math.cos(direction);
      cell.y = last.y + distance * Math.sin(direction);
      const touched = last;
      const crowded = cells.some(
        other =>
          other !== touched &&
          Math.hypot(cell.x - other.x, cell.y - other.y) < 1.1 * (cell.radius + other.radius),
      );
      if (crowded) continue;
      cells.push(cell);
      last = cell;
    }
  }
  return cells;
}

/**
 * Tells how deep a point lies in a cell: 1 at the center, 0 on the outline, negative outside; in units of the radius in
 * that direction.
 */
export function depthsIn({ x, y, radius, elongation, angle, waves }: Cell): (x: number, y: number) => number {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const stretch = Math.sqrt(elongation);
  return (atX, atY) => {
    const dx = atX - x;
    const dy = atY - y;
    const along = (dx * cos + dy * sin) / stretch;
    const across = (dy * cos - dx * sin) * stretch;
    const direction = Math.atan2(across, along);
    let outline = radius;
    let turns = 2;
    for (const { height, phase } of waves) outline += radius * height * Math.cos(turns++ * direction + phase);
    return 1 - Math.sqrt(along * along + across * across) / outline;
  };
}
