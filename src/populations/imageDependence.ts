import type { Gate } from './gate';
import { plain, type Population, populationNamed } from './population';

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
  return hasImageThreshold(all, population, new Set()) ? 'thresholds' : undefined;
}

function isFixed(
  all: readonly Population[],
  gate: Gate,
  parent: string | undefined,
  seen: Set<Population>,
): boolean {
  switch (gate.kind) {
    case 'percentile':
      return isOfImage(gate);
    case 'statistic':
      return isOfImage(gate) && gate.center === 'median' && gate.factor === 0;
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

function hasImageThreshold(
  all: readonly Population[],
  { gate: ownGate, parent }: Population,
  seen: Set<Population>,
): boolean {
  const ofNamed = (name: string) => {
    const other = populationNamed(all, name);
    return other !== undefined && !seen.has(other) && hasImageThreshold(all, other, seen.add(other));
  };
  const inGate = (gate: Gate): boolean => {
    switch (gate.kind) {
      case 'percentile':
      case 'statistic':
        return isOfImage(gate);
      case 'not':
        return inGate(gate.gate);
      case 'all':
      case 'any':
        return gate.gates.some(inGate);
      case 'population':
        return ofNamed(gate.name);
      default:
        return false;
    }
  };
  return inGate(ownGate) || (parent !== undefined && ofNamed(parent));
}

function isOfImage({ of, frozen }: Extract<Gate, { kind: 'percentile' | 'statistic' }>): boolean {
  return of === 'image' && frozen === undefined;
}
