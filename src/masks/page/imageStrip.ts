import type { PagePort } from '../../pages/page/pagePort';
import type { MasksText } from '../../pages/page/pageText';
import { cutName, element, fill, icon, iconButton, setAttribute } from '../../pages/page/widgets/element';
import { FrameQueue } from '../../pages/page/widgets/timing';
import { openMenu } from '../../pages/page/widgets/popover';
import { type MaskImage, pathOfImage, type ShownMaskImage } from '../masksSummary';
import type { MasksToolbar } from './masksToolbar';
import { type ImageNames, imageOrder, type ImageSort, imageSorts } from './state/listedImages';
import type { MasksViewState } from './state/masksViewState';
import { type Thumbnails, thumbnailSize } from './thumbnails';

interface ImageNavigationOptions {
  images: readonly ShownMaskImage[];
  names: ImageNames;
  /** False where the images of a file are shown by themselves. */
  hasMasks: boolean;
  text: MasksText;
  port: PagePort<MasksViewState>;
  thumbnails: Thumbnails;
  toolbar: MasksToolbar;
  /** Shows the image at a position in the archive. */
  show: (position: number) => void;
}

/** The way from one image to the others: the list, as it is sorted and filtered, and the image's place in it. */
export class ImageNavigation {
  readonly strip: ImageStrip;

  constructor(private readonly options: ImageNavigationOptions) {
    const { images, names, hasMasks, text, port, thumbnails, toolbar, show } = options;
    this.strip = new ImageStrip({
      images,
      names,
      hasMasks,
      text,
      thumbnails,
      sort: port.view.imageSort ?? 'archive',
      filter: port.view.imageFilter ?? '',
      onOrder: (imageSort, imageFilter) => {
        port.updateView({ imageSort, imageFilter });
        this.showPlace();
      },
      onSelect: show,
      onOpen: open => toolbar.setListOpen(open),
    });
  }

  /** Another image is shown. */
  setImage(image: ShownMaskImage, position: number): void {
    this.strip.setCurrent(position);
    this.options.toolbar.setImage(this.options.names.of(image));
    this.showPlace();
  }

  /** Shows the image that is `step` rows further in the list, before it where negative. */
  go(step: number): void {
    const position = this.strip.neighbor(step);
    if (position !== undefined) this.options.show(position);
  }

  /** Opens the list over the image, or closes it. */
  toggleList(): void {
    this.strip.setOpen(!this.strip.isOpen);
  }

  /** Images are called otherwise now; rows stay where they are unless they are sorted by name. */
  namesChanged(): void {
    this.strip.refresh({ sorted: true });
  }

  /** More images were read. Rows stay where they are. */
  imagesRead(): void {
    this.strip.refresh({ sorted: false });
  }

  /** All images were read. */
  masksRead(): void {
    this.strip.refresh({ sorted: true });
    this.showPlace();
  }

  private showPlace(): void {
    const { strip } = this;
    this.options.toolbar.setPlace({
      place: strip.place,
      count: strip.length,
      isFirst: strip.neighbor(-1) === undefined,
      isLast: strip.neighbor(1) === undefined,
    });
  }
}

const ROW = 60;

interface ImageStripOptions {
  images: readonly MaskImage[];
  names: ImageNames;
  /** False where the images of a file are shown by themselves. */
  hasMasks: boolean;
  text: MasksText;
  thumbnails: Thumbnails;
  /** As saved. */
  sort: ImageSort;
  filter: string;
  /** Another order: of the list, and with it of the next and previous image. */
  onOrder: (sort: ImageSort, filter: string) => void;
  onSelect: (position: number) => void;
  onOpen: (open: boolean) => void;
}

/**
 * The list of the archive's images. Only the rows in view exist, so thousands cost nothing. In a narrow panel it
 * is hidden until it is opened, and closes once an image is selected.
 */
class ImageStrip {
  readonly root: HTMLElement;
  private readonly list: HTMLElement;
  private readonly tall = element('div', { class: 'strip-height' });
  private readonly frames = new FrameQueue(() => this.render());
  private readonly none: HTMLElement;
  private current = 0;
  /** Positions of the images listed. */
  private order: readonly number[];
  private sorting: [sort: ImageSort, filter: string];

