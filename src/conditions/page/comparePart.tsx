import { useEffect, useRef } from 'preact/hooks';
import type { TableColumn } from '../../columns/tableSummary';
import type { Filter } from '../../columns/viewSpec';
import { columnName, type TableText } from '../../pages/page/pageText';
import { Icon, IconButton, Picker } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import type { PlotAction } from '../../plots/page/plotDrawing';
import type { PlotSource } from '../../plots/page/plotDefinition';
import { figureFile } from '../../plots/page/plotFile';
import type { ComparedPair } from '../comparison';
import { type ChosenMeasure, chosenName, imageMeasures, measurable, measureKey } from './chosenMeasure';
import type { CompareModel, ShownComparison } from './compareModel';
import { ComparePlotStage } from './comparePlotStage';
import { compareFigure } from './compareFigure';
import {
  captionBelow,
  type CaptionFacts,
  compareCaption,
  compareWords,
  effectName,
  intervalName,
  MAX_LISTED_PAIRS,
  statisticWords,
} from './compareWords';
import { pixelUnit } from '../pixelMeasures';
import { RangeFields } from './rangeFields';

export interface ComparePartProps {
  compare: CompareModel;
  text: TableText;
  source: PlotSource;
  actions: {
    /** Lets the user give images columns. */
    addColumns: () => void;
    copy: (caption: string) => void;
    /** Filters in the words of the table, with all their values. */
    filterWords: (filters: readonly Filter[]) => string;
    saveValues: (shown: ShownComparison, layout: 'long' | 'wide', value: string) => void;
    /** Adds the numbers of a column in µm, and compares these; absent where pixel sizes can't be known. */
    convert?: (name: string) => void;
    savePlot: (name: string, type: 'png' | 'svg', data: ArrayBuffer) => void;
    pngFailed: (error: unknown) => void;
    run: (action: PlotAction) => void;
    hover: (row: number | null) => void;
    say: (words: string) => void;
  };
}

/** Conditions compared, in place of the rows: choices above, the plot, its comparisons and its caption. */
export function ComparePart(props: ComparePartProps) {
  const { compare, text } = props;
  if (!compare.state.value.open) return null;
  return (
    <main class="over-rows compare" aria-label={text.get('compare')} aria-busy={compare.isBusy.value}>
      <div class="over-rows-head">
        <IconButton
          icon="arrow-left"
          label={text.get('backToRows')}
          onClick={() => compare.leave()}
          autofocus
        />
        <h2>{text.get('compare')}</h2>
        <Pickers {...props} />
        <SaveButton {...props} />
      </div>
      <PixelWarning {...props} />
      <LevelQuestion {...props} />
      <Question {...props} />
      <Content {...props} />
    </main>
  );
}

/** Columns that could be of conditions or replicates: those of images first. */
function groupingColumns(columns: readonly TableColumn[], chosen: readonly number[]): readonly TableColumn[] {
  const rank = ({ index, ofImage, kind }: TableColumn) =>
    chosen.includes(index) ? 0 : ofImage ? 1 : kind === 'text' ? 2 : 3;
  return [...columns].sort((a, b) => rank(a) - rank(b));
}

