import { t } from '../../pages/page/l10n';
import { columnStatisticNames } from '../../columns/columnStatistics';
import type { TableColumn } from '../../columns/tableSummary';
import { columnName, formatNumber } from '../../pages/page/columnName';
import type { TipLine } from '../../drawing/page/plotDrawing';
import type { ComparedPair, Comparison } from '../conditionComparison';
import { alikeWords } from './alikeWords';
import type { ComparisonMarks, ShownReplicate } from '../conditionRequests';
import { byImageWords } from '../byImageWords';
import { chosenName, populationOf } from './chosenMeasure';
import { severalJobsWords } from '../severalJobsWords';
import { splitUnit } from '../../columns/pixelMeasures';
import { type FigureEdits, type FigureWord, wordKey } from './figureEdits';
import { type ShownComparison } from './compareModel';
import { type CompareWords, MAX_EFFECTS } from './comparePlot';
import { conditionAxis } from './conditionPlaces';

/** Significant digits of statistics. */
const DIGITS = 4;
/** Maximum number of names in a caption. */
const MAX_NAMES = 20;
/** Maximum number of comparisons in a caption; above it, their number is given. */
const MAX_PAIRS = 10;
/**
 * Maximum number of comparisons in the list below the plot: all pairs of many conditions would take
 * seconds.
 */
export const MAX_LISTED_PAIRS = 500;

/** A statistic as text, with the minus sign of axes; "–" without a value. */
export function statisticWords(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : t.significant(value, DIGITS).replace(/^-/, '−');
}

const EFFECT_NAMES = {
  difference: t.later({ message: 'Difference', comment: 'Between the means of two conditions' }),
  ratio: t.later({ message: 'Ratio', comment: 'Of the means of two conditions' }),
  logit: t.later('Odds Ratio'),
} as const;

/** The kind of intervals as text. */
export function intervalName({ compared, params }: ShownComparison): string {
  if (compared.pairs.length < 2) return t('95 % CI');
  return params.intervals === 'simultaneous' ? t('95 % CI, simultaneous') : t('95 % CI, unadjusted');
}

/** A text of the figure: the user's, else the default. */
function figureText({ words = {} }: FigureEdits, what: FigureWord, defaultText: string): string {
  const key = wordKey(what, defaultText);
  return (Object.hasOwn(words, key) ? words[key] : undefined) ?? defaultText;
}

/** The name of a condition. */
export function conditionWords({ figure }: Pick<ShownComparison, 'figure'>, condition: string): string {
  return figureText(figure, 'condition', condition);
}

/** The measure's unit, from its name or separate; undefined if unknown. */
function unitOf({ measure, unit }: ShownComparison): string | undefined {
  return measure.kind === 'column' ? (splitUnit(measure.name).unit ?? unit) : undefined;
}

