import type { TableText } from '../../pages/page/pageText';
import type { ComparedPair } from '../comparison';
import { isLengthOrArea, splitUnit } from '../../columns/pixelMeasures';
import type { ShownComparison } from './compareModel';
import { chosenName } from './chosenMeasure';
import { conditionWords, reasonWords, statisticWords } from './compareWords';

/*
 * What a comparison answers, in a sentence or a few. Nothing is called larger that the test and the interval shown don't say: of
 * two conditions the interval leaves out no difference, of several p adjusted is below 0.05 besides.
 */

/** Below this an adjusted p tells conditions apart, as intervals of 95 % do. */
const ALPHA = 0.05;
/** Conditions of which the means are listed, or that are named in a sentence. */
const MAX_NAMED = 6;
/** Sentences about comparisons of all pairs. */
const MAX_SENTENCES = 3;
/** A p below this is said to be. */
const LEAST_P = 0.0001;

/** Whether a pair differs, and which way; undefined where it wasn't tested. */
type Outcome = 'up' | 'down' | 'unclear' | undefined;

/** The answer of a comparison, or what it lacks. `asksNames`: a person has yet to say whether equal names are the same ones. */
export function compareHeadline(shown: ShownComparison, asksNames: boolean, text: TableText): string {
  const { compared, params } = shown;
  const { groups, pairs, reason } = compared;
  if (reason === 'levels-open') return text.get('headlineAsksLevels');
  const means = meansOf(shown, text);
  if (asksNames) return sentences([text.get('headlineAsksNames'), means]);
  const [only] = groups;
  if (groups.length === 1 && only)
    return sentences([text.get('headlineOneCondition', conditionWords(shown, only.condition)), means]);
  if (reason === 'no-replicates') return sentences([text.get('headlineNoReplicates'), means]);
  if (pairs.every(pair => outcomeOf(pair, shown) === undefined)) {
    const why = pairs.find(pair => pair.reason !== undefined)?.reason ?? reason;
    return sentences([text.get('headlineNotTested', reasonWords(why, params.paired === true, text)), means]);
  }
  const [pair] = pairs;
  return pairs.length === 1 && pair ? ofTwo(pair, shown, text) : ofSeveral(shown, text);
}

function sentences(all: readonly string[]): string {
  return all.filter(sentence => sentence !== '').join(' ');
}

function outcomeOf(
  { effect, ci95, p, pAdjusted }: ComparedPair,
  { compared, params }: ShownComparison,
): Outcome {
  if (effect === null || !ci95 || p === null) return undefined;
  const none = params.scale === 'difference' ? 0 : 1;
  const isClear = compared.pairs.length < 2 || (pAdjusted ?? p) < ALPHA;
  if (isClear && ci95[0] > none) return 'up';
  if (isClear && ci95[1] < none) return 'down';
  return 'unclear';
}

/** The measure as the subject of a sentence, and the unit of its numbers. */
function subjectOf({ measure, unit }: ShownComparison, text: TableText): { name: string; unit: string } {
  switch (measure.kind) {
    case 'column': {
      const { name, unit: own } = splitUnit(measure.name);
      return { name, unit: own ?? unit ?? '' };
    }
    case 'objectsPerImage':
      return {
        name: text.get(measure.per === 'area' ? 'headlineObjectsPerArea' : 'headlineObjectsPerImage'),
        unit: '',
      };
    default:
      return { name: chosenName(measure, text, unit), unit: '' };
  }
}

/** A difference with its unit; one of shares is in percentage points. */
function amount(words: string, { measure }: ShownComparison, unit: string, text: TableText): string {
  if (isShare(measure)) return text.get('headlinePoints', words);
  return unit === '' ? words : text.get('headlineAmount', words, unit);
}

function isShare({ kind }: ShownComparison['measure']): boolean {
  return kind !== 'column' && kind !== 'objectsPerImage';
}

/** Lengths and areas are larger or smaller, all else is higher or lower. */
function isExtent({ measure }: ShownComparison): boolean {
  return measure.kind === 'column' && isLengthOrArea(measure.name);
}

/** How one condition differs from another. */
function ofTwoKey(shown: ShownComparison, isUp: boolean) {
  if (isExtent(shown)) return isUp ? 'headlineLarger' : 'headlineSmaller';
  return isUp ? 'headlineHigher' : 'headlineLower';
}

