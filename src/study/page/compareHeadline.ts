import { type PageWords, t } from '../../pages/page/l10n';
import type { ComparedPair } from '../conditionComparison';
import { isLengthOrArea, splitUnit } from '../../columns/pixelMeasures';
import type { ShownComparison } from './compareModel';
import { chosenName } from './chosenMeasure';
import { conditionWords, reasonWords, statisticWords } from './compareWords';

/*
 * The result of a comparison in one or a few sentences. A difference is only called larger or
 * smaller if the interval and the test show it: for two conditions, the interval excludes no
 * difference; for several, adjusted p is also below 0.05.
 */

/** Adjusted p below this is significant, as with intervals of 95 %. */
const ALPHA = 0.05;
/** Maximum number of conditions in a sentence, and of means in a list. */
const MAX_NAMES = 6;
/** Maximum number of sentences about comparisons of all pairs. */
const MAX_SENTENCES = 3;
/** Smaller p are shown as below this value. */
const MIN_SHOWN_P = 0.0001;

/** Whether a pair differs, and in which direction; undefined without a test. */
type Outcome = 'up' | 'down' | 'unclear' | undefined;

/**
 * The result of a comparison, or what is missing for it. `asksNames`: the user must say whether
 * replicates with equal names are the same.
 */
export function compareHeadline(shown: ShownComparison, asksNames: boolean): string {
  const { compared, params } = shown;
  const { groups, pairs, reason } = compared;
  if (reason === 'levels-open') return t('Not tested yet: say what a replicate is.');
  const means = meansOf(shown);
  if (asksNames)
    return sentences([
      t('Not tested yet: say whether the replicates are the same ones in each condition.'),
      means,
    ]);
  const [onlyCondition] = groups;
  if (groups.length === 1 && onlyCondition)
    return sentences([
      t('Nothing to compare: {0} is the only condition.', conditionWords(shown, onlyCondition.condition)),
      means,
    ]);
  if (reason === 'no-replicates')
    return sentences([
      t(
        'Not tested: no column identifies replicates. Choose one, such as donor or day; objects of one sample aren’t independent.',
      ),
      means,
    ]);
  if (pairs.every(pair => outcomeOf(pair, shown) === undefined)) {
    const noTest = pairs.find(pair => pair.reason !== undefined)?.reason ?? reason;
    return sentences([t('Not tested: {0}.', reasonWords(noTest, params.paired === true)), means]);
  }
  const [pair] = pairs;
  return pairs.length === 1 && pair ? pairSentence(pair, shown) : severalSentences(shown);
}

function sentences(parts: readonly string[]): string {
  return parts.filter(sentence => sentence !== '').join(' ');
}

function outcomeOf(
  { effect, ci95, p, pAdjusted }: ComparedPair,
  { compared, params }: ShownComparison,
): Outcome {
  if (effect === null || !ci95 || p === null) return undefined;
  const noEffect = params.scale === 'difference' ? 0 : 1;
  const isClear = compared.pairs.length < 2 || (pAdjusted ?? p) < ALPHA;
  if (isClear && ci95[0] > noEffect) return 'up';
  if (isClear && ci95[1] < noEffect) return 'down';
  return 'unclear';
}

/** The measure as the subject of a sentence, and the unit of its numbers. */
function subjectOf({ measure, unit }: ShownComparison): { name: string; unit: string } {
  switch (measure.kind) {
    case 'column': {
      const { name, unit: columnUnit } = splitUnit(measure.name);
      const { population } = measure;
      const within = population === undefined ? name : t('{0} in {1}', name, population);
      return { name: within, unit: columnUnit ?? unit ?? '' };
    }
    case 'objectsPerImage':
      if (measure.population !== undefined) return { name: chosenName(measure), unit: '' };
      return {
        name:
          measure.per === 'area' ? t('The number of objects per mm²') : t('The number of objects per image'),
        unit: '',
      };
    default:
      return { name: chosenName(measure, unit), unit: '' };
  }
}

/** A difference with its unit; for shares in percentage points. */
function amount(words: string, { measure }: ShownComparison, unit: string): string {
  if (isShare(measure)) return t('{0} percentage points', words);
  return unit === '' ? words : t('{0} {1}', words, unit);
}

function isShare({ kind }: ShownComparison['measure']): boolean {
  return kind !== 'column' && kind !== 'objectsPerImage';
}

/**
 * Whether the measure is a length or an area, which is larger or smaller; others are higher or
 * lower.
 */
function isExtent({ measure }: ShownComparison): boolean {
  return measure.kind === 'column' && isLengthOrArea(measure.name);
}

/** The sentence for the difference of two conditions. */
function pairWords(shown: ShownComparison, isUp: boolean): PageWords {
  if (isExtent(shown))
    return isUp ? t.later('{0} is {1} larger in {2} ({3}).') : t.later('{0} is {1} smaller in {2} ({3}).');
  return isUp ? t.later('{0} is {1} higher in {2} ({3}).') : t.later('{0} is {1} lower in {2} ({3}).');
}