/** The texts of a plot. */
export function compareWords(shown: ShownComparison, columns: readonly TableColumn[]): CompareWords {
  const { compared, params, measure, figure } = shown;
  const { groups } = compared;
  const isRatio = params.scale !== 'difference';
  const nameOf = (condition: string) => conditionWords(shown, condition);
  const effect = EFFECT_NAMES[params.scale]();
  const intervals = intervalName(shown);
  const number = (value: number | null) => statisticWords(value);
  const line = (label: string, value: string): TipLine => ({ label, value });
  const interval = (ci95: [number, number] | null) =>
    ci95 ? t('{0} to {1}', number(ci95[0]), number(ci95[1])) : '–';
  const measureName = chosenName(measure, shown.unit);
  const pairName = ([reference, condition]: ComparedPair['of']) => [
    nameOf(condition),
    isRatio ? t('/ {0}', nameOf(reference)) : t('− {0}', nameOf(reference)),
  ];
  const pNumber = ({ p, pAdjusted }: ComparedPair) => (p === null ? '' : t.significant(pAdjusted ?? p, 2));
  const replicateName = (name: readonly string[]) => name.join(' · ');
  const conditionName = columnName(columns, params.condition);
  const unit = isRatio ? undefined : unitOf(shown);
  // Next to adjusted p-values, readers must see whether intervals are adjusted too.
  const effectNotes = [unit, compared.pairs.length > 1 ? intervals : undefined].filter(
    note => note !== undefined,
  );
  const effectsAlone = unit === undefined ? effect : t('{0} ({1})', effect, unit);
  const effectWithIntervals = compared.pairs.length > 1 ? t('{0} ({1})', effect, intervals) : effect;
  const defaults = {
    title: t('{0} by {1}', measureName, conditionName),
    measure: measureName,
    conditions:
      compared.numbers && conditionAxis(compared.numbers)?.isLogarithmic
        ? t('{0} (logarithmic axis)', conditionName)
        : conditionName,
    effects: effectNotes.length > 0 ? t('{0} ({1})', effect, effectNotes.join('; ')) : effect,
    effectsAlone,
    replicates: params.replicate.map(column => columnName(columns, column)).join(' · '),
  };
  const hasCounts = params.replicate.length > 0 && compared.reason !== 'levels-open';
  return {
    title: figureText(figure, 'title', defaults.title),
    measure: figureText(figure, 'measure', defaults.measure),
    conditions: figureText(figure, 'conditions', defaults.conditions),
    effects: figureText(figure, 'effects', defaults.effects),
    effectsInShort: figure.words?.[wordKey('effects', defaults.effects)] ?? effectWithIntervals,
    replicates: defaults.replicates === '' ? '' : figureText(figure, 'replicates', defaults.replicates),
    defaults,
    wordTip: t('click to change'),
    colorTip: t('click to change the color'),
    moreReplicates: count => t('and {0} more', count),
    condition: at => {
      const { condition = '', n = 0 } = groups[at] ?? {};
      return hasCounts ? [nameOf(condition), t('{0} = {1}', 'n', n)] : [nameOf(condition)];
    },
    pair: ({ of }) => pairName(of),
    p: pair => (pair.p === null ? '' : t('{0} = {1}', 'p', pNumber(pair))),
    pNumber,
    replicateName,
    objectTip: (value, replicate) => [
      line(measureName, formatNumber(value)),
      ...(replicate && replicate.name.length > 0
        ? [line(nameOf(replicate.condition), replicateName(replicate.name))]
        : []),
    ],
    replicateTip: replicate => [
      { label: `${nameOf(replicate.condition)} · ${replicateName(replicate.name)}` },
      line(measureName, number(replicate.value)),
      ...(replicate.technical === undefined
        ? []
        : [line(t('Technical replicates'), t.number(replicate.technical))]),
      line(t('Images'), t.number(replicate.images)),
      line(
        t({ message: 'Objects', comment: 'Objects in images, such as cells' }),
        t.number(replicate.objects),
      ),
    ],
    conditionTip: at => {
      const group = groups[at];
      if (!group) return [];
      return [
        { label: nameOf(group.condition) },
        ...(hasCounts ? [line(columnStatisticNames.count(t), t.number(group.n))] : []),
        ...(isRatio && group.center !== undefined
          ? [
              line(CENTER_NAMES[params.scale](), number(group.center)),
              line(t('95 % CI'), interval(group.centerCi95 ?? null)),
            ]
          : []),
        line(columnStatisticNames.mean(t), number(group.mean)),
        line(columnStatisticNames.sd(t), number(group.sd)),
        ...(isRatio ? [] : [line(t('95 % CI'), interval(group.ci95))]),
      ];
    },
    pairTip: pair => [
      { label: pairName(pair.of).join(' ') },
      line(effect, number(pair.effect)),
      line(intervals, interval(pair.ci95)),
      line('p', pair.p === null ? '–' : number(pair.p)),
      ...(compared.pairs.length > 1 ? [line(t('p adjusted'), number(pair.pAdjusted))] : []),
    ],
  };
}

const CENTER_NAMES = {
  difference: () => columnStatisticNames.mean(t),
  ratio: t.later('Geometric mean'),
  logit: t.later('Mean of logits'),
} as const;

/** Sentences that explain the bars of mean and interval. */
const BAR_SENTENCES = {
  difference: t.later('Bars: mean and 95 % CI (Student’s t) of replicates.'),
  ratio: t.later('Bars: geometric mean and 95 % CI (Student’s t of logarithms) of replicates.'),
  logit: t.later('Bars: mean and 95 % CI (Student’s t) of the logits of replicates, as shares.'),
} as const;

/** Facts for a caption that a comparison doesn't have. */
export interface CaptionFacts {
  /** The user's answer whether replicates of the same name are the same; absent without one. */
  paired?: boolean | undefined;
  /** The measure, if it is or may be in pixels, and pixel sizes differ. */
  columnInPixels?: { name: string; isCertain: boolean } | undefined;
  /** The definition of the measure's population as text. */
  definition?: string | undefined;
  /** The table's filters as text. */
  filtered?: string | undefined;
}

