import type { MasksText } from '../../pages/page/pageText';
import { cutName, element, fill, icon, iconButton, setAttribute } from '../../pages/page/widgets/element';
import { FrameQueue } from '../../pages/page/widgets/timing';
import { openMenu } from '../../pages/page/widgets/popover';
import { type MaskImage, pathOfImage, type ShownMaskImage } from '../masksSummary';
import type { ImageList } from './state/imageList';
import { imageSorts } from './state/listedImages';
import type { MasksStore } from './state/masksStore';
import { type Thumbnails, thumbnailSize } from './thumbnails';

const ROW = 60;

interface ImageStripOptions {
  images: readonly ShownMaskImage[];
  store: MasksStore;
  text: MasksText;
  thumbnails: Thumbnails;
}

/**
 * The list of the archive's images. Only the rows in view exist, so thousands cost nothing. In a narrow panel it
 * is hidden until it is opened, and closes once an image is selected.
 */
export class ImageStrip {
  readonly root: HTMLElement;
  private readonly list: HTMLElement;
  private readonly tall = element('div', { class: 'strip-height' });
  private readonly frames = new FrameQueue(() => this.render());
  private readonly none: HTMLElement;

  constructor(private readonly options: ImageStripOptions) {
    const { store, text, thumbnails } = options;
    const { image, list } = store;
    this.list = element('div', {
      class: 'strip-list',
      role: 'listbox',
      tabindex: 0,
      'aria-label': text.get('images'),
    });
    this.list.append(this.tall);
    this.none = element('p', { class: 'strip-none hint', role: 'status' });
    this.root = element(
      'nav',
      { class: 'strip', 'aria-label': text.get('images') },
      stripTools(text, list),
      this.none,
      this.list,
    );
    list.order.subscribe(order => {
      this.tall.style.height = `${order.length * ROW}px`;
      this.none.textContent = order.length === 0 ? text.get('noImagesMatch') : '';
      this.reveal();
      this.render();
    });
    list.revision.subscribe(() => this.render());
    // Marks the image shown and brings its row into view.
    image.position.subscribe(() => {
      this.reveal();
      this.render();
    });
    list.isOpen.subscribe(open => {
      this.root.classList.toggle('open', open);
      if (open) this.list.focus({ preventScroll: true });
    });
    this.list.addEventListener('scroll', () => this.frames.schedule(), { passive: true });
    new ResizeObserver(() => this.frames.schedule()).observe(this.list);
    this.list.addEventListener('click', event => {
      const row = event.target instanceof Element ? event.target.closest('[data-position]') : null;
      if (!row) return;
      store.show(Number(row.getAttribute('data-position')));
      list.close();
    });
    addEventListener('pointerdown', event => {
      const { target } = event;
      // The menu of its orders isn't in it.
      const outside = target instanceof Element && !target.closest('.strip, .list-button, .popover');
      if (outside) list.close();
    });
    this.list.addEventListener('keydown', event => this.key(event));
    this.root.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || !list.isOpen.peek()) return;
      event.preventDefault();
      event.stopPropagation();
      list.close();
    });
    thumbnails.onChange = () => this.frames.schedule();
  }

  private get current(): number {
    return this.options.store.image.position.peek();
  }

  private get place(): number {
    return this.options.store.list.place.peek();
  }

  private get order(): readonly number[] {
    return this.options.store.list.order.peek();
  }

  private reveal(): void {
    const { place } = this;
    if (place < 0) return;
    const top = place * ROW;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.list.scrollTop = top + ROW - clientHeight;
  }

  private key(event: KeyboardEvent): void {
    const { list } = this.options.store;
    if (list.isOpen.peek() && event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      list.close();
      return;
    }
    const page = Math.max(1, Math.floor(this.list.clientHeight / ROW) - 1);
    const last = this.order.length - 1;
    const { place } = this;
    const targets: Record<string, number> = {
      ArrowUp: place - 1,
      ArrowDown: place + 1,
      PageUp: place - page,
      PageDown: place + page,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    list.goTo(target);
  }

  private render(): void {
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 2);
    const last = Math.min(
      this.order.length - 1,
      Math.ceil((this.list.scrollTop + this.list.clientHeight) / ROW) + 2,
    );
    const rows: HTMLElement[] = [];
    const inView: MaskImage[] = [];
    for (let place = first; place <= last; place++) {
      const position = this.order[place] ?? -1;
      const image = this.options.images[position];
      if (!image) continue;
      inView.push(image);
      rows.push(this.row(image, position, place));
    }
    this.options.thumbnails.want(inView);
    fill(this.tall, ...rows);
    setAttribute(
      this.list,
      'aria-activedescendant',
      this.place >= first && this.place <= last && `strip-row-${this.current}`,
    );
  }

  private countWords(image: MaskImage): string {
    const shown = this.options.thumbnails.shownCount(image);
    return shown === undefined
      ? this.options.text.count('objects', image.objectCount)
      : this.options.text.get('objectsOf', shown, image.objectCount);
  }

  private titleOf(image: MaskImage, count: string): string {
    const { text } = this.options;
    const { unreadableCount } = image;
    const unreadable = unreadableCount > 0 && text.count('unreadable', unreadableCount);
    return [pathOfImage(image), count, unreadable].filter(Boolean).join('\n');
  }

  private row(image: MaskImage, position: number, place: number): HTMLElement {
    const { text } = this.options;
    const name = this.options.store.names.of(image);
    const broken = image.failure !== undefined;
    const count = broken
      ? text.get('imageFailedShort')
      : !this.options.store.hasMasks
        ? text.get('imageSize', image.width, image.height)
        : image.isPartial
          ? text.get('readingImage')
          : image.objectCount === 0
            ? text.get('noObjects')
            : this.countWords(image);
    const row = element(
      'div',
      {
        id: `strip-row-${position}`,
        class: 'strip-row',
        role: 'option',
        'data-position': position,
        'aria-selected': String(position === this.current),
        'aria-setsize': this.order.length,
        'aria-posinset': place + 1,
        title: this.titleOf(image, count),
      },
      this.options.store.hasMasks &&
        element(
          'span',
          { class: 'strip-thumbnail' },
          this.options.thumbnails.canvasOf(image) ?? noThumbnail(image),
        ),
      element(
        'span',
        { class: 'strip-text' },
        cutName(name),
        element(
          'span',
          { class: broken ? 'strip-count warning' : 'strip-count' },
          (broken || image.unreadableCount > 0) && icon('warning'),
          count,
        ),
      ),
    );
    row.style.top = `${place * ROW}px`;
    return row;
  }
}

