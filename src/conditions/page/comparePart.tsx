import { useEffect, useRef } from 'preact/hooks';
import { Button, Icon, IconButton } from '../../pages/page/widgets/parts';
import type { ComparedPair } from '../comparison';
import type { ShownComparison } from './compareModel';
import { Output } from './compareOutput';
import { type ComparePartProps, factsOf } from './comparePartProps';
import { groupingColumns, Pickers } from './comparePickers';
import type { PlotPart } from './comparisonTargets';
import { ComparePlotStage } from './comparePlotStage';
import { Facts, Headline, LevelQuestion, NameQuestion, partWords, PixelWarning } from './compareQuestions';
import { compareCaption, compareWords, intervalName, MAX_LISTED_PAIRS, statisticWords } from './compareWords';
import { editColor, editWord } from './figureEditors';

/** Conditions compared, in place of the rows: choices above, the answer, the plot, its comparisons and its caption. */
export function ComparePart(props: ComparePartProps) {
  const { compare, text } = props;
  if (!compare.state.value.open) return null;
  return (
    <main
      class="over-rows compare"
      aria-label={text.get('compare')}
      aria-busy={compare.isBusy.value}
      tabindex={-1}
    >
      <div class="over-rows-head compare-head">
        <IconButton
          icon="arrow-left"
          label={text.get('backToRows')}
          onClick={() => compare.leave()}
          autofocus
        />
        <h2>{text.get('compare')}</h2>
        <Pickers {...props} />
        <Output {...props} />
      </div>
      <Headline {...props} />
      <PixelWarning {...props} />
      <LevelQuestion {...props} />
      <NameQuestion {...props} />
      <Content {...props} />
    </main>
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
  if (compare.known.value && compare.condition === undefined) return <NoCondition {...props} />;
  if (compare.known.value && !compare.measure())
    return <Empty icon="graph" words={text.get('compareNoMeasure')} />;
  if (!shown) return <Empty icon="loading" words="" />;
  if (shown.compared.groups.length === 0) return <Empty icon="graph" words={text.get('nothingToPlot')} />;
  const caption = compareCaption(shown, factsOf(compare, shown, actions), source.table.columns, text);
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
            <Icon name="copy" /> {text.get('compareCopy')}
          </button>
        </div>
      </div>
    </>
  );
}

/** Columns that may be of conditions are offered as buttons, at most. */
const MAX_OFFERED = 3;
/** Values that a proposal lists. */
const MAX_LISTED = 8;

/** Which images are of which condition isn't known: what folders and names tell is proposed, and a click compares by it. */
function NoCondition({ compare, images, text, source, actions }: ComparePartProps) {
  useEffect(() => {
    if (!images.known.peek()) void images.load();
  }, []);
  const known = images.known.value;
  const proposed = images.comparison.value;
  // Columns that were just added are on their way to the table.
  const isComing = known?.columns.some(({ role }) => role === 'condition') === true;
  if (isComing || (!known && images.failure.value === undefined)) return <Empty icon="loading" words="" />;
  const edit = (
    <Button primary={!proposed} onClick={actions.addColumns}>
      {text.get(proposed ? 'compareEdit' : 'imageColumns')}
    </Button>
  );
  if (!proposed) {
    const offered = groupingColumns(source.table.columns, [])
      .filter(({ ofImage, kind }) => ofImage === true && kind === 'text')
      .slice(0, MAX_OFFERED);
    return (
      <Empty icon="beaker" words={text.get('compareNoCondition')} hint={text.get('compareNoConditionHint')}>
        <div class="compare-answers">
          {edit}
          {offered.map(({ index, name }) => (
            <Button key={index} onClick={() => compare.choose({ condition: name })}>
              {text.get('compareBy', name)}
            </Button>
          ))}
        </div>
      </Empty>
    );
  }
  const { conditions, replicate, replicates } = proposed;
  const { columns, unmatched } = proposed.proposed;
  const listed = (values: readonly string[]) =>
    values.length === 2
      ? text.get('headlineAnd', ...values)
      : values.length > MAX_LISTED
        ? `${values.slice(0, MAX_LISTED).join(', ')} ${text.get('compareOthers', values.length - MAX_LISTED)}`
        : values.join(', ');
  const names =
    replicates.length > 0 ? `${replicate.join(', ')} (${listed(replicates)})` : replicate.join(', ');
  return (
    <Empty
      icon="beaker"
      isHeading
      words={text.get('compareProposal', listed(conditions))}
      hint={
        replicate.length > 0
          ? text.get('compareProposalReplicates', names)
          : text.get('compareProposalNoReplicates')
      }
    >
      <p class="compare-hint">
        {text.get('compareProposalHint', columns.map(({ name }) => name).join(', '))}
        {unmatched.length > 0 && ` ${text.count('compareProposalUnmatched', unmatched.length)}`}
      </p>
      <div class="compare-answers">
        <Button
          primary
          onClick={({ currentTarget }) => {
            // The button goes, and no answer to what comes next may be given by a second Enter.
            currentTarget.closest('main')?.focus();
            images.acceptComparison();
          }}
        >
          {text.get('compareButton')}
        </Button>
        {edit}
      </div>
    </Empty>
  );
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
  isHeading?: boolean;
  children?: preact.ComponentChildren;
}