/** The title, and everything else that a reader of the plot must know. */
export function compareCaption(
  shown: ShownComparison,
  facts: CaptionFacts,
  columns: readonly TableColumn[],
): string {
  return `${compareWords(shown, columns).title}. ${captionBelow(shown, facts, columns)}`;
}

/** The text below a title: test, n, pairing, definitions, and left-out data. */
export function captionBelow(
  shown: ShownComparison,
  { paired, columnInPixels, definition, filtered }: CaptionFacts,
  columns: readonly TableColumn[],
): string {
  const { compared, params, measure } = shown;
  const { groups, replicates, marks } = compared;
  const replicateName = ({ condition, name }: ShownReplicate) =>
    `${conditionWords(shown, condition)} ${name.join(' · ')}`;
  const namesOf = (some: readonly ShownReplicate[]) =>
    `${some.slice(0, MAX_NAMES).map(replicateName).join(', ')}${some.length > MAX_NAMES ? ' …' : ''}`;
  const withoutValue = replicates.filter(({ value }) => value === null);
  const sentences: (string | false | undefined)[] = [
    filtered !== undefined && t('Only rows that match the filters: {0}.', filtered),
  ];
  const markCount = marks?.groups.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const hasReplicates = params.replicate.length > 0;
  const areLevelsOpen = compared.reason === 'levels-open';
  const columnNames = (positions: readonly number[]) =>
    positions.map(column => columnName(columns, column)).join(', ');
  const { technical = [] } = params;
  if (hasReplicates && !areLevelsOpen)
    sentences.push(
      marks && marksSentence(marks, markCount),
      BAR_SENTENCES[params.scale](),
      t(
        'n counts replicates ({0}): {1}.',
        columnNames(params.replicate),
        groups.map(({ condition, n }) => `${conditionWords(shown, condition)}: ${n}`).join(', '),
      ),
      replicateSentence(shown),
      technical.length > 0 &&
        t(
          'With technical replicates ({0}), that is the value of each; a replicate’s is their mean, all of equal weight.',
          columnNames(technical),
        ),
    );
  const population = populationOf(measure);
  if (population !== undefined && definition) sentences.push(t('{0} is {1}.', population, definition));
  if (compared.byImage) sentences.push(byImageWords(t, compared.byImage));
  sentences.push(
    compared.numbers &&
      conditionAxis(compared.numbers)?.isLogarithmic &&
      t('Conditions are on a logarithmic axis.'),
  );
  const drawnPairs = compared.pairs.filter(({ effect }) => effect !== null).length;
  if (drawnPairs > MAX_EFFECTS && !(compared.namesRecur && paired === undefined))
    sentences.push(t('The first {0} of {1} comparisons are drawn.', MAX_EFFECTS, drawnPairs));
  if (marks && marks.beyond > 0)
    sentences.push(
      t.count(
        marks.beyond,
        '1 value beyond the axis is not drawn.',
        '{0} values beyond the axis are not drawn.',
      ),
    );
  if (areLevelsOpen)
    sentences.push(
      t(
        'Not tested yet: say which of {0} is a replicate, or that each combination is.',
        columnNames(params.replicate),
      ),
    );
  else if (compared.namesRecur && paired === undefined)
    sentences.push(t('Not tested yet: say whether replicates of the same name are the same donors.'));
  else sentences.push(...testWords(shown));
  sentences.push(
    withoutValue.length > 0 && hasReplicates && t('Without a value: {0}.', namesOf(withoutValue)),
    compared.unpaired.length > 0 &&
      (groups.length > 2
        ? t('Not in every condition, and out of the tests of others: {0}.', namesOf(compared.unpaired))
        : t('Without a partner, and out of the paired tests: {0}.', namesOf(compared.unpaired))),
    columnInPixels &&
      (columnInPixels.isCertain
        ? t(
            'Pixels of the images are of different sizes: “{0}” is in pixels, and doesn’t compare.',
            columnInPixels.name,
          )
        : t(
            'Pixels of the images are of different sizes: “{0}” compares only if it isn’t in pixels.',
            columnInPixels.name,
          )),
    compared.infinite > 0 &&
      t.count(
        compared.infinite,
        '1 infinite value is in no mean and no test.',
        '{0} infinite values are in no mean and no test.',
      ),
    compared.unjudged > 0 &&
      t.count(
        compared.unjudged,
        '1 object has no value for the measure and is left out.',
        '{0} objects have no value for the measure and are left out.',
      ),
    measure.kind === 'objectsPerImage' &&
      !compared.areAllKnown &&
      t('Images without objects are unknown, and not counted.'),
    compared.inSeveralJobs !== undefined && severalJobsWords(t, compared.inSeveralJobs),
    ...alikeWords(compared.alike),
    compared.withoutCondition + compared.withoutReplicate > 0 &&
      t(
        '{0} without a condition and {1} without a replicate are left out.',
        compared.withoutCondition,
        compared.withoutReplicate,
      ),
    compared.excluded.length > 0 &&
      t(
        'Excluded images: {0}.',
        compared.excluded
          .slice(0, MAX_NAMES)
          .map(({ image, reason }) => t('{0} ({1})', image, reason))
          .join(', '),
      ),
  );
  return sentences.filter(Boolean).join(' ');
}

