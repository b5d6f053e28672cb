import type { TableColumn } from '../../columns/tableSummary';
import { columnName, formatNumber, type TableText } from '../../pages/page/pageText';
import type { TipLine } from '../../drawing/page/plotDrawing';
import type { ComparedPair, Comparison, ComparisonScale } from '../comparison';
import { alikeWords } from './alikeWords';
import type { ComparisonMarks, ShownReplicate } from '../comparisonRequests';
import { chosenName } from './chosenMeasure';
import { splitUnit } from '../../columns/pixelMeasures';
import { type FigureEdits, type FigureWord, wordKey } from './figureEdits';
import { type ShownComparison } from './compareModel';
import { type CompareWords, MAX_EFFECTS } from './comparePlot';
import { conditionAxis } from './conditionPlaces';

/** Digits of statistics in words. */
const DIGITS = 4;
/** Names in a caption. */
const MAX_NAMES = 20;
/** Comparisons in a caption; of more it says how many there are. */
const MAX_PAIRS = 10;
/** Comparisons in the list below the plot: all pairs of many conditions would take seconds to show. */
export const MAX_LISTED_PAIRS = 500;

/** A number of a statistic in words, with the sign of axes; "–" where there is none. */
export function statisticWords(value: number | null | undefined, text: TableText): string {
  return value === null || value === undefined ? '–' : text.significant(value, DIGITS).replace(/^-/, '−');
}

/** What conditions are compared by. */
export function effectName(scale: ComparisonScale, text: TableText): string {
  return text.get(EFFECTS[scale]);
}

const EFFECTS = { difference: 'compareDifference', ratio: 'compareRatio', logit: 'compareOdds' } as const;

/** What the intervals of comparisons are. */
export function intervalName({ compared, params }: ShownComparison, text: TableText): string {
  if (compared.pairs.length < 2) return text.get('compareCi');
  return text.get(params.intervals === 'simultaneous' ? 'compareCiSimultaneous' : 'compareCiUnadjusted');
}

/** What a part of the figure is called: as a person wants, else by itself. */
function worded({ words = {} }: FigureEdits, what: FigureWord, own: string): string {
  const key = wordKey(what, own);
  return (Object.hasOwn(words, key) ? words[key] : undefined) ?? own;
}

/** What a condition is called. */
export function conditionWords({ figure }: Pick<ShownComparison, 'figure'>, condition: string): string {
  return worded(figure, 'condition', condition);
}

/** The unit of the measure, in its name or beside it; undefined where it has none or it isn't known. */
function unitOf({ measure, unit }: ShownComparison): string | undefined {
  return measure.kind === 'column' ? (splitUnit(measure.name).unit ?? unit) : undefined;
}