/** How some conditions differ from others. */
function ofSeveralKey(shown: ShownComparison, isUp: boolean) {
  if (isExtent(shown)) return isUp ? 'headlineLargerIn' : 'headlineSmallerIn';
  return isUp ? 'headlineHigherIn' : 'headlineLowerIn';
}

function ofTwo(pair: ComparedPair, shown: ShownComparison, text: TableText): string {
  const { params } = shown;
  const { effect, ci95, p } = pair;
  if (effect === null || !ci95 || p === null) return '';
  const outcome = outcomeOf(pair, shown);
  const [reference, condition] = pair.of.map(each => conditionWords(shown, each)) as [string, string];
  const { name, unit } = subjectOf(shown, text);
  const isClear = outcome !== 'unclear';
  const evidence = (ends: readonly [number, number], none: number) =>
    text.get(
      'headlineEvidence',
      ...endWords(ends, isClear ? none : undefined, text),
      testName(shown, text),
      countWords(pair, shown, text),
      pWords(p, text),
    );
  if (params.scale !== 'difference') {
    const times = statisticWords(effect, text);
    const of = evidence(ci95, 1);
    if (!isClear) return text.get('headlineUnclearRatio', name, condition, times, reference, of);
    const key = params.scale === 'logit' ? 'headlineOdds' : 'headlineRatio';
    return text.get(key, name, condition, times, reference, of);
  }
  // Shares are numbers from 0 to 1.
  const factor = isShare(shown.measure) ? 100 : 1;
  const [low, high] = [ci95[0] * factor, ci95[1] * factor];
  const size = (value: number) => amount(statisticWords(value * factor, text), shown, unit, text);
  if (!isClear) {
    const of = evidence([low, high], 0);
    return text.get('headlineUnclear', name, condition, reference, size(effect), of);
  }
  const isUp = outcome === 'up';
  const percent = percentOf(pair, shown);
  const sized =
    percent === undefined
      ? size(Math.abs(effect))
      : text.get('headlinePercent', size(Math.abs(effect)), text.significant(Math.abs(percent), 2));
  const of = evidence(isUp ? [low, high] : [-high, -low], 0);
  return text.get(ofTwoKey(shown, isUp), name, sized, condition, of);
}

/** Ends of an interval in short; where it leaves out `none`, so do its words. */
function endWords(ends: readonly [number, number], none: number | undefined, text: TableText): string[] {
  const words = text.aligned(ends, 3);
  return words.map((each, at) => {
    const other = ends[1 - at] ?? 0;
    const end = ends[at] ?? 0;
    const isNone = (shown: string, digits?: number) =>
      none !== undefined &&
      shown === (digits === undefined ? text.aligned([none, other], 3)[0] : text.significant(none, digits));
    if (!isNone(each)) return each.replace(/^-/, '−');
    const digits = [4, 7, 12].find(more => !isNone(text.significant(end, more), more)) ?? 12;
    return text.significant(end, digits).replace(/^-/, '−');
  });
}

/** A difference in percent of the reference's mean, over the replicates that were tested; undefined where that says nothing. */
function percentOf(
  { of, effect }: ComparedPair,
  { compared, params, measure }: ShownComparison,
): number | undefined {
  if (effect === null || isShare(measure)) return undefined;
  const [reference, condition] = of.map(each =>
    compared.replicates.filter(one => one.condition === each && one.value !== null),
  );
  if (!reference || !condition) return undefined;
  const partners = new Set(condition.map(({ name }) => JSON.stringify(name)));
  const tested = params.paired
    ? reference.filter(({ name }) => partners.has(JSON.stringify(name)))
    : reference;
  // Of what may be below 0 there are no percents.
  if ([...reference, ...condition].some(({ value }) => (value ?? 0) < 0)) return undefined;
  const mean = tested.reduce((sum, { value }) => sum + (value ?? 0), 0) / tested.length;
  return mean > 0 ? (100 * effect) / mean : undefined;
}

function testName({ compared, params }: ShownComparison, text: TableText): string {
  const name = text.get(compared.test === 'paired-t' ? 'headlinePairedT' : 'headlineWelchT');
  if (params.scale === 'difference') return name;
  return text.get(params.scale === 'ratio' ? 'headlineOfLogarithms' : 'headlineOfLogits', name);
}

