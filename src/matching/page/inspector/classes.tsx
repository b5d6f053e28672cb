import type { Confusion } from '../../comparison';
import type { CompareText } from '../../../pages/page/pageText';
import { shareWords, type ComparisonProps } from '../state/comparisonStore';
import { LongSelect, useFocusBack } from './longSelect';

/** Rows of tables of classes; there may be thousands of classes. */
const MAX_ROWS = 50;

/** Whether objects are matched within classes, which of these are the same, and how they were told apart. */
export function Classes({ store, text }: ComparisonProps) {
  const { classes: mode, classPairs } = store.comparing.state.value;
  const { a, b } = store.sides;
  const isBusy = store.comparing.isBusy.value;
  const { root, selectedIn } = useFocusBack(isBusy);
  const compared = store.scores.latest.value?.classes;
  if (a.classes.length < 2 && b.classes.length < 2) return null;
  const pairOf = new Map(classPairs.map(pair => [pair.a, pair.b]));
  const placeOf = new Map(b.classes.map(({ name }, at) => [name, at]));
  const placeOfPair = (name: string) => {
    const pair = pairOf.get(name);
    return pair === undefined ? -1 : (placeOf.get(pair) ?? -1);
  };
  return (
    <section class="section" ref={root}>
      <h2>{text.get('classes')}</h2>
      <select
        class="input wide"
        aria-label={text.get('classes')}
        value={mode}
        disabled={isBusy}
        onChange={event => {
          selectedIn(0);
          void store.comparing.setClasses(event.currentTarget.value === 'each' ? 'each' : 'all');
        }}
      >
        <option value="all">{text.get('classesAll')}</option>
        <option value="each">{text.get('classesEach')}</option>
      </select>
      {mode === 'each' &&
        a.classes.slice(0, MAX_ROWS).map(({ name }, at) => (
          <div class="class-row" key={name}>
            <span class="side-name" title={name}>
              {nameOf(name, text)}
            </span>
            <LongSelect
              text={text}
              label={text.get('classOfA', nameOf(name, text))}
              selected={placeOfPair(name)}
              none={text.get('noClass')}
              count={b.classes.length}
              nameOf={option => nameOf(b.classes[option]?.name ?? '', text)}
              disabled={isBusy}
              onSelect={option => {
                // The first of all lists says whether classes are compared.
                selectedIn(at + 1);
                void store.comparing.mapClass(name, b.classes[option]?.name);
              }}
            />
          </div>
        ))}
      {mode === 'each' && <WithoutPartner store={store} text={text} />}
      {compared?.mode === 'each' ? (
        <ByClass store={store} text={text} />
      ) : (
        <Confusions store={store} text={text} />
      )}
    </section>
  );
}

/** What becomes of objects whose class has no partner, or that have no class. */
function WithoutPartner({ store, text }: ComparisonProps) {
  const { pairs = [], without } = store.scores.latest.value?.classes ?? {};
  if (without) return <p class="hint">{text.get(without === 'a' ? 'noClassesOfA' : 'noClassesOfB')}</p>;
  const alone = pairs.flatMap(({ a, b }) => {
    if (a === undefined) return b === undefined ? [] : [text.get('sideB', nameOf(b, text))];
    return b === undefined ? [text.get('sideA', nameOf(a, text))] : [];
  });
  if (alone.length === 0) return null;
  const names = alone.slice(0, MAX_ROWS);
  if (alone.length > MAX_ROWS) names.push(text.get('andMore', alone.length - MAX_ROWS));
  return <p class="hint">{text.get('classesAlone', names.join(', '))}</p>;
}

/** What a class is called here; labels and many polygons have none. */
function nameOf(className: string, text: CompareText): string {
  return className || text.get('withoutClass');
}

/** Scores of each class. */
const SHOWN = ['precision', 'recall', 'f1'] as const;

