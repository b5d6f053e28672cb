import { type Gate, isPerImage, simpleGates } from './gate';
import { neededIn, plain, type Population, populationNamed } from './population';

/*
 * Effects of thresholds per image on comparisons between images, and between conditions, whose
 * images differ.
 */

/**
 * `fixed`: its share of its parent is the same in every image by construction, except for ties and
 * missing values, such as above the image's median. `thresholds`: thresholds per image remove
 * differences between images.
 */
type ImageDependence = 'fixed' | 'thresholds';

/** The effect on a population, also through its parents and the populations that gates name. */
export function imageDependence(all: readonly Population[], name: string): ImageDependence | undefined {
  const population = populationNamed(all, name);
  if (!population) return undefined;
  if (isFixed(all, population.gate, population.parent, new Set())) return 'fixed';
  const gates = [...neededIn(all)(name)].flatMap(({ gate }) => simpleGates(gate));
  return gates.some(isPerImage) ? 'thresholds' : undefined;
}

function isFixed(
  all: readonly Population[],
  gate: Gate,
  parent: string | undefined,
  seen: Set<Population>,
): boolean {
  switch (gate.kind) {
    case 'percentile':
      return isPerImage(gate);
    case 'statistic':
      return isPerImage(gate) && gate.center === 'median' && gate.factor === 0;
    case 'not':
      return isFixed(all, gate.gate, parent, seen);
    case 'all':
    case 'any': {
      const [only, ...others] = gate.gates;
      return only !== undefined && others.length === 0 && isFixed(all, only, parent, seen);
    }
    case 'population': {
      // With another parent, the share would be of other rows.
      const other = populationNamed(all, gate.name);
      if (!other || seen.has(other) || plain(other.parent ?? '') !== plain(parent ?? '')) return false;
      return isFixed(all, other.gate, parent, seen.add(other));
    }
    default:
      return false;
  }
}
