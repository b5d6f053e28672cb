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

/** An RGB image of 8 bits, interleaved. */
export interface ColorSamples {
  width: number;
  height: number;
  samples: Uint8Array;
}

type Color = readonly [red: number, green: number, blue: number];

/** How much red, green and blue light the stains of a blood smear absorb. */
const HEMOGLOBIN: Color = [0.16, 0.62, 0.42];
const AZURE: Color = [1, 0.95, 0.35];
const PLASMA: Color = [0.35, 0.42, 0.12];

/** Combines three planes to interleaved bytes, each exposed by the same camera. */
function photograph(random: Random, planes: readonly [Plane, Plane, Plane], photons: number): ColorSamples {
  const [{ width, height }] = planes;
  const samples = new Uint8Array(width * height * 3);
  planes.forEach((plane, channel) => {
    const exposed = expose(random, plane, { photons, readNoise: 0.006, white: 240, highest: 255 });
    exposed.forEach((sample, i) => (samples[i * 3 + channel] = sample));
  });
  return { width, height, samples };
}

/** A stained blood smear in transmitted light: red cells with their pale centers, white cells with lobed nuclei. */
export function bloodSmear(): ColorSamples {
  const random = new Random(71);
  const size = 640;
  const red: Kind = { radius: [17, 20.5], elongation: [1, 1.12], roughness: 0.025 };
  const white = scatter(
    random,
    { radius: [27, 31], elongation: [1, 1.1], roughness: 0.04 },
    4,
    size,
    size,
    1.2,
  );
  const redCells = cluster(random, red, scatter(random, red, 78, size, size, 0.25, white), 0.2).filter(cell =>
    white.every(
      other => Math.hypot(other.x - cell.x, other.y - cell.y) > (other.radius + cell.radius) * 1.08,
    ),
  );
  const hemoglobin = newPlane(size, size);
  for (const cell of redCells) {
    const density = random.between(0.8, 1);
    drawCell(hemoglobin, cell, 2.2, (depth, cover) => {
      // Thinner in the middle, as a biconcave disk.
      const pallor = 0.42 * Math.max(0, 1 - ((1 - depth) / 0.62) ** 2);
      return 0.46 * density * (1 - pallor) * cover;
    });
  }
  const plasma = newPlane(size, size);
  const azure = newPlane(size, size);
  for (const cell of white) drawWhiteCell(random, cell, plasma, azure);
  const light = illumination(hemoglobin, [0.55, 0.45], 0.16);
  const transmitted = ([0, 1, 2] as const).map(channel => {
    const plane = newPlane(size, size);
    for (let i = 0; i < plane.light.length; i++) {
      const density =
        (hemoglobin.light[i] ?? 0) * HEMOGLOBIN[channel] +
        (plasma.light[i] ?? 0) * PLASMA[channel] +
        (azure.light[i] ?? 0) * AZURE[channel];
      plane.light[i] = (light[i] ?? 1) * (channel === 2 ? 0.97 : 1) * 10 ** -density;
    }
    return plane;
  });
  const [r, g, b] = transmitted;
  if (!r || !g || !b) throw new RangeError('A color image has three channels');
  return photograph(random, [r, g, b], 1400);
}

/** A pale body and a nucleus of three or four lobes. */
function drawWhiteCell(random: Random, cell: Cell, plasma: Plane, azure: Plane): void {
  drawCell(plasma, cell, 2.6, (_, cover, x, y) => 0.3 * (0.85 + 0.3 * clouds(x, y, 3, cell.seed)) * cover);
  const lobes = Math.floor(random.between(3, 5));
  const start = random.between(0, 2 * Math.PI);
  for (let i = 0; i < lobes; i++) {
    const direction = start + i * 1.15;
    const lobe: Cell = {
      ...cell,
      x: cell.x + 0.36 * cell.radius * Math.cos(direction),
      y: cell.y + 0.36 * cell.radius * Math.sin(direction),
      radius: cell.radius * random.between(0.3, 0.36),
      elongation: 1.2,
      angle: direction + Math.PI / 2,
    };
    drawCell(
      azure,
      lobe,
      2.4,
      (_, cover, x, y) => 0.62 * (0.8 + 0.4 * clouds(x, y, 3.5, cell.seed + 3)) * cover,
    );
  }
}

/** Two stains, as a merged image shows them: nuclei in cyan, the cell bodies around them in orange. */
export function twoStains(): ColorSamples {
  const random = new Random(83);
  const size = 640;
  const kind: Kind = { radius: [12.5, 16], elongation: [1.05, 1.4], roughness: 0.06 };
  const cells = cluster(random, kind, scatter(random, kind, 46, size, size, 0.75), 0.25);
  const nuclear = newPlane(size, size);
  const body = newPlane(size, size);
  for (const cell of cells) {
    const brightness = random.between(0.7, 0.95);
    drawCell(nuclear, cell, 2.4, (depth, cover, x, y) => {
      const chromatin = clouds(x, y, 4, cell.seed) - 0.5;
      return brightness * (0.85 + 0.15 * Math.sqrt(Math.min(1, 2 * depth)) + 0.28 * chromatin) * cover;
    });
    const spread: Cell = {
      ...cell,
      radius: cell.radius * random.between(1.9, 2.4),
      elongation: cell.elongation * 1.2,
      waves: cell.waves.map(({ height, phase }) => ({ height: height * 2.6, phase: phase + 1 })),
    };
    const strength = random.between(0.25, 0.42);
    drawCell(body, spread, 5, (depth, cover, x, y) => {
      const fibres = 0.65 * clouds(x + 3 * clouds(x, y, 14, 3) * 6, y * 0.45, 5, cell.seed + 1) + 0.35;
      return strength * (0.5 + 0.5 * depth) * (0.55 + 0.7 * fibres) * cover;
    });
  }
  const light = illumination(nuclear, [0.5, 0.5], 0.3);
  const mixed = ([0, 1, 2] as const).map(channel => {
    const plane = newPlane(size, size);
    const cyan = [0.08, 0.72, 0.95][channel] ?? 0;
    const orange = [0.98, 0.26, 0.05][channel] ?? 0;
    for (let i = 0; i < plane.light.length; i++) {
      const nucleus = nuclear.light[i] ?? 0;
      // The body is mostly beside the nucleus, not over it.
      const around = (body.light[i] ?? 0) * (1 - 0.7 * Math.min(1, 2 * nucleus));
      plane.light[i] = (0.03 + nucleus * cyan + around * orange) * (light[i] ?? 1);
    }
    return plane;
  });
  const [r, g, b] = mixed;
  if (!r || !g || !b) throw new RangeError('A color image has three channels');
  return photograph(random, [r, g, b], 300);
}
