import { t } from '../../../pages/page/l10n';
import type { Confusion } from '../../comparison';
import { shareWords, type ComparisonProps } from '../state/comparisonStore';
import { LongSelect, useFocusRestore } from './longSelect';

/** Maximum number of rows in tables of classes; there may be thousands of classes. */
const MAX_ROWS = 50;

/** Whether objects are matched within classes, which classes are matched, and their scores. */
export function Classes({ store }: ComparisonProps) {
  const { classes: mode, classPairs } = store.comparing.state.value;
  const { a, b } = store.sides;
  const isBusy = store.comparing.isBusy.value;
  const { root, rememberSelect } = useFocusRestore(isBusy);
  const comparedClasses = store.scores.latest.value?.classes;
  if (a.classes.length < 2 && b.classes.length < 2) return null;
  const partnerOf = new Map(classPairs.map(pair => [pair.a, pair.b]));
  const positionsInB = new Map(b.classes.map(({ name }, position) => [name, position]));
  const positionOfPartner = (name: string) => {
    const partner = partnerOf.get(name);
    return partner === undefined ? -1 : (positionsInB.get(partner) ?? -1);
  };
  return (
    <section class="section" ref={root}>
      <h2>{t('Classes')}</h2>
      <select
        class="input wide"
        aria-label={t('Classes')}
        value={mode}
        disabled={isBusy}
        onChange={event => {
          rememberSelect(0);
          void store.comparing.setClasses(event.currentTarget.value === 'each' ? 'each' : 'all');
        }}
      >
        <option value="all">{t('Match objects of any class')}</option>
        <option value="each">{t('Match objects within a class')}</option>
      </select>
      {mode === 'each' &&
        a.classes.slice(0, MAX_ROWS).map(({ name }, index) => (
          <div class="class-row" key={name}>
            <span class="side-name" title={name}>
              {nameOf(name)}
            </span>
            <LongSelect
              label={t('Class of B for "{0}"', nameOf(name))}
              selected={positionOfPartner(name)}
              none={t({ message: 'None', comment: 'No class' })}
              count={b.classes.length}
              nameOf={option => nameOf(b.classes[option]?.name ?? '')}
              disabled={isBusy}
              onSelect={option => {
                // Index 0 is the select of the mode.
                rememberSelect(index + 1);
                void store.comparing.mapClass(name, b.classes[option]?.name);
              }}
            />
          </div>
        ))}
      {mode === 'each' && <WithoutPartner store={store} />}
      {comparedClasses?.mode === 'each' ? <ByClass store={store} /> : <Confusions store={store} />}
    </section>
  );
}

/** The effect of classes without a partner, and of objects without a class. */
function WithoutPartner({ store }: ComparisonProps) {
  const { pairs = [], without } = store.scores.latest.value?.classes ?? {};
  if (without)
    return (
      <p class="hint">
        {without === 'a'
          ? t(
              'Objects of A have no class, so they are matched whatever the class. Select one to match only its objects.',
            )
          : t(
              'Objects of B have no class, so they are matched whatever the class. Select No class for one to match only its objects.',
            )}
      </p>
    );
  const unpaired = pairs.flatMap(({ a, b }) => {
    if (a === undefined) return b === undefined ? [] : [t('B: {0}', nameOf(b))];
    return b === undefined ? [t('A: {0}', nameOf(a))] : [];
  });
  if (unpaired.length === 0) return null;
  const names = unpaired.slice(0, MAX_ROWS);
  if (unpaired.length > MAX_ROWS) names.push(t('and {0} more', unpaired.length - MAX_ROWS));
  return <p class="hint">{t('Without a partner, counted as only A or only B: {0}', names.join(', '))}</p>;
}

/** The name of a class on the page; label images and many polygons have none. */
function nameOf(className: string): string {
  return className || t('No class');
}

/** The columns of the table with scores of each class. */
const CLASS_SCORES = ['precision', 'recall', 'f1'] as const;

