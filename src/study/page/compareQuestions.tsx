import { t } from '../../pages/page/l10n';
import { pixelUnit } from '../../columns/pixelMeasures';
import type { ComponentChildren } from 'preact';
import { columnName } from '../../pages/page/columnName';
import { Button, Icon, IconButton, LinkButton } from '../../pages/page/widgets/parts';
import { formatNumber } from '../../pages/page/columnName';
import { byImageWords } from '../byImageWords';
import { chosenName } from './chosenMeasure';
import { compareHeadline } from './compareHeadline';
import type { CompareModel, SelectedPart, ShownComparison } from './compareModel';
import type { ComparePartProps } from './comparePartProps';
import { conditionWords } from './compareWords';

/*
 * What is between the settings of a comparison and its plot: result, questions and answers,
 * selection and filters.
 */

/** The result in words. */
export function Headline({ compare }: ComparePartProps) {
  const shown = compare.shown.value;
  const words =
    shown && shown.compared.groups.length > 0 && compare.failure.value === undefined
      ? compareHeadline(shown, compare.asksAboutNames)
      : '';
  return (
    <p class="compare-headline" role="status" hidden={words === ''}>
      {words}
    </p>
  );
}

/** The warning about lengths and areas in pixels of images with different pixel sizes. */
export function PixelWarning({ compare, actions }: ComparePartProps) {
  const columnInPixels = compare.columnInPixels;
  if (!columnInPixels) return null;
  const { name, micron, isCertain } = columnInPixels;
  const unit = micron === undefined && actions.convert ? pixelUnit(name) : undefined;
  return (
    <div class="compare-question open" role="status">
      <Icon name="warning" />
      <span>
        {isCertain
          ? t('Pixels of the images are of different sizes: “{0}” is in pixels, and doesn’t compare.', name)
          : t(
              'Pixels of the images are of different sizes: “{0}” compares only if it isn’t in pixels.',
              name,
            )}
      </span>
      {micron !== undefined && (
        <Button onClick={() => compare.chooseColumn(micron)}>{t('Use {0}', micron)}</Button>
      )}
      {unit !== undefined && (
        <Button onClick={() => actions.convert?.(name)}>
          {t('Convert to {0}', unit === 'px²' ? 'µm²' : 'µm')}
        </Button>
      )}
    </div>
  );
}

/** The warning about thresholds per image, which may hide differences between conditions. */
export function ImageThresholdWarning({ compare }: ComparePartProps) {
  const byImage = compare.shown.value?.compared.byImage;
  if (!byImage) return null;
  return (
    <div class="compare-question open" role="status">
      <Icon name="warning" />
      <span>{byImageWords(t, byImage)}</span>
    </div>
  );
}

/**
 * Whether to show the question about levels of replicates: it is unanswered, or the user opened it
 * again.
 */
function isLevelQuestionShown(compare: CompareModel): boolean {
  const areMultiplied = compare.shown.value?.compared.areMultiplied === true;
  return areMultiplied && (compare.asksAboutLevels || compare.isQuestionReopened.value);
}

function isNameQuestionShown(compare: CompareModel): boolean {
  const doNamesRecur = compare.shown.value?.compared.namesRecur === true;
  return (
    doNamesRecur &&
    !compare.asksAboutLevels &&
    (compare.paired === undefined || compare.isQuestionReopened.value)
  );
}

/** The question which of several replicate columns defines n: only a user knows. */
export function LevelQuestion({ compare, source }: ComparePartProps) {
  if (!isLevelQuestionShown(compare)) return null;
  const { columns } = source.table;
  const { replicate, technical } = compare;
  const nameOf = (index: number) => columns[index]?.name ?? '';
  return (
    <Question
      words={t('Several columns multiply the replicates. What is a replicate?')}
      hint={t('The others become technical replicates, whose values are averaged.')}
    >
      {replicate.map(index => (
        <Button
          key={index}
          aria-pressed={false}
          onClick={() => {
            compare.choose({
              replicate: [nameOf(index)],
              technical: [...technical, ...replicate.filter(other => other !== index)].map(nameOf),
            });
            focusNext();
          }}
        >
          {columnName(columns, index)}
        </Button>
      ))}
      <Button
        aria-pressed={!compare.asksAboutLevels}
        onClick={() => {
          compare.choose({ replicate: replicate.map(nameOf), combined: true });
          focusNext();
        }}
      >
        {t('Each Combination')}
      </Button>
    </Question>
  );
}

