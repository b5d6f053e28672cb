import { pixelUnit } from '../../columns/pixelMeasures';
import type { ComponentChildren } from 'preact';
import { columnName } from '../../pages/page/pageText';
import { Button, Icon, IconButton, LinkButton } from '../../pages/page/widgets/parts';
import { formatNumber } from '../../pages/page/pageText';
import { chosenName } from './chosenMeasure';
import { compareHeadline } from './compareHeadline';
import type { CompareModel, SelectedPart, ShownComparison } from './compareModel';
import type { ComparePartProps } from './comparePartProps';
import { conditionWords } from './compareWords';

/*
 * What a comparison answers, what it asks, and what has been answered, selected and filtered: between the choices and the plot.
 */

/** The answer in words. */
export function Headline({ compare, text }: ComparePartProps) {
  const shown = compare.shown.value;
  const words =
    shown && shown.compared.groups.length > 0 && compare.failure.value === undefined
      ? compareHeadline(shown, compare.asksAboutNames, text)
      : '';
  return (
    <p class="compare-headline" role="status" hidden={words === ''}>
      {words}
    </p>
  );
}

/** Lengths and areas in pixels, over images whose pixels are of different sizes. */
export function PixelWarning({ compare, text, actions }: ComparePartProps) {
  const measured = compare.inPixels;
  if (!measured) return null;
  const { name, micron, isCertain } = measured;
  const unit = micron === undefined && actions.convert ? pixelUnit(name) : undefined;
  return (
    <div class="compare-question open" role="status">
      <Icon name="warning" />
      <span>{text.get(isCertain ? 'compareAreInPixels' : 'compareInPixels', name)}</span>
      {micron !== undefined && (
        <Button onClick={() => compare.chooseColumn(micron)}>{text.get('compareUseMicrons', micron)}</Button>
      )}
      {unit !== undefined && (
        <Button onClick={() => actions.convert?.(name)}>
          {text.get('convertColumn', unit === 'px²' ? 'µm²' : 'µm')}
        </Button>
      )}
    </div>
  );
}

/** Whether the levels of replicates are asked about: they are open, or the answer may be changed. */
function areLevelsShown(compare: CompareModel): boolean {
  const multiplied = compare.shown.value?.compared.areMultiplied === true;
  return multiplied && (compare.asksAboutLevels || compare.isAskedAgain.value);
}

function areNamesShown(compare: CompareModel): boolean {
  const recur = compare.shown.value?.compared.namesRecur === true;
  return recur && !compare.asksAboutLevels && (compare.paired === undefined || compare.isAskedAgain.value);
}

/** Several columns of replicates multiply n: which of them counts only a person knows. */
export function LevelQuestion({ compare, text, source }: ComparePartProps) {
  if (!areLevelsShown(compare)) return null;
  const { columns } = source.table;
  const { replicate, technical } = compare;
  const nameOf = (index: number) => columns[index]?.name ?? '';
  return (
    <Asked words={text.get('compareLevels')} hint={text.get('compareLevelsHint')}>
      {replicate.map(index => (
        <Button
          key={index}
          aria-pressed={false}
          onClick={() => {
            compare.choose({
              replicate: [nameOf(index)],
              technical: [...technical, ...replicate.filter(each => each !== index)].map(nameOf),
            });
            focusNext();
          }}
        >
          {columnName(columns, index, text)}
        </Button>
      ))}
      <Button
        aria-pressed={!compare.asksAboutLevels}
        onClick={() => {
          compare.choose({ replicate: replicate.map(nameOf), combined: true });
          focusNext();
        }}
      >
        {text.get('compareLevelsAll')}
      </Button>
    </Asked>
  );
}

