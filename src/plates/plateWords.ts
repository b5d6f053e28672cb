import { severalJobsWords } from '../study/severalJobsWords';
import type { Translate } from '../words/translate';
import type { ControlledPlate } from './controls';
import type { SavedPlateNames, WellMeasure } from './plateRequests';
import type { Plates, ShownAs } from './plates';

/** Column titles of saved wells; `value` is the name of the measure. */
export function savedPlateNames(t: Translate, value: string): SavedPlateNames {
  return {
    plate: t({ message: 'Plate', comment: 'Microplate with wells' }),
    well: t({ message: 'Well', comment: 'Of a microplate' }),
    condition: t({ message: 'Condition', comment: 'Experimental condition, such as a treatment' }),
    control: t({ message: 'Control', comment: 'Role of a well or condition in an experiment' }),
    negative: t({ message: 'negative', comment: 'Negative control in an experiment' }),
    positive: t({ message: 'positive', comment: 'Positive control in an experiment' }),
    images: t('Images'),
    objects: t({ message: 'Objects', comment: 'Objects in images, such as cells' }),
    value,
  };
}

/** The file name proposed for the numbers of plates of a result. */
export function savedPlateName(t: Translate, result: string): string {
  return `${result}-${t({ message: 'wells', comment: 'In the name of a file' })}.csv`;
}

/** The title of the shown values of wells. */
export function shownName(t: Translate, measure: string, as: ShownAs): string {
  if (as === 'percentOfControl') return t('{0} as percent of control', measure);
  return as === 'robustZ' ? t('{0} as robust z', measure) : measure;
}

/** Notes on left-out or missing wells. */
export type PlateNote = { message: string } & (
  | { kind: 'images-unknown' }
  | { kind: 'without-value' | 'infinite'; objects: number }
  | { kind: 'without-well' | 'without-plate' | 'several-jobs'; images: number }
  | { kind: 'not-a-well'; text: string; images: number }
  | { kind: 'several-wells'; image: string; wells: string[] }
  /** The requested values are missing on a plate. */
  | { kind: 'missing'; plate: string | null }
);

/** Notes about plates that are shown. */
export function plateNotes(
  t: Translate,
  { leftOut, areAllKnown, hasImages, infinite, unjudged, inSeveralJobs }: Plates,
  plates: readonly Pick<ControlledPlate, 'name' | 'gap'>[],
  measure: WellMeasure['kind'],
): PlateNote[] {
  const { withoutWell, withoutPlate, notWells, severalWells } = leftOut;
  const notes: PlateNote[] = plates.flatMap(({ name, gap }) => {
    if (!gap) return [];
    const words = gap(t);
    return [{ kind: 'missing', plate: name, message: name === null ? words : `${name}: ${words}` }];
  });
  const countsImages = measure === 'objects' || measure === 'objectsPerImage';
  if (countsImages && hasImages && !areAllKnown) {
    const message = t('Images without objects are unknown, and not counted.');
    notes.push({ kind: 'images-unknown', message });
  }
  if (inSeveralJobs > 0) {
    const message = severalJobsWords(t, inSeveralJobs);
    notes.push({ kind: 'several-jobs', images: inSeveralJobs, message });
  }
  if (unjudged > 0) {
    const message = t('Objects without a value for the measure are left out: {0}.', unjudged);
    notes.push({ kind: 'without-value', objects: unjudged, message });
  }
  if (infinite > 0) {
    const message = t('Infinite values are left out of means, SDs and sums: {0}.', infinite);
    notes.push({ kind: 'infinite', objects: infinite, message });
  }
  if (withoutWell > 0) {
    const message = t('Images without a well are left out: {0}.', withoutWell);
    notes.push({ kind: 'without-well', images: withoutWell, message });
  }
  if (withoutPlate > 0) {
    const message = t('Images without a plate are left out: {0}.', withoutPlate);
    notes.push({ kind: 'without-plate', images: withoutPlate, message });
  }
  for (const { text, images } of notWells) {
    const message = t('“{0}” names no well of a plate of up to 1,536: its images are left out.', text);
    notes.push({ kind: 'not-a-well', text, images, message });
  }
  for (const { image, wells } of severalWells) {
    const message = t('{0} is in several wells and left out: {1}.', image, wells.join(', '));
    notes.push({ kind: 'several-wells', image, wells, message });
  }
  return notes;
}