/** The words of a plot. */
export function compareWords(
  shown: ShownComparison,
  columns: readonly TableColumn[],
  text: TableText,
): CompareWords {
  const { compared, params, measure, figure } = shown;
  const { groups } = compared;
  const isRatio = params.scale !== 'difference';
  const named = (condition: string) => conditionWords(shown, condition);
  const effect = effectName(params.scale, text);
  const intervals = intervalName(shown, text);
  const number = (value: number | null) => statisticWords(value, text);
  const line = (label: string, value: string): TipLine => ({ label, value });
  const interval = (ci95: [number, number] | null) =>
    ci95 ? text.get('compareTo95', number(ci95[0]), number(ci95[1])) : '–';
  const measured = chosenName(measure, text, shown.unit);
  const pairName = ([reference, condition]: ComparedPair['of']) => [
    named(condition),
    text.get(isRatio ? 'comparePer' : 'compareMinus', named(reference)),
  ];
  const pNumber = ({ p, pAdjusted }: ComparedPair) => (p === null ? '' : text.significant(pAdjusted ?? p, 2));
  const replicateName = (name: readonly string[]) => name.join(' · ');
  const conditionName = columnName(columns, params.condition, text);
  // Beside p that are adjusted, it has to be seen whether intervals are.
  const ofEffects = [
    isRatio ? undefined : unitOf(shown),
    compared.pairs.length > 1 ? intervals : undefined,
  ].filter(each => each !== undefined);
  const unit = isRatio ? undefined : unitOf(shown);
  const effectsAlone = unit === undefined ? effect : text.get('compareInUnit', effect, unit);
  const ofIntervals = compared.pairs.length > 1 ? text.get('compareWithCi', effect, intervals) : effect;
  const own = {
    title: text.get('compareTitle', measured, conditionName),
    measure: measured,
    conditions:
      compared.numbers && conditionAxis(compared.numbers)?.isLogarithmic
        ? text.get('compareLogarithmic', conditionName)
        : conditionName,
    effects: ofEffects.length > 0 ? text.get('compareWithCi', effect, ofEffects.join('; ')) : effect,
    effectsAlone,
    replicates: params.replicate.map(column => columnName(columns, column, text)).join(' · '),
  };
  const hasCounts = params.replicate.length > 0 && compared.reason !== 'levels-open';
  return {
    title: worded(figure, 'title', own.title),
    measure: worded(figure, 'measure', own.measure),
    conditions: worded(figure, 'conditions', own.conditions),
    effects: worded(figure, 'effects', own.effects),
    effectsInShort: figure.words?.[wordKey('effects', own.effects)] ?? ofIntervals,
    replicates: own.replicates === '' ? '' : worded(figure, 'replicates', own.replicates),
    own,
    wordTip: text.get('compareWordTip'),
    colorTip: text.get('compareColorTip'),
    others: count => text.get('compareOthers', count),
    condition: at => {
      const { condition = '', n = 0 } = groups[at] ?? {};
      return hasCounts ? [named(condition), text.get('compareIs', 'n', n)] : [named(condition)];
    },
    pair: ({ of }) => pairName(of),
    p: pair => (pair.p === null ? '' : text.get('compareIs', 'p', pNumber(pair))),
    pNumber,
    replicateName,
    objectTip: (value, replicate) => [
      line(measured, formatNumber(value, text)),
      ...(replicate && replicate.name.length > 0
        ? [line(named(replicate.condition), replicateName(replicate.name))]
        : []),
    ],
    replicateTip: replicate => [
      { label: `${named(replicate.condition)} · ${replicateName(replicate.name)}` },
      line(measured, number(replicate.value)),
      ...(replicate.technical === undefined
        ? []
        : [line(text.get('compareTechnicals'), text.number(replicate.technical))]),
      line(text.get('compareImages'), text.number(replicate.images)),
      line(text.get('compareObjects'), text.number(replicate.objects)),
    ],
    conditionTip: at => {
      const group = groups[at];
      if (!group) return [];
      return [
        { label: named(group.condition) },
        ...(hasCounts ? [line(text.get('statistic.count'), text.number(group.n))] : []),
        ...(isRatio && group.center !== undefined
          ? [
              line(text.get(CENTERS[params.scale]), number(group.center)),
              line(text.get('compareCi'), interval(group.centerCi95 ?? null)),
            ]
          : []),
        line(text.get('statistic.mean'), number(group.mean)),
        line(text.get('statistic.sd'), number(group.sd)),
        ...(isRatio ? [] : [line(text.get('compareCi'), interval(group.ci95))]),
      ];
    },
    pairTip: pair => [
      { label: pairName(pair.of).join(' ') },
      line(effect, number(pair.effect)),
      line(intervals, interval(pair.ci95)),
      line('p', pair.p === null ? '–' : number(pair.p)),
      ...(compared.pairs.length > 1 ? [line(text.get('compareAdjusted'), number(pair.pAdjusted))] : []),
    ],
  };
}

const CENTERS = {
  difference: 'statistic.mean',
  ratio: 'compareGeometric',
  logit: 'compareLogitMean',
} as const;

const LIMITS = {
  difference: 'compareLimits',
  ratio: 'compareGeometricLimits',
  logit: 'compareLogitLimits',
} as const;

/** What the user has said of equal names, and a measure that may be in pixels where pixels differ. */
export interface CaptionFacts {
  paired?: boolean | undefined;
  inPixels?: { name: string; isCertain: boolean } | undefined;
  /** The conditions of a named filter, in words. */
  named?: string | undefined;
  /** The filters of the table that apply, in words. */
  filtered?: string | undefined;
}

/** Everything that a reader of the plot has to know, with its title. */
export function compareCaption(
  shown: ShownComparison,
  facts: CaptionFacts,
  columns: readonly TableColumn[],
  text: TableText,
): string {
  return `${compareWords(shown, columns, text).title}. ${captionBelow(shown, facts, columns, text)}`;
}