/** Explains the marks behind the replicates. */
function marksSentence({ of: kind, groups }: ComparisonMarks, count: number): string {
  const areDensities = groups.some(({ density }) => density);
  if (kind === 'objects')
    return areDensities
      ? t('Gray: density of {0} objects; marks: replicates.', count)
      : t('Small: {0} objects; large: replicates.', count);
  return areDensities
    ? t('Gray: density of {0} images; marks: replicates.', count)
    : t('Small: {0} images; large: replicates.', count);
}

/** Explains the value of a replicate. */
function replicateSentence({ compared, params, measure }: ShownComparison): string {
  const isMeanOfImages = params.mean === 'images';
  const population = populationOf(measure);
  const imageCounts = [compared.images ?? 0, compared.withoutObjects ?? 0] as const;
  if (measure.kind === 'objectsPerImage' && population !== undefined)
    return measure.per === 'area'
      ? t(
          'A replicate is its objects in {2} ÷ the area of its images in mm² ({0} images, {1} of them without objects).',
          ...imageCounts,
          population,
        )
      : t(
          'A replicate is its objects in {2} ÷ its images ({0}, {1} of them without objects).',
          ...imageCounts,
          population,
        );
  if (measure.kind === 'filter')
    return isMeanOfImages
      ? t('A replicate is the mean of the shares of its images.')
      : t('A replicate is its objects in {0} ÷ those of the parent.', measure.name);
  if (measure.kind === 'column' && population !== undefined)
    return isMeanOfImages
      ? t('A replicate is the mean of its images, of objects in {0}.', population)
      : t('A replicate is the mean over its objects in {0}.', population);
  if (measure.kind === 'objectsPerImage')
    return measure.per === 'area'
      ? t(
          'A replicate is its objects ÷ the area of its images in mm² ({0} images, {1} of them without objects).',
          ...imageCounts,
        )
      : t('A replicate is its objects ÷ its images ({0}, {1} of them without objects).', ...imageCounts);
  if (measure.kind === 'column')
    return isMeanOfImages
      ? t('A replicate is the mean of its images.')
      : t('A replicate is the mean over its objects.');
  return isMeanOfImages
    ? t('A replicate is the mean of the shares of its images.')
    : t('A replicate is its objects in the share ÷ all its objects.');
}

/** Sentences about the effect of the only comparison, and of one of several. */
const EFFECT_SENTENCES = {
  difference: {
    alone: t.later('{0} − {1}: {2} (95 % CI {3} to {4}).'),
    adjusted: t.later('{0} − {1}: {2} (95 % CI {3} to {4}), adjusted p = {5}.'),
  },
  ratio: {
    alone: t.later('{0} / {1}: {2} (95 % CI {3} to {4}), a ratio of geometric means, tested on logarithms.'),
    adjusted: t.later('{0} / {1}: {2} (95 % CI {3} to {4}, of geometric means), adjusted p = {5}.'),
  },
  logit: {
    alone: t.later('{0} / {1}: odds ratio {2} (95 % CI {3} to {4}), tested on logits.'),
    adjusted: t.later('{0} / {1}: odds ratio {2} (95 % CI {3} to {4}), adjusted p = {5}.'),
  },
} as const;

