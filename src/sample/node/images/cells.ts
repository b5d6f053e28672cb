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
  /** Heights and phases of its outline's waves, two per turn, three, …, as shares of the radius. */
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
 * Scatters up to `count` cells over width × height pixels, at least `gap` radii apart and clear of
 * those `taken`.
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

/** Grows clusters: with the given chance, again and again, a cell gets one that only it touches. */
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
 * Depth of a point in a cell: 1 at the center, 0 on the outline, negative outside, in units of the
 * radius in its direction; may be −Infinity where less than `least`.
 */
function depthsIn(
  { x, y, radius, elongation, angle, waves }: Cell,
  least: number,
): (x: number, y: number) => number {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const stretch = Math.sqrt(elongation);
  // Most points around a cell are farther out than its highest wave: they need no trigonometry.
  const farthest = radius * (1 + waves.reduce((sum, { height }) => sum + Math.abs(height), 0)) * (1 - least);
  const beyond = farthest * farthest * 1.000_001;
  return (atX, atY) => {
    const dx = atX - x;
    const dy = atY - y;
    const along = (dx * cos + dy * sin) / stretch;
    const across = (dy * cos - dx * sin) * stretch;
    if (along * along + across * across > beyond) return -Infinity;
    const direction = Math.atan2(across, along);
    let outline = radius;
    let turns = 2;
    for (const { height, phase } of waves) outline += radius * height * Math.cos(turns++ * direction + phase);
    return 1 - Math.sqrt(along * along + across * across) / outline;
  };
}

/** One channel of an image being drawn: light per pixel, row-major. */
export interface Plane {
  width: number;
  height: number;
  light: Float32Array;
}

export function newPlane(width: number, height: number, background = 0): Plane {
  return { width, height, light: new Float32Array(width * height).fill(background) };
}

/**
 * Draws a cell: calls `shade` with the depth of each pixel (0 on the outline, 1 at the center) and
 * how much of the pixel it covers (0…1, with an outline `softness` pixels wide), and takes the
 * maximum of the present value and what it returns.
 */
export function drawCell(
  plane: Plane,
  cell: Cell,
  softness: number,
  shade: (depth: number, cover: number, x: number, y: number) => number,
): void {
  const { width, height, light } = plane;
  const depthAt = depthsIn(cell, (-0.5 * softness) / cell.radius);
  const reach = cell.radius * Math.sqrt(cell.elongation) * 1.4 + 2 * softness;
  for (let y = Math.max(0, Math.floor(cell.y - reach)); y < Math.min(height, cell.y + reach); y++) {
    for (let x = Math.max(0, Math.floor(cell.x - reach)); x < Math.min(width, cell.x + reach); x++) {
      const depth = depthAt(x + 0.5, y + 0.5);
      const edge = Math.min(1, Math.max(0, (depth * cell.radius) / softness + 0.5));
      if (edge === 0) continue;
      const value = shade(Math.max(0, depth), edge * edge * (3 - 2 * edge), x, y);
      const i = y * width + x;
      light[i] = Math.max(light[i] ?? 0, value);
    }
  }
}

/** A number from 0 to 1 for a point of a grid, the same for every call. */
function gridValue(x: number, y: number, seed: number): number {
  let bits = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 13), 0x297a2d39);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}

/** Cloudy texture from 0 to 1 with grains of about `grain` pixels. */
export function clouds(x: number, y: number, grain: number, seed: number): number {
  const column = Math.floor(x / grain);
  const row = Math.floor(y / grain);
  const u = ease(x / grain - column);
  const v = ease(y / grain - row);
  const top = gridValue(column, row, seed) * (1 - u) + gridValue(column + 1, row, seed) * u;
  const bottom = gridValue(column, row + 1, seed) * (1 - u) + gridValue(column + 1, row + 1, seed) * u;
  return top * (1 - v) + bottom * v;
}

function ease(share: number): number {
  return share * share * (3 - 2 * share);
}

/** A microscope's illumination: 1 at its center (shares of the image), 1 − drop in far corners. */
export function illumination(plane: Plane, center: [x: number, y: number], drop: number): Float32Array {
  const { width, height } = plane;
  const field = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x / width - center[0], y / height - center[1]];
      field[y * width + x] = 1 - drop * Math.min(1, dx * dx + dy * dy);
    }
  }
  return field;
}

/**
 * A camera's image: `photons` counted for light 1 (Poisson), read noise in units of light (normal),
 * scaled to `white` for light 1 and cut to 0…`highest`.
 */
export function expose(
  random: Random,
  plane: Plane,
  {
    photons,
    readNoise,
    white,
    highest,
  }: { photons: number; readNoise: number; white: number; highest: number },
): Float32Array {
  const exposed = new Float32Array(plane.light.length);
  for (let i = 0; i < exposed.length; i++) {
    const seen = random.poisson((plane.light[i] ?? 0) * photons) / photons + readNoise * random.normal();
    exposed[i] = Math.min(highest, Math.max(0, Math.round(seen * white)));
  }
  return exposed;
}

/** Numbers that look random and are the same on every machine: a 32-bit xorshift generator. */
export class Random {
  private state: number;

  constructor(seed: number) {
    // Spreads small seeds over all bits; zero would stay zero.
    this.state = Math.imul(seed + 1, 0x9e3779b1) | 1;
    for (let i = 0; i < 8; i++) this.bits();
  }

  /** From 0 up to, not including, 1. */
  unit(): number {
    return this.bits() / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** Normal, mean 0, standard deviation 1; Irwin–Hall, which is fast and good enough for noise. */
  normal(): number {
    let sum = 0;
    let { state } = this;
    // Six sums of two 16-bit halves: twelve uniform numbers have variance 1.
    for (let i = 0; i < 6; i++) {
      state = following(state);
      sum += (state >>> 16) + (state & 0xffff);
    }
    this.state = state;
    return sum / 65_536 - 6;
  }

  /** Number of photons where `mean` are expected (Poisson; for many, its normal approximation). */
  poisson(mean: number): number {
    if (mean <= 0) return 0;
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const limit = Math.exp(-mean);
    let count = -1;
    let { state } = this;
    for (let product = 1; product > limit; count++) {
      state = following(state);
      product *= (state >>> 0) / 2 ** 32;
    }
    this.state = state;
    return count;
  }

  private bits(): number {
    this.state = following(this.state);
    return this.state >>> 0;
  }
}

/** The state of 32 bits that comes after another. */
function following(state: number): number {
  let bits = state ^ (state << 13);
  bits ^= bits >>> 17;
  return bits ^ (bits << 5);
}
