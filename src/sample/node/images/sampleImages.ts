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
import { crc32, deflateSync } from 'node:zlib';

/** An image for new users to try; its file is drawn on each call of `bytes`. */
export interface SampleImage {
  /** File name with slash-separated folders. */
  name: string;
  bytes: () => Uint8Array;
}

/** Images drawn by the sample service, the same on every machine, in the order to try them. */
export function sampleImages(): readonly SampleImage[] {
  return [
    { name: 'nuclei.png', bytes: () => grayPng(nuclei()) },
    { name: 'nuclei-touching.png', bytes: () => grayPng(touchingNuclei()) },
    { name: 'nuclei-uneven-light.png', bytes: () => grayPng(unevenLight()) },
    { name: 'nuclei-dim-16-bit.tif', bytes: () => wideTiff(dimAndBlurredNuclei()) },
    { name: 'cells-two-stains.png', bytes: () => colorPng(twoStains()) },
    { name: 'blood-smear.png', bytes: () => colorPng(bloodSmear()) },
    { name: 'beads-two-sizes.png', bytes: () => grayPng(beads()) },
    { name: 'empty-field.png', bytes: () => grayPng(emptyField()) },
  ];
}

export function grayPng({ width, height, samples }: GraySamples): Uint8Array {
  return pngFile(Uint8Array.from(samples), width, height, 1);
}

function colorPng({ width, height, samples }: ColorSamples): Uint8Array {
  return pngFile(samples, width, height, 3);
}

function wideTiff({ width, height, samples }: GraySamples): Uint8Array {
  return grayTiff(Uint16Array.from(samples), width, height);
}

/** The samples of a gray image file. */
interface GraySamples {
  width: number;
  height: number;
  samples: Float32Array;
}

const NUCLEI: Kind = { radius: [12, 18], elongation: [1, 1.45], roughness: 0.09 };