/** The test with its result, or why there is none. */
function testWords(shown: ShownComparison): string[] {
  const { test, pairs, overall, reason, family } = shown.compared;
  const { scale, paired: isPaired = false, intervals } = shown.params;
  const isRatio = scale !== 'difference';
  const number = (value: number | null | undefined) => statisticWords(value);
  const unit = isRatio ? undefined : unitOf(shown);
  const withUnit = (value: number | null) =>
    unit === undefined || value === null ? number(value) : t('{0} {1}', number(value), unit);
  const namesOf = ([reference, condition]: ComparedPair['of']) => [
    conditionWords(shown, condition),
    conditionWords(shown, reference),
  ];
  const effectSentence = ({ of, effect: value, ci95, reason: noTest }: ComparedPair) => {
    const [condition = '', reference = ''] = namesOf(of);
    if (value === null || !ci95)
      return isRatio
        ? t(
            '{0} / {1}: {2}; no interval and no p: {3}.',
            condition,
            reference,
            withUnit(value),
            reasonWords(noTest, isPaired),
          )
        : t(
            '{0} − {1}: {2}; no interval and no p: {3}.',
            condition,
            reference,
            withUnit(value),
            reasonWords(noTest, isPaired),
          );
    return EFFECT_SENTENCES[scale].alone(
      condition,
      reference,
      withUnit(value),
      number(ci95[0]),
      number(ci95[1]),
    );
  };
  const adjustedSentence = (pair: ComparedPair) => {
    if (pair.p === null || pair.effect === null || !pair.ci95) return effectSentence(pair);
    const [condition = '', reference = ''] = namesOf(pair.of);
    const [low, high] = pair.ci95;
    return EFFECT_SENTENCES[scale].adjusted(
      condition,
      reference,
      withUnit(pair.effect),
      ...[low, high, pair.pAdjusted].map(number),
    );
  };
  if (test === null) return reason ? [t('No p: {0}.', reasonWords(reason, isPaired))] : [];
  const [pair] = pairs;
  if (pairs.length === 1 && pair && overall === null) {
    if (pair.p === null) return [effectSentence(pair)];
    const { t: statistic, df, p, n } = pair;
    return [
      test === 'paired-t'
        ? t(
            'Paired t test of {0} pairs of replicates, two-sided: t = {1}, df = {2}, p = {3}.',
            n,
            number(statistic),
            number(df),
            number(p),
          )
        : t(
            'Welch’s t test of replicates, two-sided: t = {0}, df = {1}, p = {2}.',
            number(statistic),
            number(df),
            number(p),
          ),
      effectSentence(pair),
    ];
  }
  const { f, df, p, n = 0, epsilon } = overall ?? {};
  const degreesOfFreedom = df?.map(number) ?? [];
  const areSimultaneous = intervals === 'simultaneous';
  return [
    !df
      ? t('No test over all conditions: {0}.', reasonWords(reason, isPaired))
      : test === 'rm-anova'
        ? t(
            'Repeated-measures ANOVA of the {0} replicates with a value in each condition, Greenhouse–Geisser corrected (ε = {1}): F({2}, {3}) = {4}, p = {5}.',
            n,
            number(epsilon),
            ...degreesOfFreedom,
            number(f),
            number(p),
          )
        : t(
            'Welch’s ANOVA of replicates: F({0}, {1}) = {2}, p = {3}.',
            ...degreesOfFreedom,
            number(f),
            number(p),
          ),
    isPaired
      ? t(
          'Comparisons by paired t test, two-sided, p adjusted by Holm over {0} comparisons; {1}.',
          family,
          areSimultaneous ? t('intervals are simultaneous (Bonferroni)') : t('intervals are unadjusted'),
        )
      : t(
          'Comparisons by Welch’s t test, two-sided, p adjusted by Holm over {0} comparisons; {1}.',
          family,
          areSimultaneous ? t('intervals are simultaneous (Bonferroni)') : t('intervals are unadjusted'),
        ),
    ...(isRatio ? [scale === 'logit' ? t('Tested on logits.') : t('Tested on logarithms.')] : []),
    ...(pairs.length > MAX_PAIRS
      ? [
          t(
            'The table below the plot has {0} differences with their intervals and p.',
            Math.min(MAX_LISTED_PAIRS, pairs.length),
          ),
        ]
      : pairs.map(adjustedSentence)),
  ];
}

/** Why there is no test. */
export function reasonWords(
  reason: Comparison['reason'] | ComparedPair['reason'],
  isPaired: boolean,
): string {
  switch (reason) {
    case 'few':
      return isPaired ? t('fewer than 3 pairs of replicates') : t('fewer than 3 replicates in a condition');
    case 'no-variance':
      return t('the values of replicates vary by no more than rounding');
    case 'not-positive':
      return t('a ratio needs values above 0');
    case 'not-between':
      return t('odds need shares above 0 and below 1');
    case 'no-replicates':
      return t('no column has the role of replicates; objects and images aren’t replicates');
    case 'one-condition':
      return t('fewer than 2 conditions');
    case 'levels-open':
      return t('it isn’t said which column is of replicates');
    case 'names-open':
      return t('it isn’t said whether replicates of the same name are the same ones');
    default:
      return '–';
  }
}