/** The same below a title: test, n, pairing, definitions, and what is left out. */
export function captionBelow(
  shown: ShownComparison,
  { paired, inPixels, named: ofFilter, filtered }: CaptionFacts,
  columns: readonly TableColumn[],
  text: TableText,
): string {
  const { compared, params, measure } = shown;
  const { groups, replicates, marks } = compared;
  const name = ({ condition, name: own }: ShownReplicate) =>
    `${conditionWords(shown, condition)} ${own.join(' · ')}`;
  const listed = (all: readonly ShownReplicate[]) =>
    `${all.slice(0, MAX_NAMES).map(name).join(', ')}${all.length > MAX_NAMES ? ' …' : ''}`;
  const withoutValue = replicates.filter(({ value }) => value === null);
  const sentences: (string | false | undefined)[] = [
    filtered !== undefined && text.get('compareFiltered', filtered),
  ];
  const small = marks?.groups.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const hasReplicates = params.replicate.length > 0;
  const areLevelsOpen = compared.reason === 'levels-open';
  const named = (some: readonly number[]) => some.map(column => columnName(columns, column, text)).join(', ');
  const { technical = [] } = params;
  if (hasReplicates && !areLevelsOpen)
    sentences.push(
      marks && text.get(behindKey(marks), small),
      text.get(LIMITS[params.scale]),
      text.get(
        'compareOfReplicates',
        named(params.replicate),
        groups.map(({ condition, n }) => `${conditionWords(shown, condition)}: ${n}`).join(', '),
      ),
      meaning(shown, text),
      technical.length > 0 && text.get('compareTechnical', named(technical)),
    );
  // What a name stands for.
  if (measure.kind === 'filter' && ofFilter) sentences.push(text.get('compareNamed', measure.name, ofFilter));
  sentences.push(
    compared.numbers && conditionAxis(compared.numbers)?.isLogarithmic && text.get('compareLogAxis'),
  );
  const drawn = compared.pairs.filter(({ effect }) => effect !== null).length;
  if (drawn > MAX_EFFECTS && !(compared.namesRecur && paired === undefined))
    sentences.push(text.get('compareDrawn', MAX_EFFECTS, drawn));
  if (marks && marks.beyond > 0) sentences.push(text.count('compareBeyond', marks.beyond));
  if (areLevelsOpen) sentences.push(text.get('compareAsksLevels', named(params.replicate)));
  else if (compared.namesRecur && paired === undefined) sentences.push(text.get('compareAsks'));
  else sentences.push(...testWords(shown, text));
  sentences.push(
    withoutValue.length > 0 && hasReplicates && text.get('compareWithoutValue', listed(withoutValue)),
    compared.unpaired.length > 0 &&
      text.get(groups.length > 2 ? 'compareIncomplete' : 'compareUnpaired', listed(compared.unpaired)),
    inPixels && text.get(inPixels.isCertain ? 'compareAreInPixels' : 'compareInPixels', inPixels.name),
    compared.infinite > 0 && text.count('compareInfinite', compared.infinite),
    compared.unjudged > 0 && text.count('compareUnjudged', compared.unjudged),
    measure.kind === 'objectsPerImage' && !compared.areAllKnown && text.get('compareUnknownImages'),
    ...alikeWords(compared.alike, text),
    compared.withoutCondition + compared.withoutReplicate > 0 &&
      text.get('compareWithoutCondition', compared.withoutCondition, compared.withoutReplicate),
    compared.excluded.length > 0 &&
      text.get(
        'compareExcluded',
        compared.excluded
          .slice(0, MAX_NAMES)
          .map(({ image, reason }) => text.get('compareExcludedImage', image, reason))
          .join(', '),
      ),
  );
  return sentences.filter(Boolean).join(' ');
}

/** What stands behind the replicates. */
function behindKey({ of, groups }: ComparisonMarks) {
  const areDensities = groups.some(({ density }) => density);
  if (of === 'objects') return areDensities ? 'compareDensityObjects' : 'compareSmallObjects';
  return areDensities ? 'compareDensityImages' : 'compareSmallImages';
}

/** What the value of a replicate is. */
function meaning({ compared, params, measure }: ShownComparison, text: TableText): string {
  const overImages = params.mean === 'images';
  if (measure.kind === 'objectsPerImage')
    return text.get(
      measure.per === 'area' ? 'compareMeanPerArea' : 'compareMeanPerImage',
      compared.images ?? 0,
      compared.withoutObjects ?? 0,
    );
  if (measure.kind === 'column') return text.get(overImages ? 'compareMeanOfImages' : 'compareMeanOfObjects');
  return text.get(overImages ? 'compareMeanShareImages' : 'compareMeanShare');
}

