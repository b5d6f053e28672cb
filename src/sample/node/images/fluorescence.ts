import {
  type Cell,
  clouds,
  cluster,
  drawCell,
  expose,
  illumination,
  type Kind,
  newPlane,
  type Plane,
  Random,
  scatter,
} from './cells';

/** An image of one channel, its samples ready to be written. */
export interface GraySamples {
  width: number;
  height: number;
  samples: Float32Array;
}

const NUCLEI: Kind = { radius: [12, 18], elongation: [1, 1.45], roughness: 0.09 };

/** A nucleus: brighter inside, grainy chromatin, a few dark nucleoli, an edge as soft as the optics. */
function drawNucleus(plane: Plane, random: Random, cell: Cell, brightness: number, softness: number): void {
  const nucleoli = Array.from({ length: Math.floor(random.between(1, 4)) }, () => {
    const direction = random.between(0, 2 * Math.PI);
    const distance = cell.radius * random.between(0.1, 0.55);
    return {
      x: cell.x + distance * Math.cos(direction),
      y: cell.y + distance * Math.sin(direction),
      size: cell.radius * random.between(0.11, 0.19),
    };
  });
  // Out of focus there is no fine texture left.
  const texture = softness > 6 ? 0.1 : 0.34;
  drawCell(plane, cell, softness, (depth, cover, x, y) => {
    const chromatin = 0.6 * clouds(x, y, 4.3, cell.seed) + 0.4 * clouds(x, y, 2.1, cell.seed + 7);
    let body = 0.84 + 0.16 * Math.sqrt(Math.min(1, 2 * depth)) + texture * (chromatin - 0.5);
    for (const { x: spotX, y: spotY, size } of nucleoli) {
      const distance = ((x + 0.5 - spotX) ** 2 + (y + 0.5 - spotY) ** 2) / (size * size);
      body *= 1 - texture * Math.exp(-distance);
    }
    return brightness * body * cover;
  });
}

/** Adds faint, cloudy light between the cells and lets the lamp fall on everything. */
function addBackground(plane: Plane, level: number, light: Float32Array, seed: number): void {
  const { width } = plane;
  for (let i = 0; i < plane.light.length; i++) {
    const haze = level * (0.9 + 0.2 * clouds(i % width, Math.floor(i / width), 110, seed));
    plane.light[i] = ((plane.light[i] ?? 0) + haze) * (light[i] ?? 1);
  }
}

/** Well separated nuclei of many sizes and brightnesses, a few pairs that touch. */
export function nuclei(): GraySamples {
  const random = new Random(11);
  const plane = newPlane(768, 768);
  const founders = scatter(random, NUCLEI, 84, plane.width, plane.height, 0.35);
  for (const cell of cluster(random, NUCLEI, founders, 0.16)) {
    drawNucleus(plane, random, cell, random.between(0.45, 0.95), 2.4);
  }
  addBackground(plane, 0.06, illumination(plane, [0.5, 0.5], 0.25), 5);
  return {
    ...plane,
    samples: expose(random, plane, { photons: 220, readNoise: 0.008, white: 235, highest: 255 }),
  };
}

/** A crowded field: chains and clumps of touching nuclei. */
export function touchingNuclei(): GraySamples {
  const random = new Random(23);
  const plane = newPlane(1024, 1024);
  const kind: Kind = { radius: [13, 17.5], elongation: [1, 1.25], roughness: 0.06 };
  const founders = scatter(random, kind, 105, plane.width, plane.height, 0.6);
  for (const cell of cluster(random, kind, founders, 0.62)) {
    drawNucleus(plane, random, cell, random.between(0.55, 0.95), 2.2);
  }
  addBackground(plane, 0.07, illumination(plane, [0.48, 0.52], 0.3), 6);
  return {
    ...plane,
    samples: expose(random, plane, { photons: 180, readNoise: 0.01, white: 235, highest: 255 }),
  };
}

/** The lamp is off center: one corner is bright even where nothing is, the other in the dark. */
export function unevenLight(): GraySamples {
  const random = new Random(37);
  const plane = newPlane(768, 768);
  const founders = scatter(random, NUCLEI, 90, plane.width, plane.height, 0.4);
  for (const cell of cluster(random, NUCLEI, founders, 0.2)) {
    drawNucleus(plane, random, cell, random.between(0.4, 0.65), 2.4);
  }
  addBackground(plane, 0.36, illumination(plane, [0.18, 0.2], 0.78), 8);
  return {
    ...plane,
    samples: expose(random, plane, { photons: 200, readNoise: 0.008, white: 235, highest: 255 }),
  };
}

/** Sixteen bits: bright nuclei beside dim ones a tenth as bright, and some far out of focus. */
export function dimAndBlurredNuclei(): GraySamples {
  const random = new Random(41);
  const plane = newPlane(640, 640);
  const sharp = scatter(random, NUCLEI, 46, plane.width, plane.height, 0.4);
  const blurred = scatter(random, { ...NUCLEI, radius: [17, 22] }, 9, plane.width, plane.height, 0.5, sharp);
  for (const cell of blurred) drawNucleus(plane, random, cell, random.between(0.1, 0.16), 17);
  for (const cell of sharp) {
    const dim = random.unit() < 0.3;
    drawNucleus(plane, random, cell, dim ? random.between(0.22, 0.32) : random.between(0.5, 0.95), 2.4);
  }
  addBackground(plane, 0.03, illumination(plane, [0.5, 0.45], 0.3), 9);
  const camera = { photons: 900, readNoise: 0.003, white: 42_000, highest: 65_535 };
  return { ...plane, samples: expose(random, plane, camera) };
}

/** Beads of two sizes, smooth and round, some side by side. */
export function beads(): GraySamples {
  const random = new Random(53);
  const plane = newPlane(640, 640);
  const small: Kind = { radius: [5.5, 7], elongation: [1, 1.03], roughness: 0 };
  const large: Kind = { radius: [15, 17], elongation: [1, 1.03], roughness: 0 };
  const bigOnes = scatter(random, large, 26, plane.width, plane.height, 0.5);
  const smallOnes = cluster(random, small, scatter(random, small, 60, 640, 640, 0.9, bigOnes), 0.2).filter(
    cell => bigOnes.every(big => Math.hypot(big.x - cell.x, big.y - cell.y) > big.radius + cell.radius + 3),
  );
  for (const cell of [...bigOnes, ...smallOnes]) {
    const brightness = random.between(0.6, 0.9);
    drawCell(plane, cell, 2.2, (depth, cover) => brightness * (0.75 + 0.25 * Math.sqrt(depth)) * cover);
  }
  addBackground(plane, 0.04, illumination(plane, [0.5, 0.5], 0.2), 12);
  return {
    ...plane,
    samples: expose(random, plane, { photons: 300, readNoise: 0.006, white: 240, highest: 255 }),
  };
}

/** Nothing but haze and noise: a field without cells is a result, too. */
export function emptyField(): GraySamples {
  const random = new Random(61);
  const plane = newPlane(512, 512);
  addBackground(plane, 0.09, illumination(plane, [0.5, 0.5], 0.3), 14);
  return {
    ...plane,
    samples: expose(random, plane, { photons: 200, readNoise: 0.01, white: 235, highest: 255 }),
  };
}