function Pickers({ compare, text, source }: ComparePartProps) {
  const { columns } = source.table;
  const { mean, intervals = 'unadjusted', reference = '' } = compare.state.value;
  const chosen = compare.measure();
  const { condition, replicate, technical } = compare;
  const known = compare.known.value;
  const groups = compare.shown.value?.compared.groups ?? [];
  const named = (index: number) => columnName(columns, index, text);
  const conditions = groupingColumns(columns, [...(known?.condition ?? [])]);
  // One that the filters leave out is none.
  const isReference = groups.some(({ condition: each }) => each === reference);
  const shownReference = isReference ? reference : (compare.shown.value?.compared.pairs[0]?.of[0] ?? '');
  return (
    <div class="compare-pickers" role="group" aria-label={text.get('compare')}>
      <MeasurePicker compare={compare} text={text} columns={columns} chosen={chosen} />
      <Picker
        label={text.get('compareCondition')}
        value={condition === undefined ? '' : String(condition)}
        options={[
          ...(condition === undefined ? [['', text.get('compareCondition')] as const] : []),
          ...conditions.map(({ index }) => [String(index), named(index)] as const),
        ]}
        choose={value => compare.choose({ condition: columns[Number(value)]?.name })}
      />
      <button
        type="button"
        class="button secondary"
        title={[...replicate, ...technical].map(named).join(', ')}
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu(currentTarget, text.get('compareReplicates'), replicateEntries(compare, columns, text))
        }
      >
        <span class="compare-replicates">
          {text.get(
            'compareReplicatesAre',
            replicate.length > 0 ? replicate.map(named).join(', ') : text.get('compareNoReplicates'),
          )}
          {replicate.length > 0 &&
            technical.length > 0 &&
            ` · ${text.get('compareTechnicalAre', technical.map(named).join(', '))}`}
        </span>
        <Icon name="chevron-down" />
      </button>
      {groups.length > 1 && !compare.asksAboutLevels && (
        <Picker
          label={text.get('compareReference')}
          value={compare.comparesAllPairs ? '' : shownReference}
          options={[
            ...(groups.length > 2 ? [['', text.get('compareAllPairs')] as const] : []),
            ...groups.map(({ condition: each }) => [each, text.get('compareVersus', each)] as const),
          ]}
          choose={value => compare.choose({ reference: value })}
        />
      )}
      <Picker
        label={text.get('compareScale')}
        value={compare.scale}
        options={[
          ['difference', text.get('compareDifference')],
          ['ratio', text.get('compareRatio')],
          ...(compare.isShare ? [['logit', text.get('compareOdds')] as const] : []),
        ]}
        choose={value =>
          compare.choose({ scale: value === 'ratio' || value === 'logit' ? value : 'difference' })
        }
      />
      {groups.length > 2 && (
        <Picker
          label={text.get('compareIntervals')}
          value={intervals}
          options={[
            ['unadjusted', text.get('compareUnadjusted')],
            ['simultaneous', text.get('compareSimultaneous')],
          ]}
          choose={value =>
            compare.choose({ intervals: value === 'simultaneous' ? 'simultaneous' : undefined })
          }
        />
      )}
      {chosen?.kind !== 'objectsPerImage' && (
        <Picker
          label={text.get('compareMean')}
          value={mean}
          options={[
            ['objects', text.get('compareOverObjects')],
            ['images', text.get('compareOverImages')],
          ]}
          choose={value => compare.choose({ mean: value === 'images' ? 'images' : 'objects' })}
        />
      )}
    </div>
  );
}

/** The columns that can be of replicates, then those that can be of technical ones. */
function replicateEntries(compare: CompareModel, columns: readonly TableColumn[], text: TableText) {
  const { condition, replicate, technical } = compare;
  const nameOf = (index: number) => columns[index]?.name ?? '';
  const toggled = (chosen: readonly number[], index: number) =>
    (chosen.includes(index) ? chosen.filter(each => each !== index) : [...chosen, index]).map(nameOf);
  const offered = groupingColumns(columns, [...replicate, ...technical]).filter(
    ({ index }) => index !== condition,
  );
  const below = offered.filter(
    ({ index, ofImage, kind }) =>
      replicate.length > 0 &&
      !replicate.includes(index) &&
      (ofImage || kind === 'text' || technical.includes(index)),
  );
  return [
    ...offered.map(({ index }) => ({
      label: columnName(columns, index, text),
      checked: replicate.includes(index),
      run: () => compare.choose({ replicate: toggled(replicate, index) }),
    })),
    ...below.map(({ index }, at) => ({
      label: text.get('compareTechnicalOf', columnName(columns, index, text)),
      checked: technical.includes(index),
      ...(at === 0 && { startsGroup: true }),
      run: () => compare.choose({ technical: toggled(technical, index) }),
    })),
  ];
}

