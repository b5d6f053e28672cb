import { type PageWords, t } from '../../pages/page/l10n';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { element } from '../../pages/page/widgets/element';
import { CutName, Icon, IconButton } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import { FrameQueue } from '../../pages/page/widgets/timing';
import { type MaskImage, pathOfImage } from '../../archives/masksSummary';
import { linkedByWords } from '../../linking/page/linkSummary';
import {
  HEADING_HEIGHT,
  heightOf,
  type ImageSort,
  imageSorts,
  type ListRow,
  listRows,
  ROW_HEIGHT,
  rowAt,
} from './state/listedImages';
import type { MasksStore } from './state/masksStore';
import { type Thumbnails, thumbnailSize } from './thumbnails';

interface StripProps {
  store: MasksStore;
  thumbnails: Thumbnails;
}

/**
 * The list of the archive's images. Only rows in view have elements, so thousands cost nothing. In
 * a narrow panel the list opens over the image, and closes once an image is selected.
 */
export function ImageStrip({ store, thumbnails }: StripProps) {
  const { list } = store;
  const isOpen = list.isOpen.value;
  useEffect(() => {
    const closeOutside = ({ target }: PointerEvent) => {
      // The menu of sort orders isn't inside the list.
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
    <nav class={isOpen ? 'strip open' : 'strip'} aria-label={t('Images')} onKeyDown={onKeyDown}>
      <StripTools store={store} />
      <p class="strip-none hint" role="status">
        {list.order.value.length === 0 && t('No images match the filter')}
      </p>
      <StripList store={store} thumbnails={thumbnails} />
    </nav>
  );
}

const SORT_NAMES: Record<ImageSort, PageWords> = {
  name: t.later('By Folder and Name'),
  archive: t.later('In Archive Order'),
  mostObjects: t.later('Most Objects First'),
  fewestObjects: t.later('Fewest Objects First'),
};

/** The filter box and the sort button above the list. */
function StripTools({ store: { list } }: Omit<StripProps, 'thumbnails'>) {
  const { sort, filter } = list.arrangement.value;
  const label = t('Sort Images');
  return (
    <div class="strip-tools">
      <input
        type="search"
        class="input strip-filter"
        placeholder={t('Filter images')}
        aria-label={t('Filter images')}
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
            imageSorts.map(imageSort => ({
              label: SORT_NAMES[imageSort](),
              checked: imageSort === sort,
              run: () => list.arrange({ sort: imageSort }),
            })),
          )
        }
      />
    </div>
  );
}

function StripList({ store, thumbnails }: StripProps) {
  const { list, image: currentImage, images } = store;
  const box = useRef<HTMLDivElement>(null);
  const [scrollTop, height] = [useSignal(0), useSignal(0)];
  const [order, currentRow] = [list.order.value, list.row.value];
  // Revisions are needed: the image objects are updated in place.
  const namesRevision = list.revision.value;
  const revision = [namesRevision, thumbnails.revision.value].join();
  const { sort } = list.arrangement.value;
  const rows = useMemo(
    () => listRows(images, order, sort, image => store.names.nameOf(image)),
    [order, sort, namesRevision],
  );
  // Rounded, so that the list doesn't render for each scrolled pixel.
  const topInView = useComputed(() =>
    Math.max(0, Math.floor(scrollTop.value / ROW_HEIGHT) * ROW_HEIGHT),
  ).value;
  const bottomInView = useComputed(
    () => Math.ceil((scrollTop.value + height.value) / ROW_HEIGHT) * ROW_HEIGHT,
  ).value;
  const from = Math.max(0, rowAt(rows, topInView) - 2);
  const end = rowAt(rows, bottomInView) + 3;
  const inView = rows.slice(from, end);
  const measure = () => {
    scrollTop.value = box.current?.scrollTop ?? 0;
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
    const row = rows[currentRow];
    if (box.current && row) scrollTo(box.current, row);
    // Not on updates of images: the list keeps the user's scroll position.
  }, [order, currentRow]);
  useLayoutEffect(measure, [rows, currentRow]);
  useLayoutEffect(
    () => thumbnails.want(inView.flatMap(({ position }) => images[position] ?? [])),
    [order, from, end, revision],
  );
  return (
    <div
      ref={box}
      class="strip-list"
      role="listbox"
      tabIndex={0}
      aria-label={t('Images')}
      aria-activedescendant={
        currentRow >= from && currentRow < end ? `strip-row-${currentImage.position.value}` : undefined
      }
      onScroll={() => frames.schedule()}
      onKeyDown={event => moveByKey(event, store)}
    >
      <div class="strip-height" style={{ height: `${heightOf(rows)}px` }}>
        {inView.map((row, offset) => {
          const { position, folder, isFirst } = row;
          const image = images[position];
          return [
            isFirst && (
              <div key={`above ${position}`} class="strip-folder" aria-hidden="true" style={topOf(row.top)}>
                <CutName name={folder || t('No folder')} />
              </div>
            ),
            image && (
              <div
                key={position}
                id={`strip-row-${position}`}
                class="strip-row"
                role="option"
                data-position={position}
                aria-selected={position === currentImage.position.value}
                aria-setsize={order.length}
                aria-posinset={from + offset + 1}
                title={titleOf(image, { store, thumbnails })}
                style={topOf(isFirst ? row.top + HEADING_HEIGHT : row.top)}
                onClick={() => {
                  store.show(position);
                  list.close();
                }}
              >
                <RowContent row={row} image={image} store={store} thumbnails={thumbnails} />
              </div>
            ),
          ];
        })}
      </div>
    </div>
  );
}

