import { t } from '../../pages/page/l10n';
import { CutName } from '../../pages/page/widgets/parts';
import { RowList } from './rowList';
import type { MatchingScores } from '../scores';
import { cssColor } from './stage/comparisonStage';
import { type ComparisonProps, shareWords } from './state/comparisonStore';
import type { ComparedOrder } from './state/comparisonViewState';
import { outcomeColors } from './state/outcomes';

/** CSS pixels. */
const ROW_HEIGHT = 56;

/** The list of compared images, with the numbers of objects of both sides and their agreement. */
export function ComparedImages({ store }: ComparisonProps) {
  const order = store.images.order.value;
  const images = store.scores.latest.value?.images ?? [];
  return (
    <nav class="compared-images" aria-label={t('Images')}>
      <select
        class="input"
        aria-label={t('Sort images')}
        value={store.images.sort.value}
        onChange={event => store.images.sortBy(event.currentTarget.value as ComparedOrder)}
      >
        <option value="order">{t('In Order')}</option>
        <option value="worst">{t('Lowest F1 First')}</option>
        <option value="onlyA">{t('Most Only A First')}</option>
        <option value="onlyB">{t('Most Only B First')}</option>
        <option value="parted">{t('Most Split and Merged First')}</option>
      </select>
      <RowList
        label={t('Images')}
        count={order.length}
        rowHeight={ROW_HEIGHT}
        selected={order.indexOf(store.images.position.value)}
        onSelect={row => void store.openImage(order[row] ?? 0)}
        row={row => {
          const position = order[row] ?? 0;
          const image = images[position];
          return (
            <>
              <CutName name={store.images.nameOf(position)} />
              <span class="row-facts">
                <span>{t('A {0}, B {1}', image?.objectsOfA ?? 0, image?.objectsOfB ?? 0)}</span>
                <span>{t('F1 {0}', shareWords(image?.scores.f1))}</span>
              </span>
              {image && <OutcomeBar scores={image.scores} />}
            </>
          );
        }}
      />
    </nav>
  );
}

interface OutcomeBarProps {
  scores: MatchingScores;
}

/** Matched and unmatched objects of an image, as parts of a bar in the outcomes' colors. */
function OutcomeBar({ scores: { tp, fn, fp } }: OutcomeBarProps) {
  const total = Math.max(1, tp + fn + fp);
  const parts = [
    { outcome: 'matched', from: 0, count: tp },
    { outcome: 'onlyA', from: tp, count: fn },
    { outcome: 'onlyB', from: tp + fn, count: fp },
  ] as const;
  return (
    <svg
      class="outcome-bar"
      viewBox={`0 0 ${total} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('Matched {0}, only A {1}, only B {2}', tp, fn, fp)}
    >
      <title>{t('Matched {0}, only A {1}, only B {2}', tp, fn, fp)}</title>
      {parts.map(({ outcome, from, count }) => (
        <rect key={outcome} x={from} width={count} height="1" fill={cssColor(outcomeColors[outcome])} />
      ))}
    </svg>
  );
}
