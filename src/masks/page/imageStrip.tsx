import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { MasksTextKey } from '../../pages/masksTexts';
import type { MasksText } from '../../pages/page/pageText';
import { element } from '../../pages/page/widgets/element';
import { CutName, Icon, IconButton } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import { FrameQueue } from '../../pages/page/widgets/timing';
import { type MaskImage, pathOfImage } from '../masksSummary';
import { type ImageSort, imageSorts } from './state/listedImages';
import type { MasksStore } from './state/masksStore';
import { type Thumbnails, thumbnailSize } from './thumbnails';

const ROW = 60;

interface StripProps {
  store: MasksStore;
  text: MasksText;
  thumbnails: Thumbnails;
}

/**
 * The list of the archive's images. Only the rows in view exist, so thousands cost nothing. In a narrow panel it
 * is hidden until it is opened, and closes once an image is selected.
 */
export function ImageStrip({ store, text, thumbnails }: StripProps) {
  const { list } = store;
  const isOpen = list.isOpen.value;
  useEffect(() => {
    const closeOutside = ({ target }: PointerEvent) => {
      // The menu of its orders isn't in it.
      if (target instanceof Element && !target.closest('.strip, .list-button, .popover')) list.close();
    };
    addEventListener('pointerdown', closeOutside);
    return () => removeEventListener('pointerdown', closeOutside);
  }, [list]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !list.isOpen.peek()) return;
    event.preventDefault();
    event.stopPropagation();
    list.close();
  };
  return (
    <nav class={isOpen ? 'strip open' : 'strip'} aria-label={text.get('images')} onKeyDown={onKeyDown}>
      <StripTools store={store} text={text} />
      <p class="strip-none hint" role="status">
        {list.order.value.length === 0 && text.get('noImagesMatch')}
      </p>
      <StripList store={store} text={text} thumbnails={thumbnails} />
    </nav>
  );
}

const SORT_NAMES: Record<ImageSort, MasksTextKey> = {
  archive: 'sortArchive',
  name: 'sortName',
  mostObjects: 'sortMostObjects',
  fewestObjects: 'sortFewestObjects',
};

/** Above the list of images: a box that filters it by name, and how it is sorted. */
function StripTools({ store: { list }, text }: Omit<StripProps, 'thumbnails'>) {
  const { sort, filter } = list.arrangement.value;
  const label = text.get('sortImages');
  return (
    <div class="strip-tools">
      <input
        type="search"
        class="input strip-filter"
        placeholder={text.get('filterImages')}
        aria-label={text.get('filterImages')}
        value={filter}
        onInput={({ currentTarget }) => list.arrange({ filter: currentTarget.value })}
        onKeyDown={event => {
          if (event.key !== 'Escape' || filter === '') return;
          event.preventDefault();
          event.stopPropagation();
          list.arrange({ filter: '' });
        }}
      />
      <IconButton
        icon="list-ordered"
        label={label}
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu(
            currentTarget,
            label,
            imageSorts.map(each => ({
              label: text.get(SORT_NAMES[each]),
              checked: each === sort,
              run: () => list.arrange({ sort: each }),
            })),
          )
        }
      />
    </div>
  );
}