const topOf = (top: number) => ({ top: `${top}px` });

/** Scrolls a row into view, with the heading of its folder. */
function scrollTo(list: HTMLElement, { top, isFirst }: ListRow): void {
  const bottom = top + (isFirst ? HEADING_HEIGHT : 0) + ROW_HEIGHT;
  const { scrollTop, clientHeight } = list;
  if (top < scrollTop) list.scrollTop = top;
  else if (bottom > scrollTop + clientHeight) list.scrollTop = bottom - clientHeight;
}

function moveByKey(event: KeyboardEvent & { currentTarget: HTMLElement }, { list }: MasksStore): void {
  const row = list.row.peek();
  const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / ROW_HEIGHT) - 1);
  const targets: Record<string, number> = {
    ArrowUp: row - 1,
    ArrowDown: row + 1,
    PageUp: row - page,
    PageDown: row + page,
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

function RowContent({ row, image, ...props }: StripProps & { row: ListRow; image: MaskImage }) {
  const { store, thumbnails } = props;
  const { failure, unreadableCount } = image;
  const { width, height } = thumbnailSize(image);
  const thumbnail = () => {
    // A blank in the shape of the image, until its thumbnail is loaded.
    const shape = element('span', {});
    shape.style.width = `${width}px`;
    shape.style.height = `${height}px`;
    return thumbnails.canvasOf(image) ?? shape;
  };
  return (
    <>
      {store.hasMasks && <span class="strip-thumbnail" ref={host => host?.replaceChildren(thumbnail())} />}
      <span class="strip-text">
        {row.folder && <span class="visually-hidden">{`${row.folder}/`}</span>}
        {row.within && <span class="visually-hidden">{`${row.within}/`}</span>}
        <CutName name={row.name} />
        {row.within && (
          <span class="strip-within" aria-hidden="true">
            <CutName name={row.within} />
          </span>
        )}
        <span class={failure ? 'strip-count warning' : 'strip-count'}>
          {(failure || unreadableCount > 0) && <Icon name="warning" />}
          {countWords(image, props)}
        </span>
      </span>
    </>
  );
}

function countWords(image: MaskImage, { store, thumbnails }: StripProps): string {
  const { failure, width, height, isPartial, objectCount } = image;
  if (failure) return t({ message: 'Unreadable', comment: 'An image file that cannot be read' });
  if (!store.hasMasks) return t('{0} × {1} px', width, height);
  if (isPartial) return t('Reading…');
  if (objectCount === 0) return t('No objects');
  const shown = thumbnails.shownCount(image);
  return shown === undefined
    ? t.count(objectCount, '1 object', '{0} objects')
    : t('{0} of {1} objects', shown, objectCount);
}

function titleOf(image: MaskImage, props: StripProps): string {
  const { unreadableCount } = image;
  const unreadable =
    unreadableCount > 0 &&
    t.count(unreadableCount, "1 object couldn't be read", "{0} objects couldn't be read");
  const linkedBy = linkedByWords(image);
  return [pathOfImage(image), countWords(image, props), unreadable, linkedBy].filter(Boolean).join('\n');
}