/** The sentence for differences of several conditions. */
function severalWords(shown: ShownComparison, isUp: boolean): PageWords {
  if (isExtent(shown))
    return isUp
      ? t.later('{0} is larger in {1} than in {2}.')
      : t.later('{0} is smaller in {1} than in {2}.');
  return isUp ? t.later('{0} is higher in {1} than in {2}.') : t.later('{0} is lower in {1} than in {2}.');
}

function pairSentence(pair: ComparedPair, shown: ShownComparison): string {
  const { params } = shown;
  const { effect, ci95, p } = pair;
  if (effect === null || !ci95 || p === null) return '';
  const outcome = outcomeOf(pair, shown);
  const [reference, condition] = pair.of.map(name => conditionWords(shown, name)) as [string, string];
  const { name, unit } = subjectOf(shown);
  const isClear = outcome !== 'unclear';
  const evidence = (ends: readonly [number, number], noEffect: number) =>
    t(
      '95 % CI {0} to {1}; {2}, n = {3}, {4}',
      ...endWords(ends, isClear ? noEffect : undefined),
      testName(shown),
      countWords(pair, shown),
      pWords(p),
    );
  if (params.scale !== 'difference') {
    const times = statisticWords(effect);
    const evidenceText = evidence(ci95, 1);
    if (!isClear)
      return t(
        '{0} doesn’t clearly differ: {1} is {2} times {3} ({4}).',
        name,
        condition,
        times,
        reference,
        evidenceText,
      );
    return params.scale === 'logit'
      ? t(
          '{0}: the odds in {1} are {2} times those in {3} ({4}).',
          name,
          condition,
          times,
          reference,
          evidenceText,
        )
      : t('{0} in {1} is {2} times that in {3} ({4}).', name, condition, times, reference, evidenceText);
  }
  // Shares are numbers from 0 to 1; the text has percentage points.
  const factor = isShare(shown.measure) ? 100 : 1;
  const [low, high] = [ci95[0] * factor, ci95[1] * factor];
  const size = (value: number) => amount(statisticWords(value * factor), shown, unit);
  if (!isClear) {
    const evidenceText = evidence([low, high], 0);
    return t(
      '{0} doesn’t clearly differ: {1} − {2} is {3} ({4}).',
      name,
      condition,
      reference,
      size(effect),
      evidenceText,
    );
  }
  const isUp = outcome === 'up';
  const percent = percentOf(pair, shown);
  const sizeWords =
    percent === undefined
      ? size(Math.abs(effect))
      : t('{0} ({1} %)', size(Math.abs(effect)), t.significant(Math.abs(percent), 2));
  const evidenceText = evidence(isUp ? [low, high] : [-high, -low], 0);
  return pairWords(shown, isUp)(name, sizeWords, condition, evidenceText);
}

/**
 * The shortened ends of an interval. Digits are added until the text of an interval that excludes
 * `noEffect` excludes it too.
 */
function endWords(ends: readonly [number, number], noEffect: number | undefined): string[] {
  const words = t.aligned(ends, 3);
  return words.map((word, at) => {
    const other = ends[1 - at] ?? 0;
    const end = ends[at] ?? 0;
    const looksLikeNoEffect = (shown: string, digits?: number) =>
      noEffect !== undefined &&
      shown === (digits === undefined ? t.aligned([noEffect, other], 3)[0] : t.significant(noEffect, digits));
    if (!looksLikeNoEffect(word)) return word.replace(/^-/, '−');
    const digits = [4, 7, 12].find(count => !looksLikeNoEffect(t.significant(end, count), count)) ?? 12;
    return t.significant(end, digits).replace(/^-/, '−');
  });
}

/**
 * A difference in percent of the reference's mean, over the tested replicates; undefined if
 * percents make no sense.
 */
function percentOf(
  { of, effect }: ComparedPair,
  { compared, params, measure }: ShownComparison,
): number | undefined {
  if (effect === null || isShare(measure)) return undefined;
  const [reference, condition] = of.map(name =>
    compared.replicates.filter(replicate => replicate.condition === name && replicate.value !== null),
  );
  if (!reference || !condition) return undefined;
  const partners = new Set(condition.map(({ name }) => JSON.stringify(name)));
  const testedReplicates = params.paired
    ? reference.filter(({ name }) => partners.has(JSON.stringify(name)))
    : reference;
  // Values below 0 have no percentages.
  if ([...reference, ...condition].some(({ value }) => (value ?? 0) < 0)) return undefined;
  const mean = testedReplicates.reduce((sum, { value }) => sum + (value ?? 0), 0) / testedReplicates.length;
  return mean > 0 ? (100 * effect) / mean : undefined;
}

function testName({ compared, params }: ShownComparison): string {
  const name = compared.test === 'paired-t' ? t('paired t test') : t('Welch’s t test');
  if (params.scale === 'difference') return name;
  return params.scale === 'ratio' ? t('{0} of logarithms', name) : t('{0} of logits', name);
}

