import { shareWords, type ComparisonProps } from '../state/comparisonStore';

/** Rows of tables of classes; there may be thousands of classes. */
const MAX_ROWS = 50;

/** Whether objects are matched within classes, which of these are the same, and how they were told apart. */
export function Classes({ store, text }: ComparisonProps) {
  const { classes: mode, classPairs } = store.state.value;
  const { a, b } = store.sides;
  const isBusy = store.isComparing.value;
  if (a.classes.length < 2 && b.classes.length < 2) return null;
  return (
    <section class="section">
      <h2>{text.get('classes')}</h2>
      <select
        class="input wide"
        aria-label={text.get('classes')}
        value={mode}
        disabled={isBusy}
        onChange={event => void store.setClasses(event.currentTarget.value === 'each' ? 'each' : 'all')}
      >
        <option value="all">{text.get('classesAll')}</option>
        <option value="each">{text.get('classesEach')}</option>
      </select>
      {mode === 'each' &&
        a.classes.slice(0, MAX_ROWS).map(({ name }) => (
          <div class="class-row" key={name}>
            <span class="side-name" title={name}>
              {name || text.get('withoutClass')}
            </span>
            <select
              class="input wide"
              aria-label={text.get('classOfA', name || text.get('withoutClass'))}
              disabled={isBusy}
              value={String(b.classes.findIndex(each => isPair(classPairs, name, each.name)))}
              onChange={event => {
                const found = b.classes[Number(event.currentTarget.value)];
                void store.mapClass(name, found?.name);
              }}
            >
              <option value="-1">{text.get('noClass')}</option>
              {b.classes.map((each, at) => (
                <option key={each.name} value={String(at)}>
                  {each.name || text.get('withoutClass')}
                </option>
              ))}
            </select>
          </div>
        ))}
      {mode === 'each' ? <ByClass store={store} text={text} /> : <Confusions store={store} text={text} />}
    </section>
  );
}

function isPair(pairs: readonly { a: string; b: string }[], a: string, b: string): boolean {
  return pairs.some(pair => pair.a === a && pair.b === b);
}

function ByClass({ store, text }: ComparisonProps) {
  const { byClass = [], meanOverClasses } = store.scores.value ?? {};
  return (
    <table class="figures">
      <caption>{text.get('byClass')}</caption>
      <tbody>
        {byClass.slice(0, MAX_ROWS).map(({ a, b, scores }) => (
          <tr key={`${a ?? ''}\n${b ?? ''}`}>
            <th scope="row">{[...new Set([a, b])].filter(name => name !== undefined).join(' – ')}</th>
            <td>{shareWords(scores.f1, text)}</td>
          </tr>
        ))}
        {meanOverClasses && (
          <tr>
            <th scope="row">{text.count('meanOverClasses', meanOverClasses.f1.n)}</th>
            <td>{shareWords(meanOverClasses.f1.mean, text)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Confusions({ store, text }: ComparisonProps) {
  const confusions = store.scores.value?.confusions ?? [];
  const rows = [...confusions].sort((one, other) => other.count - one.count).slice(0, MAX_ROWS);
  const name = (of: string | undefined) =>
    of === undefined ? text.get('noPartner') : of || text.get('withoutClass');
  return (
    <table class="figures">
      <caption>{text.get('confusions')}</caption>
      <tbody>
        {rows.map(({ a, b, count }) => (
          <tr key={`${a ?? '\n'}\n${b ?? '\n'}`}>
            <th scope="row">{`${name(a)} → ${name(b)}`}</th>
            <td>{text.number(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
