import { t } from '../../pages/page/l10n';
import type { TableColumn } from '../../columns/tableSummary';
import { columnName } from '../../pages/page/columnName';
import { Icon, Picker } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import {
  type ChosenMeasure,
  chosenName,
  type ImageMeasure,
  imageMeasures,
  inPopulation,
  isOfObjects,
  measurable,
  measureKey,
  type MeasureKind,
  populationOf,
  wholeOf,
} from './chosenMeasure';
import type { CompareModel } from './compareModel';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import type { ComparePartProps } from './comparePartProps';
import { RangeFields } from './rangeFields';

/** Columns that may hold conditions or replicates: selected ones first, then image columns. */
export function groupingColumns(
  columns: readonly TableColumn[],
  chosen: readonly number[],
): readonly TableColumn[] {
  const rank = ({ index, ofImage, kind }: TableColumn) =>
    chosen.includes(index) ? 0 : ofImage ? 1 : kind === 'text' ? 2 : 3;
  return [...columns].sort((a, b) => rank(a) - rank(b));
}

/** The pickers of measure, conditions and method. */
export function Pickers({ compare, source }: ComparePartProps) {
  const { columns } = source.table;
  const { mean, intervals = 'unadjusted', reference = '' } = compare.state.value;
  const chosen = compare.measure();
  const { condition, replicate, technical } = compare;
  const studyColumns = compare.studyColumns.value;
  const groups = compare.shown.value?.compared.groups ?? [];
  const nameOfColumn = (index: number) => columnName(columns, index);
  const conditions = groupingColumns(columns, [...(studyColumns?.condition ?? [])]);
  // Filters may remove the reference, so that it can't be selected.
  const isReference = groups.some(({ condition: name }) => name === reference);
  const shownReference = isReference ? reference : (compare.shown.value?.compared.pairs[0]?.of[0] ?? '');
  const replicateWords = [
    t(
      'Replicates: {0}',
      replicate.length > 0
        ? replicate.map(nameOfColumn).join(', ')
        : t({ message: 'none', comment: 'No column for replicates' }),
    ),
    ...(replicate.length > 0 && technical.length > 0
      ? [t('technical: {0}', technical.map(nameOfColumn).join(', '))]
      : []),
  ].join(' · ');
  return (
    <div class="over-rows-pickers compare-pickers" role="group" aria-label={t('Compare Conditions')}>
      <MeasurePicker compare={compare} columns={columns} chosen={chosen} />
      <Picker
        label={t({ message: 'Condition', comment: 'Experimental condition, such as a treatment' })}
        value={condition === undefined ? '' : String(condition)}
        options={[
          ...(condition === undefined
            ? [
                [
                  '',
                  t({ message: 'Condition', comment: 'Experimental condition, such as a treatment' }),
                ] as const,
              ]
            : []),
          ...conditions.map(({ index }) => [String(index), nameOfColumn(index)] as const),
        ]}
        choose={value => compare.choose({ condition: columns[Number(value)]?.name })}
      />
      <button
        type="button"
        class="button secondary"
        title={replicateWords}
        aria-label={replicateWords}
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu(
            currentTarget,
            t({ message: 'Replicates', comment: 'Repetitions of an experiment' }),
            replicateEntries(compare, columns),
          )
        }
      >
        <span class="compare-replicates">{replicateWords}</span>
        <span class="compare-replicates short" aria-hidden="true">
          {replicate.length > 0
            ? replicate.map(nameOfColumn).join(', ')
            : t({ message: 'Replicates', comment: 'Repetitions of an experiment' })}
        </span>
        <Icon name="chevron-down" />
      </button>
      {groups.length > 1 && !compare.asksAboutLevels && (
        <Picker
          label={t('Compared with')}
          value={compare.comparesAllPairs ? '' : shownReference}
          options={[
            ...(groups.length > 2 ? [['', t('All Pairs')] as const] : []),
            ...groups.map(({ condition: name }) => [name, t('vs. {0}', name)] as const),
          ]}
          choose={value => compare.choose({ reference: value })}
        />
      )}
      <Picker
        label={t('Difference or ratio')}
        value={compare.scale}
        options={[
          ['difference', t({ message: 'Difference', comment: 'Between the means of two conditions' })],
          ['ratio', t({ message: 'Ratio', comment: 'Of the means of two conditions' })],
          ...(compare.isShare ? [['logit', t('Odds Ratio')] as const] : []),
        ]}
        choose={value =>
          compare.choose({ scale: value === 'ratio' || value === 'logit' ? value : 'difference' })
        }
      />
      {groups.length > 2 && (
        <Picker
          label={t('Intervals')}
          value={intervals}
          options={[
            ['unadjusted', t('Unadjusted Intervals')],
            ['simultaneous', t('Simultaneous Intervals')],
          ]}
          choose={value =>
            compare.choose({ intervals: value === 'simultaneous' ? 'simultaneous' : undefined })
          }
        />
      )}
      {chosen?.kind !== 'objectsPerImage' && (
        <Picker
          label={t('Value of a replicate')}
          value={mean}
          options={[
            ['objects', t('Mean over Objects')],
            ['images', t('Mean over Images')],
          ]}
          choose={value => compare.choose({ mean: value === 'images' ? 'images' : 'objects' })}
        />
      )}
    </div>
  );
}