/** What is said of a comparison, and of one of several. */
const SENTENCES = {
  difference: { alone: 'compareDifferenceIs', adjusted: 'compareAdjustedDifference' },
  ratio: { alone: 'compareRatioIs', adjusted: 'compareAdjustedRatio' },
  logit: { alone: 'compareOddsIs', adjusted: 'compareAdjustedOdds' },
} as const;

/** Which test it is, what came of it, and why there is none. */
function testWords(shown: ShownComparison, text: TableText): string[] {
  const { test, pairs, overall, reason, family } = shown.compared;
  const { scale, paired: isPaired = false, intervals } = shown.params;
  const isRatio = scale !== 'difference';
  const number = (value: number | null | undefined) => statisticWords(value, text);
  const unit = isRatio ? undefined : unitOf(shown);
  const inUnit = (value: number | null) =>
    unit === undefined || value === null ? number(value) : text.get('headlineAmount', number(value), unit);
  const named = ([reference, condition]: ComparedPair['of']) => [
    conditionWords(shown, condition),
    conditionWords(shown, reference),
  ];
  const effect = ({ of, effect: value, ci95, reason: why }: ComparedPair) => {
    const [condition = '', reference = ''] = named(of);
    if (value === null || !ci95)
      return text.get(
        isRatio ? 'compareNoRatioInterval' : 'compareNoInterval',
        condition,
        reference,
        inUnit(value),
        reasonWords(why, isPaired, text),
      );
    const key = SENTENCES[scale].alone;
    return text.get(key, condition, reference, inUnit(value), number(ci95[0]), number(ci95[1]));
  };
  const adjusted = (pair: ComparedPair) => {
    if (pair.p === null || pair.effect === null || !pair.ci95) return effect(pair);
    const key = SENTENCES[scale].adjusted;
    const [condition = '', reference = ''] = named(pair.of);
    const [low, high] = pair.ci95;
    return text.get(
      key,
      condition,
      reference,
      inUnit(pair.effect),
      ...[low, high, pair.pAdjusted].map(number),
    );
  };
  if (test === null) return reason ? [text.get('compareNoP', reasonWords(reason, isPaired, text))] : [];
  const [pair] = pairs;
  if (pairs.length === 1 && pair && overall === null) {
    if (pair.p === null) return [effect(pair)];
    const { t, df, p, n } = pair;
    return [
      test === 'paired-t'
        ? text.get('comparePaired', n, number(t), number(df), number(p))
        : text.get('compareWelch', number(t), number(df), number(p)),
      effect(pair),
    ];
  }
  const { f, df, p, n = 0, epsilon } = overall ?? {};
  const ofAll = df?.map(number) ?? [];
  const areSimultaneous = intervals === 'simultaneous';
  return [
    !df
      ? text.get('compareNoAnova', reasonWords(reason, isPaired, text))
      : test === 'rm-anova'
        ? text.get('compareRepeated', n, number(epsilon), ...ofAll, number(f), number(p))
        : text.get('compareAnova', ...ofAll, number(f), number(p)),
    text.get(
      isPaired ? 'comparePairedFamily' : 'compareFamily',
      family,
      text.get(areSimultaneous ? 'compareAreSimultaneous' : 'compareAreUnadjusted'),
    ),
    ...(isRatio ? [text.get(scale === 'logit' ? 'compareOnLogits' : 'compareOnLogarithms')] : []),
    ...(pairs.length > MAX_PAIRS
      ? [text.get('compareListed', Math.min(MAX_LISTED_PAIRS, pairs.length))]
      : pairs.map(adjusted)),
  ];
}

/** Why something isn't tested. */
export function reasonWords(
  reason: Comparison['reason'] | ComparedPair['reason'],
  isPaired: boolean,
  text: TableText,
): string {
  switch (reason) {
    case 'few':
      return text.get(isPaired ? 'compareFewPairs' : 'compareFew');
    case 'no-variance':
      return text.get('compareNoVariance');
    case 'not-positive':
      return text.get('compareNotPositive');
    case 'not-between':
      return text.get('compareNotBetween');
    case 'no-replicates':
      return text.get('compareReasonNoReplicates');
    case 'one-condition':
      return text.get('compareOneCondition');
    case 'levels-open':
      return text.get('compareReasonLevels');
    case 'names-open':
      return text.get('compareReasonNames');
    default:
      return '–';
  }
}