function ByClass({ store }: ComparisonProps) {
  const { byClass = [], meanOverClasses } = store.scores.latest.value ?? {};
  const { hasTruth } = store;
  const columns = [
    {
      id: 'precision',
      name: hasTruth
        ? t({ message: 'Precision', comment: 'The measure: matched objects of the objects of B' })
        : t('Of B'),
      hint: t('Matched objects ÷ objects of B'),
    },
    {
      id: 'recall',
      name: hasTruth
        ? t({ message: 'Recall', comment: 'The measure: matched objects of the objects of A' })
        : t('Of A'),
      hint: t('Matched objects ÷ objects of A'),
    },
    { id: 'f1', name: t('F1'), hint: t('2 × matched ÷ (objects of A + objects of B)') },
  ] as const;
  return (
    <table class="figures">
      <thead>
        <tr>
          <th scope="col">{t('Class, pooled')}</th>
          {columns.map(({ id, name, hint }) => (
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
                .filter(name => name !== undefined)
                .map(name => nameOf(name))
                .join(' – ')}
            </th>
            {CLASS_SCORES.map(score => (
              <td key={score}>{shareWords(scores[score])}</td>
            ))}
          </tr>
        ))}
        {meanOverClasses && (
          <tr>
            <th scope="row">{t.count(meanOverClasses.f1.n, 'Mean over 1 class', 'Mean over {0} classes')}</th>
            {CLASS_SCORES.map(score => (
              <td
                key={score}
                title={t.count(meanOverClasses[score].n, 'Mean over 1 class', 'Mean over {0} classes')}
              >
                {shareWords(meanOverClasses[score].mean)}
              </td>
            ))}
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** Maximum number of columns in a matrix of classes; more are shown as a list. */
const MAX_COLUMNS = 4;

/** The classes that objects of A were matched with; `undefined` means without a partner. */
function Confusions({ store }: ComparisonProps) {
  const confusions = store.scores.latest.value?.confusions ?? [];
  const name = (className: string | undefined) =>
    className === undefined ? t('not matched') : nameOf(className);
  const columns = classesOf('b', store, confusions);
  const rows = classesOf('a', store, confusions);
  if (columns.length > MAX_COLUMNS || rows.length > MAX_ROWS)
    return (
      <table class="figures">
        <caption>{t('Class of A → class of B, in all images')}</caption>
        <tbody>
          {[...confusions]
            .sort((x, y) => y.count - x.count)
            .slice(0, MAX_ROWS)
            .map(({ a, b, count }) => (
              <tr key={`${a ?? '\n'}\n${b ?? '\n'}`}>
                <th scope="row">{`${name(a)} → ${name(b)}`}</th>
                <td>{t.number(count)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    );
  const countOf = (a: string | undefined, b: string | undefined) =>
    confusions.find(confusion => confusion.a === a && confusion.b === b)?.count ?? 0;
  return (
    <table class="figures confusions">
      <caption>{t('Class of A → class of B, in all images')}</caption>
      <thead>
        <tr>
          <th>{t('A ↓ B →')}</th>
          {columns.map(b => (
            <th key={b ?? '\n'} scope="col">
              {name(b)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(a => {
          const objectsOfRow = columns.reduce((sum, b) => sum + countOf(a, b), 0);
          return (
            <tr key={a ?? '\n'}>
              <th scope="row">{name(a)}</th>
              {columns.map(b => {
                const count = countOf(a, b);
                const share = a === undefined || b === undefined ? 0 : count / Math.max(1, objectsOfRow);
                return (
                  <td
                    key={b ?? '\n'}
                    ref={cell => cell?.style.setProperty('--share', `${Math.round(50 * share)}%`)}
                  >
                    {a === undefined && b === undefined ? '' : t.number(count)}
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

/** The classes of a side's objects, in order; `undefined` last if some have no partner. */
function classesOf(
  side: 'a' | 'b',
  store: ComparisonProps['store'],
  confusions: readonly Confusion[],
): (string | undefined)[] {
  const classNames = new Set(confusions.map(confusion => confusion[side]));
  const inOrder = store.sides[side].classes.map(({ name }) => name).filter(name => classNames.has(name));
  return classNames.has(undefined) ? [...inOrder, undefined] : inOrder;
}