/** Menu entries of possible replicate columns, then of technical replicates. */
function replicateEntries(compare: CompareModel, columns: readonly TableColumn[]) {
  const { condition, replicate, technical } = compare;
  const nameOf = (index: number) => columns[index]?.name ?? '';
  const toggled = (chosen: readonly number[], index: number) =>
    (chosen.includes(index) ? chosen.filter(other => other !== index) : [...chosen, index]).map(nameOf);
  const replicateColumns = groupingColumns(columns, [...replicate, ...technical]).filter(
    ({ index }) => index !== condition,
  );
  const technicalColumns = replicateColumns.filter(
    ({ index, ofImage, kind }) =>
      replicate.length > 0 &&
      !replicate.includes(index) &&
      (ofImage || kind === 'text' || technical.includes(index)),
  );
  return [
    ...replicateColumns.map(({ index }) => ({
      label: columnName(columns, index),
      checked: replicate.includes(index),
      run: () => compare.choose({ replicate: toggled(replicate, index) }),
    })),
    ...technicalColumns.map(({ index }, at) => ({
      label: t('Technical Replicate: {0}', columnName(columns, index)),
      checked: technical.includes(index),
      ...(at === 0 && { startsGroup: true }),
      run: () => compare.choose({ technical: toggled(technical, index) }),
    })),
  ];
}

interface MeasurePickerProps {
  compare: CompareModel;
  columns: readonly TableColumn[];
  chosen: ChosenMeasure | undefined;
}

type Choice = [key: string, words: string, chosen: ChosenMeasure];

/** The key of the list entry that stands for all ranges. */
const RANGE = 'range';

/** The picker of the measure; a share in a range has fields for column and ends. */
function MeasurePicker({ compare, columns, chosen }: MeasurePickerProps) {
  const numbers = measurable(columns);
  const isListed = chosen && chosen.kind !== 'column' && chosen.kind !== 'range';
  const unitOf = (measure: ChosenMeasure) =>
    measure.kind === 'column' ? numbers.find(({ name }) => name === measure.name)?.unit : undefined;
  const withoutPopulation = chosen && wholeOf(chosen);
  const choices: Choice[] = [
    ...numbers.map(({ name }): ChosenMeasure => ({ kind: 'column', name })),
    ...imageMeasures(
      compare.measureOptions,
      withoutPopulation && isListed ? [withoutPopulation as ImageMeasure] : [],
    ),
  ].map(measure => [measureKey(measure), chosenName(measure, unitOf(measure)), measure]);
  const [firstNumber] = numbers;
  if (firstNumber)
    choices.push([
      RANGE,
      t('Share in a Range…'),
      { kind: 'range', name: firstNumber.name, from: null, to: null },
    ]);
  return (
    <>
      <ListedMeasures
        choices={choices}
        chosen={chosen}
        keyOf={measure => (measure.kind === 'range' ? RANGE : measureKey(measure))}
        populations={compare.measureOptions.populations}
        choose={measure => compare.choose({ measure })}
      />
      {chosen?.kind === 'range' && (
        <RangeFields columns={numbers} range={chosen} choose={measure => compare.choose({ measure })} />
      )}
    </>
  );
}

interface ListedMeasuresProps<Measure extends MeasureKind> {
  /** Measures of all objects, with keys and names. */
  choices: readonly (readonly [key: string, words: string, measure: Measure])[];
  chosen: Measure | undefined;
  keyOf: (measure: Measure) => string;
  populations: readonly Pick<NamedPopulation, 'name'>[];
  choose: (measure: Measure) => void;
}

/** Pickers of a measure and of its population, which stays if another measure is selected. */
export function ListedMeasures<Measure extends MeasureKind>({
  choices,
  chosen,
  keyOf,
  populations,
  choose,
}: ListedMeasuresProps<Measure>) {
  const population = chosen && isOfObjects(chosen) ? populationOf(chosen) : undefined;
  return (
    <>
      <Picker
        label={t({ message: 'Measure', comment: 'Noun: a measured column' })}
        value={chosen ? keyOf(wholeOf(chosen)) : ''}
        options={choices.map(([key, words]) => [key, words])}
        choose={value => {
          const newMeasure = choices.find(([key]) => key === value)?.[2];
          if (newMeasure) choose(isOfObjects(newMeasure) ? inPopulation(newMeasure, population) : newMeasure);
        }}
      />
      {chosen && isOfObjects(chosen) && (populations.length > 0 || population !== undefined) && (
        <Picker
          label={t('Objects that are measured')}
          value={population ?? ''}
          options={[
            ['', t('All Objects')],
            ...populations.map(({ name }) => [name, t('In {0}', name)] as const),
          ]}
          choose={name => choose(inPopulation(chosen, name === '' ? undefined : name))}
        />
      )}
    </>
  );
}