  constructor(private readonly options: ImageStripOptions) {
    const { images, text, thumbnails, sort, filter, onOrder } = options;
    this.sorting = [sort, filter];
    this.order = imageOrder(images, sort, filter);
    this.list = element('div', {
      class: 'strip-list',
      role: 'listbox',
      tabindex: 0,
      'aria-label': text.get('images'),
    });
    this.list.append(this.tall);
    this.none = element('p', { class: 'strip-none hint', role: 'status' });
    const tools = new StripTools({
      text,
      sort,
      filter,
      onChange: (...order) => {
        this.sorting = order;
        this.order = imageOrder(images, ...order);
        this.refreshOrder();
        onOrder(...order);
      },
    });
    this.root = element(
      'nav',
      { class: 'strip', 'aria-label': text.get('images') },
      tools.root,
      this.none,
      this.list,
    );
    this.refreshOrder();
    this.list.addEventListener('scroll', () => this.frames.schedule(), { passive: true });
    new ResizeObserver(() => this.frames.schedule()).observe(this.list);
    this.list.addEventListener('click', event => {
      const row = event.target instanceof Element ? event.target.closest('[data-position]') : null;
      if (!row) return;
      this.options.onSelect(Number(row.getAttribute('data-position')));
      this.setOpen(false);
    });
    addEventListener('pointerdown', event => {
      const { target } = event;
      // The menu of its orders isn't in it.
      const outside = target instanceof Element && !target.closest('.strip, .list-button, .popover');
      if (outside) this.setOpen(false);
    });
    this.list.addEventListener('keydown', event => this.key(event));
    this.root.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || !this.isOpen) return;
      event.preventDefault();
      event.stopPropagation();
      this.setOpen(false);
    });
    thumbnails.onChange = () => this.frames.schedule();
  }

  /** The images have changed. They are sorted again only with `sorted`, so that rows don't move while images are being read. */
  refresh({ sorted }: { sorted: boolean }): void {
    const before = this.order;
    if (sorted) this.order = imageOrder(this.options.images, ...this.sorting);
    // In the same order, the list keeps its scroll position.
    if (before.some((position, place) => position !== this.order[place])) this.refreshOrder();
    else this.render();
  }

  /** Opens the list over the image, or closes it. */
  setOpen(open: boolean): void {
    if (open === this.isOpen) return;
    this.root.classList.toggle('open', open);
    this.options.onOpen(open);
    if (open) this.list.focus({ preventScroll: true });
  }

  get isOpen(): boolean {
    return this.root.classList.contains('open');
  }

  /** Marks an image as shown and brings its row into view. */
  setCurrent(position: number): void {
    this.current = position;
    this.reveal();
    this.render();
  }

  /** The image that is `step` rows after the one shown, before it where negative; undefined where there is none. */
  neighbor(step: number): number | undefined {
    const { place } = this;
    return this.order[place < 0 ? (step > 0 ? 0 : this.order.length - 1) : place + step];
  }

  /** Where the image shown is in the list, from 0; −1 where the filter leaves it out. */
  get place(): number {
    return this.order.indexOf(this.current);
  }

  get length(): number {
    return this.order.length;
  }

  private reveal(): void {
    const { place } = this;
    if (place < 0) return;
    const top = place * ROW;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.list.scrollTop = top + ROW - clientHeight;
  }

  private refreshOrder(): void {
    const { order } = this;
    this.tall.style.height = `${order.length * ROW}px`;
    this.none.textContent = order.length === 0 ? this.options.text.get('noImagesMatch') : '';
    this.reveal();
    this.render();
  }

  private key(event: KeyboardEvent): void {
    if (this.isOpen && event.key === 'Enter') {
      event.preventDefault();
      event.stopPropagation();
      this.setOpen(false);
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
    const position = this.order[Math.min(last, Math.max(0, target))];
    if (position !== undefined) this.options.onSelect(position);
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
    const name = this.options.names.of(image);
    const broken = image.failure !== undefined;
    const count = broken
      ? text.get('imageFailedShort')
      : !this.options.hasMasks
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
      this.options.hasMasks &&
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

interface StripToolsOptions {
  text: MasksText;
  sort: ImageSort;
  filter: string;
  onChange: (sort: ImageSort, filter: string) => void;
}

/** Above the list of images: a box that filters it by name, and how it is sorted. */
class StripTools {
  readonly root: HTMLElement;
  private readonly input: HTMLInputElement;
  private sort: ImageSort;

  constructor(private readonly options: StripToolsOptions) {
    const { text, filter } = options;
    this.sort = options.sort;
    this.input = element('input', {
      type: 'search',
      class: 'strip-filter',
      placeholder: text.get('filterImages'),
      'aria-label': text.get('filterImages'),
      value: filter,
    });
    this.input.addEventListener('input', () => this.changed());
    this.input.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || this.input.value === '') return;
      event.preventDefault();
      event.stopPropagation();
      this.input.value = '';
      this.changed();
    });
    const sort: HTMLButtonElement = iconButton('list-ordered', text.get('sortImages'), () =>
      openMenu(
        sort,
        text.get('sortImages'),
        imageSorts.map(each => ({
          label: text.get(SORT_NAMES[each]),
          checked: each === this.sort,
          run: () => {
            this.sort = each;
            this.changed();
          },
        })),
      ),
    );
    sort.setAttribute('aria-haspopup', 'menu');
    this.root = element('div', { class: 'strip-tools' }, this.input, sort);
  }

  private changed(): void {
    this.options.onChange(this.sort, this.input.value);
  }
}

const SORT_NAMES = {
  archive: 'sortArchive',
  name: 'sortName',
  mostObjects: 'sortMostObjects',
  fewestObjects: 'sortFewestObjects',
} as const;