function StripList({ store, text, thumbnails }: StripProps) {
  const { list, image: shown, images } = store;
  const box = useRef<HTMLDivElement>(null);
  const [top, height] = [useSignal(0), useSignal(0)];
  const first = useComputed(() => Math.max(0, Math.floor(top.value / ROW) - 2)).value;
  const end = useComputed(() => Math.ceil((top.value + height.value) / ROW) + 3).value;
  const [order, place] = [list.order.value, list.place.value];
  // Images are updated in place.
  const revision = [list.revision.value, thumbnails.revision.value].join();
  const inView = order.slice(first, end);
  const measure = () => {
    top.value = box.current?.scrollTop ?? 0;
    height.value = box.current?.clientHeight ?? 0;
  };
  const frames = useMemo(() => new FrameQueue(measure), []);
  useLayoutEffect(() => {
    if (box.current) new ResizeObserver(() => frames.schedule()).observe(box.current);
  }, []);
  useLayoutEffect(() => {
    if (list.isOpen.value) box.current?.focus({ preventScroll: true });
  }, [list.isOpen.value]);
  useLayoutEffect(() => {
    if (box.current && place >= 0) scrollTo(box.current, place);
    measure();
  }, [order, place]);
  useLayoutEffect(
    () => thumbnails.want(inView.flatMap(position => images[position] ?? [])),
    [order, first, end, revision],
  );
  return (
    <div
      ref={box}
      class="strip-list"
      role="listbox"
      tabIndex={0}
      aria-label={text.get('images')}
      aria-activedescendant={place >= first && place < end ? `strip-row-${shown.position.value}` : undefined}
      onScroll={() => frames.schedule()}
      onKeyDown={event => moveByKey(event, store)}
    >
      <div class="strip-height" style={{ height: `${order.length * ROW}px` }}>
        {inView.map((position, at) => {
          const image = images[position];
          return (
            image && (
              <div
                key={position}
                id={`strip-row-${position}`}
                class="strip-row"
                role="option"
                data-position={position}
                aria-selected={position === shown.position.value}
                aria-setsize={order.length}
                aria-posinset={first + at + 1}
                title={titleOf(image, { store, text, thumbnails })}
                style={{ top: `${(first + at) * ROW}px` }}
                onClick={() => {
                  store.show(position);
                  list.close();
                }}
              >
                <RowContent image={image} store={store} text={text} thumbnails={thumbnails} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

/** Scrolls the list as far as its row at a place needs to be in view. */
function scrollTo(list: HTMLElement, place: number): void {
  const top = place * ROW;
  const { scrollTop, clientHeight } = list;
  if (top < scrollTop) list.scrollTop = top;
  else if (top + ROW > scrollTop + clientHeight) list.scrollTop = top + ROW - clientHeight;
}

function moveByKey(event: KeyboardEvent & { currentTarget: HTMLElement }, { list }: MasksStore): void {
  const place = list.place.peek();
  const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW) - 1);
  const targets: Record<string, number> = {
    ArrowUp: place - 1,
    ArrowDown: place + 1,
    PageUp: place - page,
    PageDown: place + page,
    Home: 0,
    End: list.order.peek().length - 1,
  };
  const target = targets[event.key];
  const closes = list.isOpen.peek() && event.key === 'Enter';
  if (!closes && target === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  if (target === undefined) list.close();
  else list.goTo(target);
}

function RowContent({ image, ...props }: StripProps & { image: MaskImage }) {
  const { store, thumbnails } = props;
  const { failure, unreadableCount } = image;
  const { width, height } = thumbnailSize(image);
  const thumbnail = () => {
    // The shape of the image, until its thumbnail is there.
    const shape = element('span', {});
    shape.style.width = `${width}px`;
    shape.style.height = `${height}px`;
    return thumbnails.canvasOf(image) ?? shape;
  };
  return (
    <>
      {store.hasMasks && <span class="strip-thumbnail" ref={host => host?.replaceChildren(thumbnail())} />}
      <span class="strip-text">
        <CutName name={store.names.of(image)} />
        <span class={failure ? 'strip-count warning' : 'strip-count'}>
          {(failure || unreadableCount > 0) && <Icon name="warning" />}
          {countWords(image, props)}
        </span>
      </span>
    </>
  );
}

function countWords(image: MaskImage, { store, text, thumbnails }: StripProps): string {
  const { failure, width, height, isPartial, objectCount } = image;
  if (failure) return text.get('imageFailedShort');
  if (!store.hasMasks) return text.get('imageSize', width, height);
  if (isPartial) return text.get('readingImage');
  if (objectCount === 0) return text.get('noObjects');
  const shown = thumbnails.shownCount(image);
  return shown === undefined ? text.count('objects', objectCount) : text.get('objectsOf', shown, objectCount);
}

function titleOf(image: MaskImage, props: StripProps): string {
  const { unreadableCount } = image;
  const unreadable = unreadableCount > 0 && props.text.count('unreadable', unreadableCount);
  return [pathOfImage(image), countWords(image, props), unreadable].filter(Boolean).join('\n');
}
