import { expose, illumination, type Kind, newPlane, Random, scatter } from './cells';
import { addBackground, drawNucleus, grayPng, type SampleImage } from './sampleImages';

/* A plate of 24 wells with controls: one image per well, in a folder for each compound. The first
 * column has the negative control, DMSO. The last column has the positive control, staurosporine,
 * which leaves few and small nuclei. Between them are four compounds; compound-1 has no effect.
 */

/** How nuclei are drawn for a compound. */
interface Compound {
  name: string;
  /** Average number of nuclei per image. */
  nuclei: number;
  /** Radius of a nucleus relative to DMSO. */
  size: number;
  /** Brightness of a nucleus, 1 for white. */
  stain: number;
}

const ROWS = ['A', 'B', 'C', 'D'];

/** The compounds by column of the plate. */
const COMPOUNDS: readonly Compound[] = [
  { name: 'DMSO', nuclei: 24, size: 1, stain: 0.62 },
  { name: 'compound-1', nuclei: 24, size: 1, stain: 0.62 },
  { name: 'compound-2', nuclei: 15, size: 0.94, stain: 0.66 },
  { name: 'compound-3', nuclei: 18, size: 1.28, stain: 0.55 },
  { name: 'compound-4', nuclei: 22, size: 1.05, stain: 0.8 },
  { name: 'staurosporine', nuclei: 5, size: 0.68, stain: 0.88 },
];

/** The image of a well without nuclei: it still counts as a well in statistics. */
const EMPTY = 'staurosporine/C06.png';

const NUCLEI: Kind = { radius: [10, 12.5], elongation: [1, 1.3], roughness: 0.07 };

/** The images of the plate, drawn by the sample service, the same on every machine. */
export function plateImages(): readonly SampleImage[] {
  return COMPOUNDS.flatMap((compound, column) =>
    ROWS.map((row, rowIndex): SampleImage => {
      const name = `${compound.name}/${row}0${column + 1}.png`;
      const seed = 400 + column * ROWS.length + rowIndex;
      return { name, bytes: () => field(seed, name === EMPTY ? { ...compound, nuclei: 0 } : compound) };
    }),
  );
}

/** A field of nuclei that don't touch, some of them cut by its border. */
function field(seed: number, { nuclei, size, stain }: Compound): Uint8Array {
  const random = new Random(seed);
  const plane = newPlane(256, 256);
  const [minRadius, maxRadius] = NUCLEI.radius;
  const kind: Kind = { ...NUCLEI, radius: [minRadius * size, maxRadius * size] };
  const number = nuclei === 0 ? 0 : Math.round(nuclei * random.between(0.92, 1.08));
  for (const cell of scatter(random, kind, number, plane.width, plane.height, 0.3))
    drawNucleus(plane, random, cell, stain * random.between(0.9, 1.1), 1.8);
  addBackground(plane, 0.05, illumination(plane, [0.5, 0.5], 0.12), seed);
  const camera = { photons: 260, readNoise: 0.008, white: 235, highest: 255 };
  return grayPng({ ...plane, samples: expose(random, plane, camera) });
}