/** n of both conditions, or of pairs. */
function countWords({ of, n }: ComparedPair, { compared }: ShownComparison, text: TableText): string {
  if (compared.test === 'paired-t') return text.number(n);
  const counts = of.map(each => compared.groups.find(({ condition }) => condition === each)?.n ?? 0);
  return text.get('headlineAnd', ...counts);
}

function pWords(p: number, text: TableText): string {
  return p < LEAST_P
    ? text.get('headlineBelow', 'p', text.number(LEAST_P, 4))
    : text.get('compareIs', 'p', text.significant(p, 2));
}

/** The means of conditions, where there are few. */
function meansOf(shown: ShownComparison, text: TableText): string {
  const { compared, params } = shown;
  const { groups } = compared;
  const { name, unit } = subjectOf(shown, text);
  if (groups.length > MAX_NAMED || groups.some(({ mean }) => mean === null)) return '';
  const percent = isShare(shown.measure);
  const listed = groups.map(({ condition, mean, n }) => {
    const value = statisticWords((mean ?? 0) * (percent ? 100 : 1), text);
    const words = percent ? `${value} %` : unit === '' ? value : text.get('headlineAmount', value, unit);
    const of = params.replicate.length > 0 ? ` (${text.get('compareIs', 'n', n)})` : '';
    return `${conditionWords(shown, condition)} ${words}${of}`;
  });
  return text.get('headlineMeans', name, listed.join(', '));
}

/** Names in a list, the first few where there are many. */
function listOf(names: readonly string[], text: TableText): string {
  if (names.length <= MAX_NAMED) return names.join(', ');
  return `${names.slice(0, MAX_NAMED).join(', ')} ${text.get('compareOthers', names.length - MAX_NAMED)}`;
}

function ofSeveral(shown: ShownComparison, text: TableText): string {
  const { compared, params } = shown;
  const { pairs, overall, groups, reason } = compared;
  const { name } = subjectOf(shown, text);
  const named = (condition: string) => conditionWords(shown, condition);
  const outcomes = pairs.map(pair => ({ pair, outcome: outcomeOf(pair, shown) }));
  const tail =
    overall?.p !== undefined && overall.p !== null
      ? text.get(
          'headlineOverall',
          text.get(compared.test === 'rm-anova' ? 'headlineRepeated' : 'headlineAnova'),
          pWords(overall.p, text),
        )
      : text.get('headlineNoOverall', reasonWords(reason, params.paired === true, text));
  const untested = outcomes.filter(({ outcome }) => outcome === undefined).length;
  const notTested = untested > 0 ? text.get('headlineNotTestedOf', untested, pairs.length) : '';
  const clear = outcomes.filter(({ outcome }) => outcome === 'up' || outcome === 'down');
  if (clear.length === 0) return sentences([text.get('headlineNoneClear', name), notTested, tail]);
  const isWithReference =
    pairs.length === groups.length - 1 && pairs.every(({ of }) => of[0] === pairs[0]?.of[0]);
  if (isWithReference) {
    const reference = named(pairs[0]?.of[0] ?? '');
    const of = (wanted: Outcome) =>
      outcomes.flatMap(({ pair, outcome }) => (outcome === wanted ? [named(pair.of[1])] : []));
    const said = (key: ReturnType<typeof ofSeveralKey> | 'headlineUnclearIn', conditions: string[]) =>
      conditions.length === 0 ? '' : text.get(key, name, listOf(conditions, text), reference);
    return sentences([
      said(ofSeveralKey(shown, true), of('up')),
      said(ofSeveralKey(shown, false), of('down')),
      said('headlineUnclearIn', of('unclear')),
      notTested,
      tail,
    ]);
  }
  // Of all pairs, the conditions above others, and which these are.
  const above = new Map<string, string[]>();
  for (const { pair, outcome } of clear) {
    const [low, high] = outcome === 'up' ? pair.of : [pair.of[1], pair.of[0]];
    above.set(high, [...(above.get(high) ?? []), low]);
  }
  const ordered = [...above].sort((a, b) => b[1].length - a[1].length).slice(0, MAX_SENTENCES);
  const told = ordered.reduce((sum, [, lower]) => sum + lower.length, 0);
  return sentences([
    ...ordered.map(([high, lower]) =>
      text.get(ofSeveralKey(shown, true), name, named(high), listOf(lower.map(named), text)),
    ),
    told < clear.length ? text.get('headlineMoreClear', clear.length - told) : '',
    text.get('headlineClearOf', clear.length, pairs.length),
    notTested,
    tail,
  ]);
}