interface MeasurePickerProps {
  compare: CompareModel;
  text: TableText;
  columns: readonly TableColumn[];
  chosen: ChosenMeasure | undefined;
}

type Choice = [key: string, words: string, chosen: ChosenMeasure];

/** One entry of the list, whatever the range is. */
const RANGE = 'range';

/** The measure; a share in a range has its column and its ends beside. */
function MeasurePicker({ compare, text, columns, chosen }: MeasurePickerProps) {
  const numbers = measurable(columns);
  const isListed = chosen && chosen.kind !== 'column' && chosen.kind !== 'range';
  const choices: Choice[] = [
    ...numbers.map(({ name }): ChosenMeasure => ({ kind: 'column', name })),
    ...imageMeasures(compare.offered, isListed ? [chosen] : []),
  ].map(measure => [measureKey(measure), chosenName(measure, text, columns), measure]);
  const [first] = numbers;
  if (first)
    choices.push([
      RANGE,
      text.get('compareShareOfRange'),
      { kind: 'range', name: first.name, from: null, to: null },
    ]);
  return (
    <>
      <Picker
        label={text.get('measure')}
        value={chosen?.kind === 'range' ? RANGE : chosen ? measureKey(chosen) : ''}
        options={choices.map(([key, words]) => [key, words])}
        choose={value => compare.choose({ measure: choices.find(([key]) => key === value)?.[2] })}
      />
      {chosen?.kind === 'range' && (
        <RangeFields
          text={text}
          columns={numbers}
          range={chosen}
          choose={measure => compare.choose({ measure })}
        />
      )}
    </>
  );
}

/** Lengths and areas in pixels, over images whose pixels are of different sizes. */
function PixelWarning({ compare, text, actions }: ComparePartProps) {
  const measured = compare.inPixels;
  if (!measured) return null;
  const { name, micron } = measured;
  const unit = micron === undefined && actions.convert ? pixelUnit(name) : undefined;
  return (
    <div class="compare-question open" role="status">
      <Icon name="warning" />
      <span>{text.get('compareInPixels', name)}</span>
      {micron !== undefined && (
        <button type="button" class="button secondary" onClick={() => compare.chooseColumn(micron)}>
          {text.get('compareUseMicrons', micron)}
        </button>
      )}
      {unit !== undefined && (
        <button type="button" class="button secondary" onClick={() => actions.convert?.(name)}>
          {text.get('convertColumn', unit === 'px²' ? 'µm²' : 'µm')}
        </button>
      )}
    </div>
  );
}

/** Several columns of replicates multiply n: which of them counts only a person knows. */
function LevelQuestion({ compare, text, source }: ComparePartProps) {
  const shown = compare.shown.value;
  if (!shown?.compared.areMultiplied) return null;
  const { columns } = source.table;
  const { replicate, technical } = compare;
  const nameOf = (index: number) => columns[index]?.name ?? '';
  const isOpen = compare.asksAboutLevels;
  return (
    <div
      class={isOpen ? 'compare-question open' : 'compare-question'}
      role="group"
      aria-label={text.get('compareLevels')}
    >
      <Icon name="question" />
      <span title={text.get('compareLevelsHint')}>{text.get('compareLevels')}</span>
      {replicate.map(index => (
        <button
          key={index}
          type="button"
          class="button secondary"
          aria-pressed={false}
          onClick={() =>
            compare.choose({
              replicate: [nameOf(index)],
              technical: [...technical, ...replicate.filter(each => each !== index)].map(nameOf),
            })
          }
        >
          {columnName(columns, index, text)}
        </button>
      ))}
      <button
        type="button"
        class="button secondary"
        aria-pressed={!isOpen}
        onClick={() => compare.choose({ replicate: replicate.map(nameOf), combined: true })}
      >
        {text.get('compareLevelsAll')}
      </button>
    </div>
  );
}

