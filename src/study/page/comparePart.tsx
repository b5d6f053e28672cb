import { t } from '../../pages/page/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { Button, Icon } from '../../pages/page/widgets/parts';
import { EmptyView, OverRowsView } from '../../table/page/overRowsView';
import type { ComparedPair } from '../conditionComparison';
import type { ShownComparison } from './compareModel';
import { Output } from './compareOutput';
import { type ComparePartProps, factsOf } from './comparePartProps';
import { groupingColumns, Pickers } from './comparePickers';
import type { PlotPart } from './comparisonTargets';
import { ComparePlotStage } from './comparePlotStage';
import {
  Facts,
  Headline,
  ImageThresholdWarning,
  LevelQuestion,
  NameQuestion,
  partWords,
  PixelWarning,
} from './compareQuestions';
import { compareCaption, compareWords, intervalName, MAX_LISTED_PAIRS, statisticWords } from './compareWords';
import { editColor, editWord } from './figureEditors';

/**
 * The comparison of conditions, over the rows: settings, result, plot, list of comparisons
 * and caption.
 */
export function ComparePart(props: ComparePartProps) {
  const { compare } = props;
  if (!compare.state.value.open) return null;
  return (
    <OverRowsView
      name="compare"
      title={t('Compare Conditions')}
      isBusy={compare.isBusy.value}
      leave={() => compare.leave()}
      head={
        <>
          <Pickers {...props} />
          <Output {...props} />
        </>
      }
    >
      <Headline {...props} />
      <PixelWarning {...props} />
      <ImageThresholdWarning {...props} />
      <LevelQuestion {...props} />
      <NameQuestion {...props} />
      <ComparisonContent {...props} />
    </OverRowsView>
  );
}

function ComparisonContent(props: ComparePartProps) {
  const { compare, actions, source } = props;
  const failure = compare.failure.value;
  const shown = compare.shown.value;
  if (failure !== undefined)
    return (
      <EmptyView icon="error" words={t("Couldn't compare the conditions: {0}", failure)} isError>
        <button type="button" class="button secondary" onClick={() => void compare.start()}>
          {t('Try Again')}
        </button>
      </EmptyView>
    );
  if (compare.studyColumns.value && compare.condition === undefined) return <NoCondition {...props} />;
  if (compare.studyColumns.value && !compare.measure())
    return <EmptyView icon="graph" words={t('The table has no column of numbers.')} />;
  if (!shown) return <EmptyView icon="loading" words="" />;
  if (shown.compared.groups.length === 0) return <EmptyView icon="graph" words={t('No values to plot.')} />;
  const caption = compareCaption(shown, factsOf(compare, shown, actions), source.table.columns);
  return (
    <>
      <Facts {...props} />
      <div class="compare-body">
        <Title {...props} shown={shown} />
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
            <Icon name="copy" /> {t('Copy Caption')}
          </button>
        </div>
      </div>
    </>
  );
}

/** Maximum number of columns that are offered as conditions. */
const MAX_OFFERED = 3;
/** Maximum number of values in a proposal. */
const MAX_LISTED = 8;

/**
 * Shown if no column has conditions: proposes those in folders and names; a click compares them.
 */
function NoCondition({ compare, images, source, actions }: ComparePartProps) {
  useEffect(() => {
    if (!images.metadata.peek()) void images.load();
  }, []);
  const metadata = images.metadata.value;
  const proposal = images.comparison.value;
  // Columns that were just added will soon be in the table.
  const isBeingAdded = metadata?.columns.some(({ role }) => role === 'condition') === true;
  if (isBeingAdded || (!metadata && images.failure.value === undefined))
    return <EmptyView icon="loading" words="" />;
  const edit = (
    <Button primary={!proposal} onClick={actions.addColumns}>
      {proposal ? t('Edit…') : t('Image Columns')}
    </Button>
  );
  if (!proposal) {
    const offered = groupingColumns(source.table.columns, [])
      .filter(({ ofImage, kind }) => ofImage === true && kind === 'text')
      .slice(0, MAX_OFFERED);
    return (
      <EmptyView
        icon="beaker"
        words={t('Which images are of which condition?')}
        hint={t('Give images columns such as Treatment and Donor, or choose a column above.')}
      >
        <div class="over-rows-answers">
          {edit}
          {offered.map(({ index, name }) => (
            <Button key={index} onClick={() => compare.choose({ condition: name })}>
              {t('Compare by {0}', name)}
            </Button>
          ))}
        </div>
      </EmptyView>
    );
  }
  const { conditions, replicate, replicates } = proposal;
  const { columns, unmatched } = proposal.proposed;
  const listWords = (values: readonly string[]) =>
    values.length === 2
      ? t('{0} and {1}', ...values)
      : values.length > MAX_LISTED
        ? `${values.slice(0, MAX_LISTED).join(', ')} ${t('and {0} more', values.length - MAX_LISTED)}`
        : values.join(', ');
  const names =
    replicates.length > 0 ? `${replicate.join(', ')} (${listWords(replicates)})` : replicate.join(', ');
  return (
    <EmptyView
      icon="beaker"
      isHeading
      words={t('Compare {0}', listWords(conditions))}
      hint={
        replicate.length > 0
          ? t('Replicates: {0}', names)
          : t("Nothing identifies replicates, so there won't be a test.")
      }
    >
      <p class="hint">
        {t('From folders and file names. Adds {0} to the table.', columns.map(({ name }) => name).join(', '))}
        {unmatched.length > 0 &&
          ` ${t.count(unmatched.length, '1 image has another name and stays out.', '{0} images have other names and stay out.')}`}
      </p>
      <div class="over-rows-answers">
        <Button
          primary
          onClick={({ currentTarget }) => {
            // The button disappears; a second Enter must not answer the next question.
            currentTarget.closest('main')?.focus();
            images.acceptComparison();
          }}
        >
          {t({ message: 'Compare', comment: 'Verb' })}
        </Button>
        {edit}
      </div>
    </EmptyView>
  );
}

