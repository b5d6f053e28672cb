import type { CompareText } from '../../pages/page/pageText';
import { CutName } from '../../pages/page/widgets/parts';
import { RowList } from './rowList';
import type { MatchingScores } from '../scores';
import { cssColor } from './stage/comparisonStage';
import { type ComparisonProps, shareWords } from './state/comparisonStore';
import type { ComparedOrder } from './state/comparisonViewState';
import { outcomeColors } from './state/outcomes';

const ROW = 56;

/** The list of compared images, each with how many objects both sides have and how well they agree. */
export function ComparedImages({ store, text }: ComparisonProps) {
  const order = store.images.order.value;
  const images = store.scores.latest.value?.images ?? [];
  return (
    <nav class="compared-images" aria-label={text.get('images')}>
      <select
        class="input"
        aria-label={text.get('sortImages')}
        value={store.images.sort.value}
        onChange={event => store.images.sortBy(event.currentTarget.value as ComparedOrder)}
      >
        <option value="order">{text.get('imagesByName')}</option>
        <option value="worst">{text.get('imagesWorst')}</option>
        <option value="onlyA">{text.get('imagesOnlyA')}</option>
        <option value="onlyB">{text.get('imagesOnlyB')}</option>
        <option value="parted">{text.get('imagesParted')}</option>
      </select>
      <RowList
        label={text.get('images')}
        count={order.length}
        rowHeight={ROW}
        selected={order.indexOf(store.images.position.value)}
        onSelect={at => void store.openImage(order[at] ?? 0)}
        row={at => {
          const position = order[at] ?? 0;
          const image = images[position];
          return (
            <>
              <CutName name={store.images.nameOf(position)} />
              <span class="row-facts">
                <span>{text.get('imageCounts', image?.objectsOfA ?? 0, image?.objectsOfB ?? 0)}</span>
                <span>{text.get('imageF1', shareWords(image?.scores.f1, text))}</span>
              </span>
              {image && <OutcomeBar scores={image.scores} text={text} />}
            </>
          );
        }}
      />
    </nav>
  );
}

interface OutcomeBarProps {
  scores: MatchingScores;
  text: CompareText;
}

/** How many objects of an image are matched and how many only on one side, as parts of a bar in the colors of the outcomes. */
function OutcomeBar({ scores: { tp, fn, fp }, text }: OutcomeBarProps) {
  const all = Math.max(1, tp + fn + fp);
  const parts = [
    { outcome: 'matched', from: 0, count: tp },
    { outcome: 'onlyA', from: tp, count: fn },
    { outcome: 'onlyB', from: tp + fn, count: fp },
  ] as const;
  return (
    <svg
      class="outcome-bar"
      viewBox={`0 0 ${all} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={text.get('imageOutcomes', tp, fn, fp)}
    >
      <title>{text.get('imageOutcomes', tp, fn, fp)}</title>
      {parts.map(({ outcome, from, count }) => (
        <rect key={outcome} x={from} width={count} height="1" fill={cssColor(outcomeColors[outcome])} />
      ))}
    </svg>
  );
}