/** Equal names may be the same donors or a coincidence: only a person knows, and no answer is chosen beforehand. */
function Question({ compare, text }: ComparePartProps) {
  const shown = compare.shown.value;
  if (!shown?.compared.namesRecur || compare.asksAboutLevels) return null;
  const { paired } = compare;
  const answer = (value: boolean, key: 'compareSameYes' | 'compareSameNo') => (
    <button
      type="button"
      class="button secondary"
      aria-pressed={paired === value}
      onClick={() => compare.choose({ paired: value })}
    >
      {text.get(key)}
    </button>
  );
  return (
    <div
      class={paired === undefined ? 'compare-question open' : 'compare-question'}
      role="group"
      aria-label={text.get('compareSame')}
    >
      <Icon name="question" />
      <span title={text.get('compareSameHint')}>{text.get('compareSame')}</span>
      {answer(true, 'compareSameYes')}
      {answer(false, 'compareSameNo')}
    </div>
  );
}

function Content(props: ComparePartProps) {
  const { compare, text, actions, source } = props;
  const failure = compare.failure.value;
  const shown = compare.shown.value;
  if (failure !== undefined)
    return (
      <Empty icon="error" words={text.get('compareFailed', failure)} isError>
        <button type="button" class="button secondary" onClick={() => void compare.start()}>
          {text.get('retry')}
        </button>
      </Empty>
    );
  if (compare.known.value && compare.condition === undefined)
    return (
      <Empty icon="beaker" words={text.get('compareNoCondition')} hint={text.get('compareNoConditionHint')}>
        <button type="button" class="button" onClick={actions.addColumns}>
          {text.get('imageColumns')}
        </button>
      </Empty>
    );
  if (compare.known.value && !compare.measure())
    return <Empty icon="graph" words={text.get('compareNoMeasure')} />;
  if (!shown) return <Empty icon="loading" words="" />;
  if (shown.compared.groups.length === 0) return <Empty icon="graph" words={text.get('nothingToPlot')} />;
  const caption = compareCaption(shown, factsOf(compare, shown, actions), source.table.columns, text);
  return (
    <div class="compare-body">
      <Plot {...props} shown={shown} />
      {shown.compared.pairs.length > 1 && !compare.asksAboutNames && <Pairs {...props} shown={shown} />}
      <div class="compare-caption">
        <p>
          {wordsWithHyphens(caption).map((part, at) => {
            // A browser would break the line after the hyphen of "-Dox".
            return at % 2 === 0 ? part : <span key={at}>{part}</span>;
          })}
        </p>
        <button type="button" class="button secondary" onClick={() => actions.copy(caption)}>
          <Icon name="copy" /> {text.get('compareCopy')}
        </button>
      </div>
    </div>
  );
}

function factsOf(
  { paired, inPixels }: CompareModel,
  { params: { measure, filters = [] } }: ShownComparison,
  { filterWords }: Pick<ComparePartProps['actions'], 'filterWords'>,
): CaptionFacts {
  const named = measure.kind === 'share' ? filterWords(measure.of) : undefined;
  const filtered = filters.length > 0 ? filterWords(filters) : undefined;
  return { paired, inPixels: inPixels?.name, named, filtered };
}