/** Equal names may be the same donors or a coincidence: only a person knows, and no answer is chosen beforehand. */
export function NameQuestion({ compare, text }: ComparePartProps) {
  if (!areNamesShown(compare)) return null;
  const { paired } = compare;
  const answer = (value: boolean, key: 'compareSameYes' | 'compareSameNo') => (
    <Button
      aria-pressed={paired === value}
      onClick={() => {
        compare.choose({ paired: value });
        focusNext();
      }}
    >
      {text.get(key)}
    </Button>
  );
  return (
    <Asked words={text.get('compareSame')} hint={text.get('compareSameHint')}>
      {answer(true, 'compareSameYes')}
      {answer(false, 'compareSameNo')}
    </Asked>
  );
}

function Asked({ words, hint, children }: { words: string; hint: string; children: ComponentChildren }) {
  return (
    <div class="compare-question open" role="group" aria-label={words}>
      <Icon name="question" />
      <span title={hint}>{words}</span>
      <span class="compare-answers">{children}</span>
    </div>
  );
}

/** The button that was pressed is gone with its question, or with the answer: the keyboard goes to what has taken its place. */
function focusNext(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('.compare-question button, .compare-facts button')?.focus();
  });
}

/** What has been answered, what the plot doesn't follow, and what is selected in it; its room is kept, so that nothing jumps. */
export function Facts(props: ComparePartProps) {
  return (
    <div class="compare-facts">
      <Answers {...props} />
      <Ignored {...props} />
      <Selected {...props} />
    </div>
  );
}

/** Questions that were answered, in short. */
function Answers({ compare, text }: ComparePartProps) {
  const { areMultiplied = false, namesRecur = false } = compare.shown.value?.compared ?? {};
  const { paired } = compare;
  const answers = [
    areMultiplied && !compare.asksAboutLevels && text.get('compareCombinedShort'),
    namesRecur &&
      !compare.asksAboutLevels &&
      paired !== undefined &&
      text.get(paired ? 'comparePairedShort' : 'compareNotPairedShort'),
  ].filter(answer => answer !== false);
  if (answers.length === 0 || compare.isAskedAgain.value) return null;
  const words = answers.join(' · ');
  return (
    <span class="compare-fact">
      {`${words} · `}
      <LinkButton
        aria-label={text.get('compareChangeOf', words)}
        onClick={() => {
          compare.askAgain();
          focusNext();
        }}
      >
        {text.get('compareChange')}
      </LinkButton>
    </span>
  );
}

/** Filters to one condition or replicate, which the plot doesn't follow. */
function Ignored({ compare, text, actions }: ComparePartProps) {
  const ignored = compare.shown.value?.ignored ?? [];
  if (ignored.length === 0) return null;
  return (
    <span class="compare-fact" role="status">
      <Icon name="filter" />
      <span class="compare-fact-words">{text.get('compareIgnores', actions.filterWords(ignored))}</span>
      <Button
        onClick={() => {
          actions.removeFilters(ignored);
          focusNext();
        }}
      >
        {text.get('compareRemoveFilter')}
      </Button>
    </span>
  );
}

/** What is selected in the plot, with what can be done with it. */
function Selected({ compare, text, actions }: ComparePartProps) {
  const shown = compare.shown.value;
  const part = compare.selected.value;
  if (!shown || !part) return null;
  const words = partWords(part, shown, text);
  return (
    <span class="compare-fact" role="group" aria-label={text.get('compareSelected', words)}>
      <Button
        onClick={() => {
          actions.filterTo(compare.filtersOf(part), words);
          compare.select(undefined);
          focusNext();
        }}
      >
        <Icon name="filter" /> {text.get('compareFilterTo', words)}
      </Button>
      <IconButton
        icon="close"
        label={text.get('compareUnselect')}
        onClick={() => compare.select(undefined)}
      />
    </span>
  );
}

/** What a part of the plot is called. */
export function partWords(
  part: SelectedPart,
  shown: ShownComparison,
  text: ComparePartProps['text'],
): string {
  if (part.kind === 'range') {
    const ends = [part.from, part.to].map(end => formatNumber(end, text));
    return `${chosenName(shown.measure, text, shown.unit)} ${text.get('compareTo95', ...ends)}`;
  }
  const condition = conditionWords(shown, part.condition);
  return part.kind === 'condition' ? condition : [condition, ...part.name].join(' · ');
}
