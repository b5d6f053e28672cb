import { expose, illumination, type Kind, newPlane, Random, scatter } from './cells';
import { addBackground, drawNucleus, grayPng, type SampleImage } from './sampleImages';

/* A study with two conditions: nuclei of three donors, untreated and treated, in four images of
 * each. The treatment makes nuclei larger but not brighter. The brightness differs between donors,
 * and some donors have more nuclei under one condition than under the other. So a test over all
 * nuclei wrongly finds an effect on brightness; a test over donors doesn't.
 */

const CONDITIONS = ['control', 'treated'] as const;
const SITES = 4;

/** How a donor's nuclei are drawn. */
interface Donor {
  /** Mean brightness of a nucleus; 1 is white. */
  stain: number;
  /** Radius of a nucleus relative to an average donor. */
  size: number;
  /** Average number of nuclei per image, by condition. */
  nuclei: Record<(typeof CONDITIONS)[number], number>;
}

const DONORS: readonly Donor[] = [
  { stain: 0.8, size: 1, nuclei: { control: 32, treated: 12 } },
  { stain: 0.64, size: 0.98, nuclei: { control: 22, treated: 22 } },
  { stain: 0.48, size: 1.03, nuclei: { control: 12, treated: 32 } },
];

/** Radius of a treated nucleus relative to an untreated one. */
const GROWTH = 1.16;

/** The image without nuclei: it still counts as an image of its donor in statistics. */
const EMPTY = 'treated/donor2_s3.png';

const UNTREATED: Kind = { radius: [10.5, 13.5], elongation: [1, 1.35], roughness: 0.07 };

/** The images of the study, drawn by the sample service, the same on every machine. */
export function studyImages(): readonly SampleImage[] {
  return CONDITIONS.flatMap((condition, group) =>
    DONORS.flatMap((donor, number) =>
      Array.from({ length: SITES }, (_, site): SampleImage => {
        const name = `${condition}/donor${number + 1}_s${site + 1}.png`;
        const seed = 200 + (group * DONORS.length + number) * SITES + site;
        const count = name === EMPTY ? 0 : donor.nuclei[condition];
        return { name, bytes: () => field(seed, donor, count, condition === 'treated' ? GROWTH : 1) };
      }),
    ),
  );
}

/** A field of nuclei that don't touch, some of them cut by its border. */
function field(seed: number, { stain, size }: Donor, count: number, growth: number): Uint8Array {
  const random = new Random(seed);
  const plane = newPlane(320, 320);
  const [minRadius, maxRadius] = UNTREATED.radius;
  const scale = size * growth;
  const kind: Kind = { ...UNTREATED, radius: [minRadius * scale, maxRadius * scale] };
  const number = count === 0 ? 0 : Math.round(count + random.between(-3, 3));
  for (const cell of scatter(random, kind, number, plane.width, plane.height, 0.3))
    drawNucleus(plane, random, cell, stain * random.between(0.85, 1.15), 1.8);
  addBackground(plane, 0.05, illumination(plane, [0.5, 0.5], 0.12), seed);
  const camera = { photons: 260, readNoise: 0.008, white: 235, highest: 255 };
  return grayPng({ ...plane, samples: expose(random, plane, camera) });
}