/** A text in parts, of which every second one is a word that begins with a hyphen. */
function wordsWithHyphens(text: string): string[] {
  return text.split(/(?<=^|[\s(])(-\S+)/);
}

interface EmptyProps {
  icon: string;
  words: string;
  hint?: string;
  isError?: boolean;
  children?: preact.ComponentChildren;
}

function Empty({ icon, words, hint, isError = false, children }: EmptyProps) {
  return (
    <div class="compare-empty">
      <Icon name={icon} spins={icon === 'loading'} />
      <p role={isError ? 'alert' : undefined}>{words}</p>
      {hint !== undefined && <p class="compare-hint">{hint}</p>}
      {children}
    </div>
  );
}

interface ShownProps extends ComparePartProps {
  shown: ShownComparison;
}

function Plot({ compare, text, source, actions, shown }: ShownProps) {
  const place = useRef<HTMLDivElement>(null);
  const stage = useRef<ComparePlotStage | undefined>(undefined);
  useEffect(() => {
    if (!place.current) return undefined;
    const made = new ComparePlotStage({ place: place.current, text, source, actions });
    stage.current = made;
    return () => {
      made.dispose();
      stage.current = undefined;
    };
  }, []);
  useEffect(() => {
    const words = compareWords(shown, source.table.columns, text);
    stage.current?.show(shown, words, !compare.asksAboutNames);
  });
  return <div class="compare-plot" ref={place} />;
}

/** The comparisons of several conditions, with all that stands in the plot only in small. */
function Pairs({ text, source, shown }: ShownProps) {
  const words = compareWords(shown, source.table.columns, text);
  const number = (value: number | null) => statisticWords(value, text);
  const { pairs } = shown.compared;
  const cells = ({ effect, ci95, t, df, p, pAdjusted, n }: ComparedPair) => [
    number(effect),
    ci95 ? text.get('compareTo95', number(ci95[0]), number(ci95[1])) : '–',
    number(t),
    number(df),
    number(p),
    number(pAdjusted),
    text.number(n),
  ];
  const heads = [
    text.get('compareEffects'),
    effectName(shown.params.scale, text),
    intervalName(shown, text),
    't',
    'df',
    'p',
    text.get('compareAdjusted'),
    'n',
  ];
  return (
    <div class="compare-pairs" tabindex={0} role="region" aria-label={text.get('compareEffects')}>
      <table>
        <thead>
          <tr>
            {heads.map(head => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, MAX_LISTED_PAIRS).map(pair => {
            const name = words.pair(pair).join(' ');
            return (
              <tr key={pair.of.join('\n')}>
                <th scope="row" title={name}>
                  {name}
                </th>
                {cells(pair).map((cell, at) => (
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            );
          })}
          {pairs.length > MAX_LISTED_PAIRS && (
            <tr>
              <td class="compare-more" colSpan={heads.length}>
                {text.get('compareMorePairs', pairs.length - MAX_LISTED_PAIRS)}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function SaveButton({ compare, text, source, actions }: ComparePartProps) {
  const shown = compare.shown.value;
  const hasPlot = shown !== undefined && shown.compared.groups.length > 0;
  const savePlot = async (type: 'png' | 'svg') => {
    if (!shown) return;
    const { columns } = source.table;
    const words = compareWords(shown, columns, text);
    const caption = captionBelow(shown, factsOf(compare, shown, actions), columns, text);
    try {
      const figure = compareFigure(shown, words, { caption, effects: !compare.asksAboutNames });
      actions.savePlot(words.title, type, await figureFile(figure, type));
    } catch (error) {
      actions.pngFailed(error);
    }
  };
  const saveValues = (layout: 'long' | 'wide') =>
    shown && actions.saveValues(shown, layout, chosenName(shown.measure, text, source.table.columns));
  return (
    <button
      type="button"
      class="button secondary compare-save"
      aria-haspopup="menu"
      disabled={!hasPlot}
      onClick={({ currentTarget }) =>
        openMenu(currentTarget, text.get('compareSave'), [
          { label: text.get('savePng'), run: () => void savePlot('png') },
          { label: text.get('saveSvg'), run: () => void savePlot('svg') },
          { label: text.get('compareSaveLong'), startsGroup: true, run: () => saveValues('long') },
          { label: text.get('compareSaveWide'), run: () => saveValues('wide') },
        ])
      }
    >
      <Icon name="save" /> {text.get('compareSave')}
    </button>
  );
}
