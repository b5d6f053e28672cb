import { LinkButton } from '../../../pages/page/widgets/parts';
import type { ComparisonProps } from '../state/comparisonStore';

/** Images that are listed at once. */
const MAX_LISTED = 50;

/** Images without a partner, which a person may pair, and pairs that couldn't be compared. */
export function ImagePairing({ store, text }: ComparisonProps) {
  const { unpairedA, unpairedB, skipped, byHand, canUndo } = store.state.value;
  const nameOf = (side: 'a' | 'b', at: number) => store.image(side, at)?.name ?? '';
  const isBusy = store.isComparing.value;
  const isNeeded = unpairedA.length + unpairedB.length + byHand.length + skipped.length > 0 || canUndo;
  if (!isNeeded) return null;
  return (
    <section class="section">
      <h2>
        {text.get('pairing')}
        {canUndo && (
          <LinkButton disabled={isBusy} onClick={() => void store.undoPairing()}>
            {text.get('undoPairing')}
          </LinkButton>
        )}
      </h2>
      {unpairedA.length === 0 && <p class="hint">{text.get('allPaired')}</p>}
      {unpairedA.slice(0, MAX_LISTED).map(a => (
        <div class="class-row" key={a}>
          <span class="side-name" title={nameOf('a', a)}>
            {nameOf('a', a)}
          </span>
          <select
            class="input wide"
            aria-label={text.get('partnerOf', nameOf('a', a))}
            value=""
            disabled={isBusy || unpairedB.length === 0}
            onChange={event => {
              if (event.currentTarget.value !== '')
                void store.pairImages(a, Number(event.currentTarget.value));
            }}
          >
            <option value="">{text.get('choosePartner')}</option>
            {unpairedB.map(b => (
              <option key={b} value={String(b)}>
                {nameOf('b', b)}
              </option>
            ))}
          </select>
        </div>
      ))}
      {unpairedA.length > MAX_LISTED && (
        <p class="hint">{text.get('andMore', unpairedA.length - MAX_LISTED)}</p>
      )}
      <Names
        title={text.get('unpairedOfB')}
        names={unpairedB.map(b => nameOf('b', b))}
        more={count => text.get('andMore', count)}
      />
      <Names
        title={text.get('pairedByHand')}
        names={byHand.map(({ a, b }) => `${nameOf('a', a)} – ${nameOf('b', b)}`)}
        more={count => text.get('andMore', count)}
      />
      <Names
        title={text.get('notCompared')}
        names={skipped.map(({ a, reason }) => `${nameOf('a', a)}: ${reason}`)}
        more={count => text.get('andMore', count)}
      />
    </section>
  );
}

interface NamesProps {
  title: string;
  names: readonly string[];
  more: (count: number) => string;
}

function Names({ title, names, more }: NamesProps) {
  if (names.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {names.slice(0, MAX_LISTED).map((name, at) => (
          <li key={at} class="hint">
            {name}
          </li>
        ))}
      </ul>
      {names.length > MAX_LISTED && <p class="hint">{more(names.length - MAX_LISTED)}</p>}
    </>
  );
}
