import * as v from 'valibot';
import { columnStatisticNames } from '../../columns/columnStatistics';
import { columnOf, filtersOf, type ProgramFilter, someFilters } from '../../columns/namedFilter';
import type { TableColumn } from '../../columns/tableSummary';
import { type ImageColumns, tableColumnsOfRole } from '../../study/imageColumns';
import {
  filterNames,
  measureName,
  measureOf,
  namedMeasure,
  type NamedMeasure,
} from '../../study/namedMeasure';
import { openWithImages } from '../../study/node/conditionPrograms';
import { sessionImageColumns } from '../../study/node/sessionImageColumns';
import { plainValue } from '../../study/spellings';
import { badOption, type Option } from '../../host/options';
import type { Destination, ProgramTable } from '../../session/node/programTable';
import type { Translate } from '../../words/translate';
import { controlledPlates } from '../controls';
import type { ControlMarks, WellMeasure } from '../plateRequests';
import type { ControlQuality } from '../plateStatistics';
import type { ShownAs, WellStatisticId } from '../plates';
import { plateNotes, type PlateNote, savedPlateNames, shownName } from '../plateWords';
import { parseWell, wellName } from '../wells';

/** A measure of wells in programs: a measure of groups, or the number of objects. */
type NamedWellMeasure = NamedMeasure | v.InferOutput<typeof numberOfObjects>;

const numberOfObjects = v.strictObject({ objects: v.literal(true), of: v.optional(someFilters) });

export const namedWellMeasure: Option<NamedWellMeasure> = {
  expected: `{ objects: true, of? }, or ${namedMeasure.expected}`,
  read: value => {
    const { success, output } = v.safeParse(numberOfObjects, value);
    return success ? { value: output } : namedMeasure.read(value);
  },
};

function isOfNumber(named: NamedWellMeasure): named is v.InferOutput<typeof numberOfObjects> {
  return typeof named === 'object' && 'objects' in named;
}

/** How well a plate's controls are separated, per condition of positive controls. */
interface ProgramPlate extends ControlQuality {
  plate: string | null;
  positive: string | null;
  /** Why a number is missing. */
  reason?: string;
}

/**
 * Saves the wells of plates, a row each. Throws `bad-request` with the option as subject, and
 * errors of saving.
 */
export async function savePlateAsProgram(
  t: Translate,
  table: ProgramTable,
  {
    plate: namedPlate,
    well: namedWell,
    negative = [],
    positive = [],
    measure: named,
    statistic,
    as,
    filters,
    ...destination
  }: Destination & {
    /** Null if all images are of one plate, in any folders. */
    plate: string | number | null | undefined;
    well: string | number | undefined;
    /** Conditions, or wells. */
    negative: readonly string[] | undefined;
    positive: readonly string[] | undefined;
    measure: NamedWellMeasure;
    statistic: WellStatisticId | undefined;
    as: ShownAs;
    filters: readonly ProgramFilter[];
  },
): Promise<{
  path: string;
  wells: number;
  bytes: number;
  plates: ProgramPlate[];
  filters?: readonly ProgramFilter[];
  warnings?: PlateNote[];
}> {
  const { session, kind, signal } = table;
  const { columns, images } = await openWithImages(table);
  const columnOfRole = (role: 'well' | 'plate' | 'condition') => tableColumnsOfRole(columns, images, role)[0];
  const well = namedWell === undefined ? columnOfRole('well') : columnOf(columns, namedWell, 'well');
  if (well === undefined) throw badOption('well', 'given, as no column has the role of wells');
  const isOnePlate = namedPlate === null;
  const plate =
    namedPlate === undefined || isOnePlate ? columnOfRole('plate') : columnOf(columns, namedPlate, 'plate');
  const condition = columnOfRole('condition');
  const conditions = new Set((await valuesIn(table, columns, images, condition)).map(plainValue));
  const marks: ControlMarks = {
    negative: marksOf(negative, conditions, 'negative'),
    positive: marksOf(positive, conditions, 'positive'),
  };
  refuseCommonMarks(marks);
  const measure = wellMeasureOf(columns, named, statistic);
  if (measure.kind === 'objectsPerImage')
    await session.get(sessionImageColumns).prepare([measure], kind, signal);
  const name = valueName(t, columns, named, measure);
  const saved = await session.tables.request(
    kind,
    'tablePlatesSave',
    {
      filters: filtersOf(columns, filters),
      ...{ measure, well, marks, as, isOnePlate },
      ...(plate !== undefined && !isOnePlate && { plate }),
      ...(condition !== undefined && { condition }),
      names: savedPlateNames(t, shownName(t, name, as)),
      ...destination,
    },
    signal,
  );
  const plates = controlledPlates(saved.plates, marks, as);
  const warnings = plateNotes(t, saved.plates, plates, measure.kind);
  return {
    path: saved.path,
    wells: saved.wells,
    bytes: saved.bytes,
    plates: plates.flatMap(({ name: plateName, lines }) =>
      lines.map(({ positive: positiveCondition, zPrime, robustZPrime, ssmd, gaps }) => ({
        ...{ plate: plateName, positive: positiveCondition, zPrime, robustZPrime, ssmd },
        ...(gaps.length > 0 && { reason: gaps.map(gap => gap(t)).join(' ') }),
      })),
    ),
    ...(filters.length > 0 && { filters }),
    ...(warnings.length > 0 && { warnings }),
  };
}

