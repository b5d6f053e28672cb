import { columnStatisticNames } from '../../columns/columnStatistics';
import { chosenName } from '../../conditions/page/chosenMeasure';
import type { TipLine } from '../../drawing/page/plotDrawing';
import { t } from '../../pages/page/l10n';
import { formatNumber, type TableText } from '../../pages/page/pageText';
import type { Control, ControlLine } from '../controls';
import type { LeftOut, Plates, ShownAs, WellStatisticId } from '../plateRequests';
import { SEVERAL_CONDITIONS } from '../plateRequests';
import { gapWords } from '../plateWords';
import { wellName, type WellPlace } from '../wells';
import { type ChosenWellMeasure, type PlateModel, type ShownPlate, valueOf } from './plateModel';
import type { PlateWords } from './platePlot';

/* The words of plates, where they are shown. */

export function statisticName(id: WellStatisticId): string {
  return columnStatisticNames[id](t);
}

export function measureWords(chosen: ChosenWellMeasure, text: TableText): string {
  return chosen.kind === 'objects' ? t('Number of objects') : chosenName(chosen, text);
}

export function shownAsName(as: ShownAs): string {
  if (as === 'value') return t('Value');
  return as === 'percentOfControl' ? t('Percent of control') : t('Robust z');
}

export function controlName(control: Control): string {
  return control === 'negative' ? t('Negative control') : t('Positive control');
}

/** What wells are measured by, as a column of it is called. */
export function measuredName(measure: ChosenWellMeasure, model: PlateModel, text: TableText): string {
  const name = measureWords(measure, text);
  return measure.kind === 'column' ? t('{0} ({1})', name, statisticName(model.statistic)) : name;
}

/** The same as it is shown. */
export function valueName(measured: string, as: ShownAs): string {
  if (as === 'value') return measured;
  return as === 'percentOfControl'
    ? t('{0} as percent of control', measured)
    : t('{0} as robust z', measured);
}

/** A number of a control to three digits. */
export function figure(value: number | null, text: TableText): string {
  return value === null ? '–' : text.significant(value, 3);
}

export function conditionName(condition: string | null): string {
  return condition ?? t('no condition');
}

export function plateWords(model: PlateModel, found: Plates, value: string, text: TableText): PlateWords {
  const { as = 'value' } = model.state.value;
  const number = (shown: number) => formatNumber(shown, text);
  return {
    value,
    number,
    title: t('{0} on plates', value),
    plate: name => name ?? '',
    line: line => lineWords(line, text),
    empty: t('no images'),
    missing: t('no value'),
    negative: controlName('negative'),
    positive: controlName('positive'),
    tip: (plate, place, well) => tipLines({ plate, place, well, found, as, measured: value, text }),
  };
}

/** Beside the name of a plate. */
function lineWords({ positive, zPrime, gaps }: ControlLine, text: TableText): string {
  if (zPrime === null && gaps.length === 0) return '';
  return positive === null
    ? t('Z′ {0}', figure(zPrime, text))
    : t('Z′ of {0}: {1}', positive, figure(zPrime, text));
}

function tipLines({
  plate,
  place,
  well,
  found,
  as,
  measured,
  text,
}: {
  plate: ShownPlate;
  place: WellPlace;
  well: number | undefined;
  found: Plates;
  as: ShownAs;
  measured: string;
  text: TableText;
}): TipLine[] {
  const name = wellName(place);
  const title = { label: plate.name === null ? name : t('{0} of {1}', name, plate.name) };
  if (well === undefined) return [title, { label: t('Images'), value: '0' }];
  const number = (value: number | null) => (value === null ? '–' : formatNumber(value, text));
  const at = plate.wells.conditions[well] ?? -1;
  const condition = at === SEVERAL_CONDITIONS ? t('several') : found.conditions[at];
  const control = plate.controls[well];
  return [
    title,
    { label: measured, value: number(plate.shown[well] ?? null) },
    ...(as === 'value' ? [] : [{ label: t('Value'), value: number(valueOf(plate, well)) }]),
    ...(found.hasImages ? [{ label: t('Images'), value: text.number(plate.wells.images[well] ?? 0) }] : []),
    { label: t('Objects'), value: text.number(plate.wells.objects[well] ?? 0) },
    ...(condition === undefined ? [] : [{ label: t('Condition'), value: condition }]),
    ...(control ? [{ label: controlName(control) }] : []),
  ];
}

/** Names in a note. */
const MAX_NAMED = 5;

/** What is left out, and why numbers may be others than is meant. */
export function plateNotes(model: PlateModel, found: Plates): string[] {
  const { leftOut, total, plates, infinite, unjudged, hasImages, areAllKnown } = found;
  const measure = model.shown.value?.measure.kind;
  const countsImages = measure === 'objects' || measure === 'objectsPerImage';
  const outside = model.outside.value;
  const gaps = new Map(
    model.plates.value.flatMap(({ gap, name }) => (gap ? [[gapWords(t, gap), name] as const] : [])),
  );
  return [
    ...(outside.length > 0
      ? [
          t(
            'A plate of {0} wells has no {1}: a larger one is shown.',
            model.state.value.size ?? 0,
            listed(outside),
          ),
        ]
      : []),
    ...[...gaps].map(([words, name]) => (name === null ? words : `${name}: ${words}`)),
    ...(total > plates.length ? [t('The first {0} of {1} plates are shown.', plates.length, total)] : []),
    ...leftOutWords(leftOut),
    ...(infinite > 0 ? [t('Infinite values are left out of means, SDs and sums: {0}.', infinite)] : []),
    ...(unjudged > 0 ? [t('Objects without a value for the share are left out: {0}.', unjudged)] : []),
    ...(countsImages && hasImages && !areAllKnown
      ? [t('Images without objects are unknown, and not counted.')]
      : []),
  ];
}

function leftOutWords({ withoutWell, withoutPlate, notWells, severalWells }: LeftOut): string[] {
  return [
    ...(withoutWell > 0 ? [t('Images without a well are left out: {0}.', withoutWell)] : []),
    ...(withoutPlate > 0 ? [t('Images without a plate are left out: {0}.', withoutPlate)] : []),
    ...(notWells.length > 0
      ? [
          t(
            'No well of a plate of up to 1,536, so that their images are left out: {0}.',
            listed(notWells.map(({ text }) => text)),
          ),
        ]
      : []),
    ...(severalWells.length > 0
      ? [
          t(
            'Images that are in several wells are left out: {0}.',
            listed(severalWells.map(({ image, wells }) => `${image} (${wells.join(', ')})`)),
          ),
        ]
      : []),
  ];
}

function listed(names: readonly string[]): string {
  const shown = [...new Set(names)];
  const some = shown.slice(0, MAX_NAMED).join(', ');
  return shown.length > MAX_NAMED ? t('{0} and {1} others', some, shown.length - MAX_NAMED) : some;
}
