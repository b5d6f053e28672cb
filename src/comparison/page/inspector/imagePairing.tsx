import { useState } from 'preact/hooks';
import { ofOtherFiles } from '../../../archives/imageIdentity';
import { t } from '../../../pages/page/l10n';
import { LinkButton } from '../../../pages/page/widgets/parts';
import type { ComparisonProps } from '../state/comparisonStore';
import { LongSelect, useFocusRestore } from './longSelect';

/** Maximum number of listed images. */
const MAX_LISTED = 50;

/** Images without a partner, which a user may pair, and pairs that couldn't be compared. */
export function ImagePairing({ store }: ComparisonProps) {
  const { unpairedA, unpairedB, skipped, pairs, doubtful, canUndo } = store.comparing.state.value;
  const byHand = pairs.filter(({ by }) => by === 'hand');
  const nameOf = (side: 'a' | 'b', position: number) => store.images.imageOf(side, position)?.name ?? '';
  const sizesOf = (a: number, b: number) => {
    const [imageA, imageB] = [store.images.imageOf('a', a), store.images.imageOf('b', b)];
    const sizes = [imageA, imageB].flatMap(image => [image?.width ?? 0, image?.height ?? 0]);
    return t('{0}: {1} × {2} and {3} × {4} px', imageA?.name ?? '', ...sizes);
  };
  const pairsOfOtherFiles = ofOtherFiles(doubtful);
  const isBusy = store.comparing.isBusy.value;
  const [filter, setFilter] = useState('');
  const { root, rememberSelect } = useFocusRestore(isBusy);
  const isLong = unpairedA.length > MAX_LISTED;
  const query = isLong ? filter.trim().toLowerCase() : '';
  const matching = unpairedA.filter(a => nameOf('a', a).toLowerCase().includes(query));
  const isNeeded = unpairedA.length + unpairedB.length + byHand.length + skipped.length > 0 || canUndo;
  if (!isNeeded) return null;
  return (
    <section class="section" ref={root}>
      <h2>
        {t('Images Without a Partner')}
        {canUndo && (
          <LinkButton disabled={isBusy} onClick={() => void store.comparing.undoPairing()}>
            {t('Undo Pairing')}
          </LinkButton>
        )}
      </h2>
      {pairsOfOtherFiles.length > 0 && (
        <p class="hint">
          {t.count(
            pairsOfOtherFiles.length,
            '1 image of A has the path of one of B, but another file was analyzed: they may not be the same.',
            '{0} images of A have the path of one of B, but another file was analyzed: they may not be the same.',
          )}{' '}
          <LinkButton disabled={isBusy} onClick={() => void store.comparing.pairDoubtful()}>
            {t('Pair by Path')}
          </LinkButton>
        </p>
      )}
      {unpairedA.length === 0 && <p class="hint">{t('All images have a partner.')}</p>}
      {isLong && (
        <input
          type="search"
          class="input wide"
          placeholder={t('Filter images without a partner')}
          aria-label={t('Filter images without a partner')}
          value={filter}
          onInput={event => setFilter(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Escape' || filter === '') return;
            event.preventDefault();
            event.stopPropagation();
            setFilter('');
          }}
        />
      )}
      {matching.slice(0, MAX_LISTED).map((a, index) => (
        <div class="class-row" key={a}>
          <span class="side-name" title={nameOf('a', a)}>
            {nameOf('a', a)}
          </span>
          <LongSelect
            label={t('Partner of {0} in B', nameOf('a', a))}
            selected={-1}
            none={t('Select in B…')}
            count={unpairedB.length}
            nameOf={option => nameOf('b', unpairedB[option] ?? -1)}
            disabled={isBusy || unpairedB.length === 0}
            onSelect={option => {
              const b = unpairedB[option];
              if (b === undefined) return;
              rememberSelect(index);
              void store.comparing.pairImages(a, b);
            }}
          />
        </div>
      ))}
      {isLong && matching.length === 0 && <p class="hint">{t('No image matches the filter.')}</p>}
      {matching.length > MAX_LISTED && <p class="hint">{t('and {0} more', matching.length - MAX_LISTED)}</p>}
      <Names title={t('Only in B')} names={unpairedB.map(b => nameOf('b', b))} />
      <Names
        title={t('Not Paired, as Their Sizes Differ')}
        names={doubtful.flatMap(({ a, b, why }) => (why === 'size' ? [sizesOf(a, b)] : []))}
      />
      <Names
        title={t('Paired by You')}
        names={byHand.map(({ a, b }) => `${nameOf('a', a)} – ${nameOf('b', b)}`)}
      />
      <Names
        title={t('Not Compared')}
        names={skipped.map(({ a, reason }) => `${nameOf('a', a)}: ${reason}`)}
      />
    </section>
  );
}

interface NamesProps {
  title: string;
  names: readonly string[];
}

/** A list of names below a title; nothing without names. */
function Names({ title, names }: NamesProps) {
  if (names.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {names.slice(0, MAX_LISTED).map((name, index) => (
          <li key={index} class="hint">
            {name}
          </li>
        ))}
      </ul>
      {names.length > MAX_LISTED && <p class="hint">{t('and {0} more', names.length - MAX_LISTED)}</p>}
    </>
  );
}