/** Splits a text; every second part is a word that starts with a hyphen. */
function wordsWithHyphens(text: string): string[] {
  return text.split(/(?<=^|[\s(])(-\S+)/);
}

interface ShownProps extends ComparePartProps {
  shown: ShownComparison;
}

/** The title of the figure; a saved figure has it above the plot. */
function Title({ compare, source, shown }: ShownProps) {
  const { title, defaults } = compareWords(shown, source.table.columns);
  return (
    <div class="compare-title">
      <button
        type="button"
        title={t('Title of the figure: click to change')}
        onClick={({ currentTarget }) =>
          editWord(compare, currentTarget, { kind: 'word', what: 'title', defaultText: defaults.title })
        }
      >
        {title}
      </button>
    </div>
  );
}

function Plot({ compare, source, actions, shown, selectedRow }: ShownProps) {
  const place = useRef<HTMLDivElement>(null);
  const stage = useRef<ComparePlotStage | undefined>(undefined);
  useEffect(() => {
    if (!place.current) return undefined;
    const act = (part: PlotPart, element: SVGElement | undefined) => {
      if (part.kind === 'nothing') compare.select(undefined);
      else if (part.kind === 'word') editWord(compare, element ?? place.current ?? document.body, part);
      else if (part.kind === 'color')
        editColor(compare, element ?? place.current ?? document.body, part.name);
      else {
        compare.select(part);
        const { selected, shown: shownNow } = compare;
        const selectedNow = selected.peek();
        if (selectedNow && shownNow.peek())
          actions.say(t('Selected: {0}', partWords(selectedNow, shownNow.peek() ?? shown)));
      }
    };
    const plotStage = new ComparePlotStage({ place: place.current, source, actions: { ...actions, act } });
    stage.current = plotStage;
    return () => {
      plotStage.dispose();
      stage.current = undefined;
    };
  }, []);
  const selected = compare.selected.value;
  const row = selectedRow.value;
  useEffect(() => {
    const words = compareWords(shown, source.table.columns);
    stage.current?.show(shown, words, !compare.asksAboutNames);
    stage.current?.mark(selected, row);
  });
  return <div class="compare-plot" ref={place} />;
}

/** The list of comparisons, with numbers that the plot shows small or not at all. */
function Pairs({ source, shown }: ShownProps) {
  const words = compareWords(shown, source.table.columns);
  const number = (value: number | null) => statisticWords(value);
  const { pairs } = shown.compared;
  const cells = ({ effect, ci95, t: statistic, df, p, pAdjusted, n }: ComparedPair) => [
    number(effect),
    ci95 ? t('{0} to {1}', number(ci95[0]), number(ci95[1])) : '–',
    number(statistic),
    number(df),
    number(p),
    number(pAdjusted),
    t.number(n),
  ];
  const headings = [
    t('Comparisons'),
    words.defaults.effectsAlone,
    intervalName(shown),
    't',
    'df',
    'p',
    t('p adjusted'),
    'n',
  ];
  return (
    <div class="compare-pairs" tabindex={0} role="region" aria-label={t('Comparisons')}>
      <table>
        <thead>
          <tr>
            {headings.map(head => (
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
              <td class="compare-more" colSpan={headings.length}>
                {t(
                  '{0} more: compare with one condition to see those with it.',
                  pairs.length - MAX_LISTED_PAIRS,
                )}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
