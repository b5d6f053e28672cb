/** A round object in a sample image. */
export interface Cell {
  x: number;
  y: number;
  /** Mean radius in pixels. */
  radius: number;
  /** Long axis by short axis. */
  elongation: number;
  /** Direction of the long axis, radians. */
  angle: number;
  /** Waves of the outline: two per turn, three, … Heights are shares of the radius. */
  waves: { height: number; phase: number }[];
  /** Seed of its random texture. */
  seed: number;
}

/** How cells of one kind vary. */
export interface Kind {
  radius: [min: number, max: number];
  elongation: [min: number, max: number];
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
 * Scatters up to `count` cells over width × height pixels, at least `gap` radii apart from each
 * other and from the cells in `taken`.
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
    const isApart = ({ x, y, radius }: Cell) =>
      Math.hypot(cell.x - x, cell.y - y) > (cell.radius + radius) * (1 + gap);
    if (cells.every(isApart) && taken.every(isApart)) cells.push(cell);
  }
  return cells;
}

/** Grows chains of touching cells: with the given chance, the last cell of a chain gets a next. */
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
      const previous = last;
      const isCrowded = cells.some(
        neighbor =>
          neighbor !== previous &&
          Math.hypot(cell.x - neighbor.x, cell.y - neighbor.y) < 1.1 * (cell.radius + neighbor.radius),
      );
      if (isCrowded) continue;
      cells.push(cell);
      last = cell;
    }
  }
  return cells;
}

/**
 * Returns a function for the depth of a point in a cell: 1 at the center, 0 on the outline,
 * negative outside, in units of the radius in the point's direction. A depth below `minDepth` may
 * be −Infinity.
 */
function depthsIn(
  { x, y, radius, elongation, angle, waves }: Cell,
  minDepth: number,
): (x: number, y: number) => number {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const stretch = Math.sqrt(elongation);
  // Points farther out than the highest wave need no trigonometry.
  const farthest =
    radius * (1 + waves.reduce((sum, { height }) => sum + Math.abs(height), 0)) * (1 - minDepth);
  const maxSquare = farthest * farthest * 1.000_001;
  return (pointX, pointY) => {
    const dx = pointX - x;
    const dy = pointY - y;
    const along = (dx * cos + dy * sin) / stretch;
    const across = (dy * cos - dx * sin) * stretch;
    if (along * along + across * across > maxSquare) return -Infinity;
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
 * Draws a cell. Calls `shade` with the depth of each pixel (0 on the outline, 1 at the center) and
 * the share of the pixel that the cell covers (an outline is `softness` pixels wide). The pixel
 * gets the result of `shade` if it is brighter.
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

/** A pseudo-random number from 0 to 1 for a point of a grid. */
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

/** A microscope's illumination: 1 at `center` (in shares of the image), 1 − drop in far corners. */
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
 * A camera's image of a plane. Light 1 is `photons` counts with Poisson noise, and has the sample
 * value `white`. `readNoise` is a standard deviation in units of light. Samples are 0…`highest`.
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
    const measured = random.poisson((plane.light[i] ?? 0) * photons) / photons + readNoise * random.normal();
    exposed[i] = Math.min(highest, Math.max(0, Math.round(measured * white)));
  }
  return exposed;
}

/** Pseudo-random numbers, the same on every machine: a 32-bit xorshift generator. */
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

  /** Standard normal, approximated by Irwin–Hall, which is fast and good enough for noise. */
  normal(): number {
    let sum = 0;
    let { state } = this;
    // Each state has two uniform 16-bit numbers. The sum of twelve has variance 1.
    for (let i = 0; i < 6; i++) {
      state = nextState(state);
      sum += (state >>> 16) + (state & 0xffff);
    }
    this.state = state;
    return sum / 65_536 - 6;
  }

  /** A Poisson number; for large means, its normal approximation. */
  poisson(mean: number): number {
    if (mean <= 0) return 0;
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const limit = Math.exp(-mean);
    let count = -1;
    let { state } = this;
    for (let product = 1; product > limit; count++) {
      state = nextState(state);
      product *= (state >>> 0) / 2 ** 32;
    }
    this.state = state;
    return count;
  }

  private bits(): number {
    this.state = nextState(this.state);
    return this.state >>> 0;
  }
}

/** The generator's state after the given one. */
function nextState(state: number): number {
  let bits = state ^ (state << 13);
  bits ^= bits >>> 17;
  return bits ^ (bits << 5);
}