function Empty({ icon, words, hint, isError = false, isHeading = false, children }: EmptyProps) {
  return (
    <div class="compare-empty">
      <Icon name={icon} spins={icon === 'loading'} />
      {isHeading ? <h3>{words}</h3> : <p role={isError ? 'alert' : undefined}>{words}</p>}
      {hint !== undefined && <p class={isHeading ? '' : 'compare-hint'}>{hint}</p>}
      {children}
    </div>
  );
}

interface ShownProps extends ComparePartProps {
  shown: ShownComparison;
}

/** The title of the figure, which the saved one has above its plot. */
function Title({ compare, text, source, shown }: ShownProps) {
  const { title, own } = compareWords(shown, source.table.columns, text);
  return (
    <div class="compare-title">
      <button
        type="button"
        title={text.get('figureTitleHint')}
        onClick={({ currentTarget }) =>
          editWord(compare, text, currentTarget, { kind: 'word', what: 'title', own: own.title })
        }
      >
        {title}
      </button>
    </div>
  );
}

function Plot({ compare, text, source, actions, shown, selectedRow }: ShownProps) {
  const place = useRef<HTMLDivElement>(null);
  const stage = useRef<ComparePlotStage | undefined>(undefined);
  useEffect(() => {
    if (!place.current) return undefined;
    const act = (part: PlotPart, element: SVGElement | undefined) => {
      if (part.kind === 'nothing') compare.select(undefined);
      else if (part.kind === 'word') editWord(compare, text, element ?? place.current ?? document.body, part);
      else if (part.kind === 'color')
        editColor(compare, text, element ?? place.current ?? document.body, part.name);
      else {
        compare.select(part);
        const { selected, shown: latest } = compare;
        const now = selected.peek();
        if (now && latest.peek())
          actions.say(text.get('compareSelected', partWords(now, latest.peek() ?? shown, text)));
      }
    };
    const made = new ComparePlotStage({ place: place.current, text, source, actions: { ...actions, act } });
    stage.current = made;
    return () => {
      made.dispose();
      stage.current = undefined;
    };
  }, []);
  const selected = compare.selected.value;
  const row = selectedRow.value;
  useEffect(() => {
    const words = compareWords(shown, source.table.columns, text);
    stage.current?.show(shown, words, !compare.asksAboutNames);
    stage.current?.mark(selected, row);
  });
  return <div class="compare-plot" ref={place} />;
}

/** The comparisons of several conditions, with all that stands in the plot only in small. */
function Pairs({ text, source, shown }: ShownProps) {
  const words = compareWords(shown, source.table.columns, text);
  const number = (value: number | null) => statisticWords(value, text);
  const { pairs } = shown.compared;
  const cells = ({ effect, ci95, t: statistic, df, p, pAdjusted, n }: ComparedPair) => [
    number(effect),
    ci95 ? text.get('compareTo95', number(ci95[0]), number(ci95[1])) : '–',
    number(statistic),
    number(df),
    number(p),
    number(pAdjusted),
    text.number(n),
  ];
  const heads = [
    text.get('compareEffects'),
    words.own.effectsAlone,
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
