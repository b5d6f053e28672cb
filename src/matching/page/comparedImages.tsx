import { CutName } from '../../pages/page/widgets/parts';
import { RowList } from './rowList';
import { type ComparedOrder, type ComparisonProps, shareWords } from './state/comparisonStore';

const ROW = 44;

/** The list of compared images, each with how many objects both sides have and how well they agree. */
export function ComparedImages({ store, text }: ComparisonProps) {
  const order = store.imageOrder.value;
  const images = store.scores.value?.images ?? [];
  return (
    <nav class="compared-images" aria-label={text.get('images')}>
      <select
        class="input"
        aria-label={text.get('sortImages')}
        value={store.sort.value}
        onChange={event => store.sortImages(event.currentTarget.value as ComparedOrder)}
      >
        <option value="order">{text.get('imagesByName')}</option>
        <option value="worst">{text.get('imagesWorst')}</option>
      </select>
      <RowList
        label={text.get('images')}
        count={order.length}
        rowHeight={ROW}
        selected={order.indexOf(store.position.value)}
        onSelect={at => void store.openImage(order[at] ?? 0)}
        row={at => {
          const position = order[at] ?? 0;
          const image = images[position];
          return (
            <>
              <CutName name={store.nameOf(position)} />
              <span class="row-facts">
                <span>{text.get('imageCounts', image?.objectsOfA ?? 0, image?.objectsOfB ?? 0)}</span>
                <span>{shareWords(image?.scores.f1, text)}</span>
              </span>
            </>
          );
        }}
      />
    </nav>
  );
}