function valueName(
  t: Translate,
  columns: readonly TableColumn[],
  named: NamedWellMeasure,
  measure: WellMeasure,
): string {
  if (isOfNumber(named)) {
    const number = t('Number of objects');
    return named.of ? t('{0} in {1}', number, filterNames(columns, named.of)) : number;
  }
  const name = measureName(t, columns, named);
  return measure.kind === 'column' ? t('{0} ({1})', name, columnStatisticNames[measure.statistic](t)) : name;
}

/** The measure with its columns by position. Throws `bad-request`. */
function wellMeasureOf(
  columns: readonly TableColumn[],
  named: NamedWellMeasure,
  statistic: WellStatisticId | undefined,
): WellMeasure {
  const isNumber = isOfNumber(named);
  // A population limits the counted objects, as it does for objects per image.
  const measure = measureOf(columns, isNumber ? { objectsPerImage: true, of: named.of } : named, 'measure');
  if (measure.kind === 'column') {
    if (statistic === undefined) throw badOption('statistic', 'given, where the measure is a column');
    return { ...measure, statistic };
  }
  const impliedStatistic = isNumber ? 'count' : 'mean';
  if (statistic !== undefined && statistic !== impliedStatistic)
    throw badOption('statistic', `"${impliedStatistic}" or left out, where the measure isn't a column`);
  return isNumber ? { kind: 'objects', ...(measure.of && { of: measure.of }) } : measure;
}

/** The different values of a column of images, or of the table. */
async function valuesIn(
  { session, kind, signal }: ProgramTable,
  columns: readonly TableColumn[],
  images: ImageColumns,
  column: number | undefined,
): Promise<readonly string[]> {
  const firstOfImages = columns.findIndex(({ ofImage }) => ofImage === true);
  const imageColumn =
    column === undefined || columns[column]?.ofImage !== true
      ? undefined
      : images.columns[column - firstOfImages];
  if (imageColumn) return imageColumn.values.filter(value => value !== '');
  if (column === undefined || columns[column]?.kind !== 'text') return [];
  return (await session.tables.request(kind, 'tableTexts', { column }, signal)).texts;
}

/** Conditions, and wells by their parsed names. Throws `bad-request` for anything else. */
function marksOf(
  texts: readonly string[],
  conditions: ReadonlySet<string>,
  option: 'negative' | 'positive',
): ControlMarks['negative'] {
  const marks: ControlMarks['negative'] = { wells: [], conditions: [] };
  for (const text of texts) {
    const place = parseWell(text);
    if (conditions.has(plainValue(text))) marks.conditions.push(text);
    else if (place) marks.wells.push(wellName(place));
    else throw badOption(option, `conditions of images or names of wells, and "${text}" is neither`);
  }
  return marks;
}

function refuseCommonMarks({ negative, positive }: ControlMarks): void {
  const plain = negative.conditions.map(plainValue);
  const common =
    positive.conditions.find(condition => plain.includes(plainValue(condition))) ??
    positive.wells.find(well => negative.wells.includes(well));
  if (common !== undefined) throw badOption('positive', `other than "negative", and "${common}" is both`);
}