/** n of both conditions, or the number of pairs. */
function countWords({ of, n }: ComparedPair, { compared }: ShownComparison): string {
  if (compared.test === 'paired-t') return t.number(n);
  const counts = of.map(name => compared.groups.find(({ condition }) => condition === name)?.n ?? 0);
  return t('{0} and {1}', ...counts);
}

function pWords(p: number): string {
  return p < MIN_SHOWN_P
    ? t('{0} < {1}', 'p', t.number(MIN_SHOWN_P, 4))
    : t('{0} = {1}', 'p', t.significant(p, 2));
}

/** The means of conditions; '' if there are many. */
function meansOf(shown: ShownComparison): string {
  const { compared, params } = shown;
  const { groups } = compared;
  const { name, unit } = subjectOf(shown);
  if (groups.length > MAX_NAMES || groups.some(({ mean }) => mean === null)) return '';
  const percent = isShare(shown.measure);
  const meanWords = groups.map(({ condition, mean, n }) => {
    const value = statisticWords((mean ?? 0) * (percent ? 100 : 1));
    const words = percent ? `${value} %` : unit === '' ? value : t('{0} {1}', value, unit);
    const countText = params.replicate.length > 0 ? ` (${t('{0} = {1}', 'n', n)})` : '';
    return `${conditionWords(shown, condition)} ${words}${countText}`;
  });
  return t('{0}, mean: {1}.', name, meanWords.join(', '));
}

/** A list of names, shortened if there are many. */
function listOf(names: readonly string[]): string {
  if (names.length <= MAX_NAMES) return names.join(', ');
  return `${names.slice(0, MAX_NAMES).join(', ')} ${t('and {0} more', names.length - MAX_NAMES)}`;
}

function severalSentences(shown: ShownComparison): string {
  const { compared, params } = shown;
  const { pairs, overall, groups, reason } = compared;
  const { name } = subjectOf(shown);
  const nameOf = (condition: string) => conditionWords(shown, condition);
  const outcomes = pairs.map(pair => ({ pair, outcome: outcomeOf(pair, shown) }));
  const overallSentence =
    overall?.p !== undefined && overall.p !== null
      ? t(
          'Over all conditions: {0}, {1}.',
          compared.test === 'rm-anova' ? t('repeated-measures ANOVA') : t('Welch’s ANOVA'),
          pWords(overall.p),
        )
      : t('No test over all conditions: {0}.', reasonWords(reason, params.paired === true));
  const untested = outcomes.filter(({ outcome }) => outcome === undefined).length;
  const notTested = untested > 0 ? t('{0} of {1} comparisons aren’t tested.', untested, pairs.length) : '';
  const clearOutcomes = outcomes.filter(({ outcome }) => outcome === 'up' || outcome === 'down');
  if (clearOutcomes.length === 0)
    return sentences([t('{0} doesn’t clearly differ between conditions.', name), notTested, overallSentence]);
  const isWithReference =
    pairs.length === groups.length - 1 && pairs.every(({ of }) => of[0] === pairs[0]?.of[0]);
  if (isWithReference) {
    const reference = nameOf(pairs[0]?.of[0] ?? '');
    const conditionsWith = (wantedOutcome: Outcome) =>
      outcomes.flatMap(({ pair, outcome }) => (outcome === wantedOutcome ? [nameOf(pair.of[1])] : []));
    const sentenceFor = (words: PageWords, conditions: string[]) =>
      conditions.length === 0 ? '' : words(name, listOf(conditions), reference);
    return sentences([
      sentenceFor(severalWords(shown, true), conditionsWith('up')),
      sentenceFor(severalWords(shown, false), conditionsWith('down')),
      sentenceFor(t.later('{0} in {1} doesn’t clearly differ from that in {2}.'), conditionsWith('unclear')),
      notTested,
      overallSentence,
    ]);
  }
  // For all pairs: the conditions that are above others.
  const lowerByHigher = new Map<string, string[]>();
  for (const { pair, outcome } of clearOutcomes) {
    const [low, high] = outcome === 'up' ? pair.of : [pair.of[1], pair.of[0]];
    lowerByHigher.set(high, [...(lowerByHigher.get(high) ?? []), low]);
  }
  const ordered = [...lowerByHigher].sort((a, b) => b[1].length - a[1].length).slice(0, MAX_SENTENCES);
  const mentioned = ordered.reduce((sum, [, lower]) => sum + lower.length, 0);
  return sentences([
    ...ordered.map(([high, lower]) =>
      severalWords(shown, true)(name, nameOf(high), listOf(lower.map(nameOf))),
    ),
    mentioned < clearOutcomes.length
      ? t('{0} more such differences are in the table below.', clearOutcomes.length - mentioned)
      : '',
    t('{0} of {1} comparisons are clear.', clearOutcomes.length, pairs.length),
    notTested,
    overallSentence,
  ]);
}