/** Draws a nucleus: brighter inside, with grainy chromatin, some dark nucleoli and a soft edge. */
export function drawNucleus(
  plane: Plane,
  random: Random,
  cell: Cell,
  brightness: number,
  softness: number,
): void {
  const nucleoli = Array.from({ length: Math.floor(random.between(1, 4)) }, () => {
    const direction = random.between(0, 2 * Math.PI);
    const distance = cell.radius * random.between(0.1, 0.55);
    return {
      x: cell.x + distance * Math.cos(direction),
      y: cell.y + distance * Math.sin(direction),
      size: cell.radius * random.between(0.11, 0.19),
    };
  });
  // A nucleus out of focus has almost no texture.
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

/** Adds faint, cloudy light everywhere, then multiplies the plane by the illumination. */
export function addBackground(plane: Plane, level: number, light: Float32Array, seed: number): void {
  const { width } = plane;
  for (let i = 0; i < plane.light.length; i++) {
    const haze = level * (0.9 + 0.2 * clouds(i % width, Math.floor(i / width), 110, seed));
    plane.light[i] = ((plane.light[i] ?? 0) + haze) * (light[i] ?? 1);
  }
}

/** Well separated nuclei of many sizes and brightnesses, a few pairs that touch. */
function nuclei(): GraySamples {
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
function touchingNuclei(): GraySamples {
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

/** Nuclei under a lamp off center: one corner's background is bright, the opposite corner dark. */
function unevenLight(): GraySamples {
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

/** A 16-bit image with bright nuclei, dim nuclei, and some far out of focus. */
function dimAndBlurredNuclei(): GraySamples {
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
function beads(): GraySamples {
  const random = new Random(53);
  const plane = newPlane(640, 640);
  const small: Kind = { radius: [5.5, 7], elongation: [1, 1.03], roughness: 0 };
  const large: Kind = { radius: [15, 17], elongation: [1, 1.03], roughness: 0 };
  const largeBeads = scatter(random, large, 26, plane.width, plane.height, 0.5);
  const smallBeads = cluster(
    random,
    small,
    scatter(random, small, 60, 640, 640, 0.9, largeBeads),
    0.2,
  ).filter(cell =>
    largeBeads.every(bead => Math.hypot(bead.x - cell.x, bead.y - cell.y) > bead.radius + cell.radius + 3),
  );
  for (const cell of [...largeBeads, ...smallBeads]) {
    const brightness = random.between(0.6, 0.9);
    drawCell(plane, cell, 2.2, (depth, cover) => brightness * (0.75 + 0.25 * Math.sqrt(depth)) * cover);
  }
  addBackground(plane, 0.04, illumination(plane, [0.5, 0.5], 0.2), 12);
  return {
    ...plane,
    samples: expose(random, plane, { photons: 300, readNoise: 0.006, white: 240, highest: 255 }),
  };
}

/** A field without cells, only with haze and noise. */
function emptyField(): GraySamples {
  const random = new Random(61);
  const plane = newPlane(512, 512);
  addBackground(plane, 0.09, illumination(plane, [0.5, 0.5], 0.3), 14);
  return {
    ...plane,
    samples: expose(random, plane, { photons: 200, readNoise: 0.01, white: 235, highest: 255 }),
  };
}

/** An RGB image of 8 bits, interleaved. */
interface ColorSamples {
  width: number;
  height: number;
  samples: Uint8Array;
}

type Color = readonly [red: number, green: number, blue: number];

/** How much red, green and blue light the stains of a blood smear absorb. */
const HEMOGLOBIN: Color = [0.16, 0.62, 0.42];
const AZURE: Color = [1, 0.95, 0.35];
const PLASMA: Color = [0.35, 0.42, 0.12];

/** Exposes three planes by the same camera and interleaves them as an RGB image. */
function photograph(random: Random, planes: readonly [Plane, Plane, Plane], photons: number): ColorSamples {
  const [{ width, height }] = planes;
  const samples = new Uint8Array(width * height * 3);
  planes.forEach((plane, channel) => {
    const exposed = expose(random, plane, { photons, readNoise: 0.006, white: 240, highest: 255 });
    exposed.forEach((sample, i) => (samples[i * 3 + channel] = sample));
  });
  return { width, height, samples };
}

/** A stained blood smear in transmitted light: red cells with pale centers, and white cells. */
function bloodSmear(): ColorSamples {
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
    white.every(({ x, y, radius }) => Math.hypot(x - cell.x, y - cell.y) > (radius + cell.radius) * 1.08),
  );
  const hemoglobin = newPlane(size, size);
  for (const cell of redCells) {
    const density = random.between(0.8, 1);
    drawCell(hemoglobin, cell, 2.2, (depth, cover) => {
      // A red cell is a biconcave disk: thinner in the middle.
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

/** Draws a white cell: a pale body and a nucleus of three or four lobes. */
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

/** Two merged stains: cyan nuclei, and orange cell bodies around them. */
function twoStains(): ColorSamples {
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
      const fibers = 0.65 * clouds(x + 3 * clouds(x, y, 14, 3) * 6, y * 0.45, 5, cell.seed + 1) + 0.35;
      return strength * (0.5 + 0.5 * depth) * (0.55 + 0.7 * fibers) * cover;
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

/** Types of TIFF fields. */
const SHORT = 3;
const LONG = 4;

/** A baseline TIFF file, little-endian, of one uncompressed gray image of 16 bits in one strip. */
export function grayTiff(samples: Uint16Array, width: number, height: number): Uint8Array {
  const bytes = samples.length * 2;
  const entries: [tag: number, type: number, value: number][] = [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, 16], // bits per sample
    [259, SHORT, 1], // no compression
    [262, SHORT, 1], // black is zero
    [273, LONG, 8], // where the strip starts
    [277, SHORT, 1], // samples per pixel
    [278, LONG, height], // rows per strip
    [279, LONG, bytes], // bytes of the strip
  ];
  const directory = 8 + bytes;
  const file = new Uint8Array(directory + 2 + entries.length * 12 + 4);
  const view = new DataView(file.buffer);
  view.setUint16(0, 0x4949, true);
  view.setUint16(2, 42, true);
  view.setUint32(4, directory, true);
  samples.forEach((sample, i) => view.setUint16(8 + i * 2, sample, true));
  view.setUint16(directory, entries.length, true);
  entries.forEach(([tag, type, value], i) => {
    const offset = directory + 2 + i * 12;
    view.setUint16(offset, tag, true);
    view.setUint16(offset + 2, type, true);
    view.setUint32(offset + 4, 1, true);
    // A SHORT is in the first two of the four bytes, where little-endian order puts it anyway.
    view.setUint32(offset + 8, value, true);
  });
  return file;
}

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** A higher compression level hardly makes noisy images smaller. */
const EFFORT = { level: 3 };

/**
 * A PNG file of 8 bits per channel, gray or RGB, without filters. Node's zlib compresses fast;
 * compression took half the time of making the sample images.
 */
function pngFile(samples: Uint8Array, width: number, height: number, channels: 1 | 3): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8; // bits per channel
  header[9] = channels === 1 ? 0 : 2; // gray, or RGB
  const bytesPerRow = width * channels;
  // Each row begins with the number of its filter; 0 is no filter.
  const rows = new Uint8Array((bytesPerRow + 1) * height);
  for (let y = 0; y < height; y++)
    rows.set(samples.subarray(y * bytesPerRow, (y + 1) * bytesPerRow), y * (bytesPerRow + 1) + 1);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, EFFORT)),
    chunk('IEND', new Uint8Array()),
  ];
  return new Uint8Array(Buffer.concat([Uint8Array.from(SIGNATURE), ...chunks]));
}

/** A PNG chunk: length, type, content, and a checksum of type and content. */
function chunk(type: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(12 + content.length);
  bytes.writeUInt32BE(content.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(content, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + content.length)), 8 + content.length);
  return bytes;
}