/**
 * The question whether equal names are the same donors: only a user knows. No answer is
 * preselected.
 */
export function NameQuestion({ compare }: ComparePartProps) {
  if (!isNameQuestionShown(compare)) return null;
  const { paired } = compare;
  const answer = (value: boolean, words: string) => (
    <Button
      aria-pressed={paired === value}
      onClick={() => {
        compare.choose({ paired: value });
        focusNext();
      }}
    >
      {words}
    </Button>
  );
  return (
    <Question
      words={t('Replicates of different conditions have the same names. Are they the same ones?')}
      hint={t('Donors, animals or days that were measured under each condition are paired.')}
    >
      {answer(true, t('Yes, Pair Them'))}
      {answer(false, t({ message: 'No', comment: 'Answer to a question' }))}
    </Question>
  );
}

function Question({ words, hint, children }: { words: string; hint: string; children: ComponentChildren }) {
  return (
    <div class="compare-question open" role="group" aria-label={words}>
      <Icon name="question" />
      <span title={hint}>{words}</span>
      <span class="over-rows-answers">{children}</span>
    </div>
  );
}

/** Moves the focus from a removed button to its replacement. */
function focusNext(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('.compare-question button, .compare-facts button')?.focus();
  });
}

/**
 * The given answers, the filters that the plot ignores, and its selection. Reserves space so that
 * the layout doesn't jump.
 */
export function Facts(props: ComparePartProps) {
  return (
    <div class="compare-facts">
      <Answers {...props} />
      <IgnoredFilters {...props} />
      <SelectedPartActions {...props} />
    </div>
  );
}

/** Short texts of the given answers. */
function Answers({ compare }: ComparePartProps) {
  const { areMultiplied = false, namesRecur = false } = compare.shown.value?.compared ?? {};
  const { paired } = compare;
  const answers = [
    areMultiplied && !compare.asksAboutLevels && t('Each combination is a replicate'),
    namesRecur &&
      !compare.asksAboutLevels &&
      paired !== undefined &&
      (paired ? t({ message: 'Paired', comment: 'Statistical test on pairs of values' }) : t('Not paired')),
  ].filter(answer => answer !== false);
  if (answers.length === 0 || compare.isQuestionReopened.value) return null;
  const words = answers.join(' · ');
  return (
    <span class="compare-fact">
      {`${words} · `}
      <LinkButton
        aria-label={t('Change: {0}', words)}
        onClick={() => {
          compare.reopenQuestion();
          focusNext();
        }}
      >
        {t({ message: 'Change', comment: 'Verb' })}
      </LinkButton>
    </span>
  );
}

/** Filters to one condition or replicate, which the plot ignores. */
function IgnoredFilters({ compare, actions }: ComparePartProps) {
  const ignored = compare.shown.value?.ignored ?? [];
  if (ignored.length === 0) return null;
  return (
    <span class="compare-fact" role="status">
      <Icon name="filter" />
      <span class="compare-fact-words">
        {t('This plot ignores a filter and shows all conditions: {0}', actions.filterWords(ignored))}
      </span>
      <Button
        onClick={() => {
          actions.removeFilters(ignored);
          focusNext();
        }}
      >
        {t('Remove Filter')}
      </Button>
    </span>
  );
}

/** The selected part of the plot, with actions. */
function SelectedPartActions({ compare, actions }: ComparePartProps) {
  const shown = compare.shown.value;
  const part = compare.selected.value;
  if (!shown || !part) return null;
  const words = partWords(part, shown);
  return (
    <span class="compare-fact" role="group" aria-label={t('Selected: {0}', words)}>
      <Button
        onClick={() => {
          actions.filterTo(compare.filtersOf(part), words);
          compare.select(undefined);
          focusNext();
        }}
      >
        <Icon name="filter" /> {t('Filter Table to {0}', words)}
      </Button>
      <IconButton icon="close" label={t('Clear Selection')} onClick={() => compare.select(undefined)} />
    </span>
  );
}

/** The name of a part of the plot. */
export function partWords(part: SelectedPart, shown: ShownComparison): string {
  if (part.kind === 'range') {
    const ends = [part.from, part.to].map(end => formatNumber(end));
    return `${chosenName(shown.measure, shown.unit)} ${t('{0} to {1}', ...ends)}`;
  }
  const condition = conditionWords(shown, part.condition);
  return part.kind === 'condition' ? condition : [condition, ...part.name].join(' · ');
}