function ByClass({ store, text }: ComparisonProps) {
  const { byClass = [], meanOverClasses } = store.scores.latest.value ?? {};
  const { hasTruth } = store;
  const shown = [
    {
      id: 'precision',
      name: hasTruth ? text.get('precision') : text.get('ofB'),
      hint: text.get('precisionHint'),
    },
    { id: 'recall', name: hasTruth ? text.get('recall') : text.get('ofA'), hint: text.get('recallHint') },
    { id: 'f1', name: text.get('f1'), hint: text.get('f1Hint') },
  ] as const;
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">{text.get('byClass')}</th>
          {shown.map(({ id, name, hint }) => (
            <th key={id} scope="col" title={hint}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {byClass.slice(0, MAX_ROWS).map(({ a, b, scores }) => (
          <tr key={`${a ?? ''}\n${b ?? ''}`}>
            <th scope="row">
              {[...new Set([a, b])]
                .filter(each => each !== undefined)
                .map(each => nameOf(each, text))
                .join(' – ')}
            </th>
            {SHOWN.map(score => (
              <td key={score}>{shareWords(scores[score], text)}</td>
            ))}
          </tr>
        ))}
        {meanOverClasses && (
          <tr>
            <th scope="row">{text.count('meanOverClasses', meanOverClasses.f1.n)}</th>
            {SHOWN.map(score => (
              <td key={score} title={text.count('meanOverClasses', meanOverClasses[score].n)}>
                {shareWords(meanOverClasses[score].mean, text)}
              </td>
            ))}
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** Columns of a matrix of classes for which there is room; more are a list. */
const MAX_COLUMNS = 4;

/** Which classes of A were matched with which of B. `undefined` stands for no partner. */
function Confusions({ store, text }: ComparisonProps) {
  const confusions = store.scores.latest.value?.confusions ?? [];
  const name = (of: string | undefined) => (of === undefined ? text.get('noPartner') : nameOf(of, text));
  const columns = classesOf('b', store, confusions);
  const rows = classesOf('a', store, confusions);
  if (columns.length > MAX_COLUMNS || rows.length > MAX_ROWS)
    return (
      <table class="figures">
        <caption>{text.get('confusions')}</caption>
        <tbody>
          {[...confusions]
            .sort((one, other) => other.count - one.count)
            .slice(0, MAX_ROWS)
            .map(({ a, b, count }) => (
              <tr key={`${a ?? '\n'}\n${b ?? '\n'}`}>
                <th scope="row">{`${name(a)} → ${name(b)}`}</th>
                <td>{text.number(count)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    );
  const countOf = (a: string | undefined, b: string | undefined) =>
    confusions.find(each => each.a === a && each.b === b)?.count ?? 0;
  return (
    <table class="figures confusions">
      <caption>{text.get('confusions')}</caption>
      <thead>
        <tr>
          <th>{text.get('classesCorner')}</th>
          {columns.map(b => (
            <th key={b ?? '\n'} scope="col">
              {name(b)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(a => {
          const all = columns.reduce((sum, b) => sum + countOf(a, b), 0);
          return (
            <tr key={a ?? '\n'}>
              <th scope="row">{name(a)}</th>
              {columns.map(b => {
                const count = countOf(a, b);
                const share = a === undefined || b === undefined ? 0 : count / Math.max(1, all);
                return (
                  <td
                    key={b ?? '\n'}
                    ref={cell => cell?.style.setProperty('--share', `${Math.round(50 * share)}%`)}
                  >
                    {a === undefined && b === undefined ? '' : text.number(count)}
                  </td>
                );
              })}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The classes of a side that objects of these pairs have, in their order; last none, where some have no partner. */
function classesOf(
  side: 'a' | 'b',
  store: ComparisonProps['store'],
  confusions: readonly Confusion[],
): (string | undefined)[] {
  const found = new Set(confusions.map(each => each[side]));
  const known = store.sides[side].classes.map(({ name }) => name).filter(name => found.has(name));
  return found.has(undefined) ? [...known, undefined] : known;
}