/** The shape of an image. */
function noThumbnail(image: MaskImage): HTMLElement {
  const { width, height } = thumbnailSize(image);
  const made = element('span', {});
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  return made;
}

/** Above the list of images: a box that filters it by name, and how it is sorted. */
function stripTools(text: MasksText, list: ImageList): HTMLElement {
  const input = element('input', {
    type: 'search',
    class: 'strip-filter',
    placeholder: text.get('filterImages'),
    'aria-label': text.get('filterImages'),
    value: list.filter,
  });
  input.addEventListener('input', () => list.arrange({ filter: input.value }));
  input.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || input.value === '') return;
    event.preventDefault();
    event.stopPropagation();
    input.value = '';
    list.arrange({ filter: '' });
  });
  const sort: HTMLButtonElement = iconButton('list-ordered', text.get('sortImages'), () =>
    openMenu(
      sort,
      text.get('sortImages'),
      imageSorts.map(each => ({
        label: text.get(SORT_NAMES[each]),
        checked: each === list.sort,
        run: () => list.arrange({ sort: each }),
      })),
    ),
  );
  sort.setAttribute('aria-haspopup', 'menu');
  return element('div', { class: 'strip-tools' }, input, sort);
}

const SORT_NAMES = {
  archive: 'sortArchive',
  name: 'sortName',
  mostObjects: 'sortMostObjects',
  fewestObjects: 'sortFewestObjects',
} as const;
