import type { MaskImage } from '../../../model/masksSummary';
import { element, fill, icon } from '../../widgets/element';
import { FrameQueue } from '../../widgets/frameQueue';
import type { MasksText } from '../../page/pageText';
import type { Thumbnails } from './thumbnails';

const ROW = 60;

export interface ImageStripOptions {
  images: readonly MaskImage[];
  text: MasksText;
  thumbnails: Thumbnails;
  onSelect: (position: number) => void;
  onOpen: (open: boolean) => void;
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
  private current = 0;

  constructor(private readonly options: ImageStripOptions) {
    const { images, text, thumbnails } = options;
    this.list = element('div', {
      class: 'strip-list',
      role: 'listbox',
      tabindex: 0,
      'aria-label': text.get('images'),
    });
    this.tall.style.height = `${images.length * ROW}px`;
    this.list.append(this.tall);
    this.root = element('nav', { class: 'strip', 'aria-label': text.get('images') }, this.list);
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
      const outside = target instanceof Element && !target.closest('.strip, .list-button');
      if (outside) this.setOpen(false);
    });
    this.list.addEventListener('keydown', event => this.key(event));
    thumbnails.onChange = () => this.frames.schedule();
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
    const top = position * ROW;
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop) this.list.scrollTop = top;
    else if (top + ROW > scrollTop + clientHeight) this.list.scrollTop = top + ROW - clientHeight;
    this.render();
  }

  private key(event: KeyboardEvent): void {
    if (this.isOpen && (event.key === 'Escape' || event.key === 'Enter')) {
      event.preventDefault();
      event.stopPropagation();
      this.setOpen(false);
      return;
    }
    const page = Math.max(1, Math.floor(this.list.clientHeight / ROW) - 1);
    const last = this.options.images.length - 1;
    const targets: Record<string, number> = {
      ArrowUp: this.current - 1,
      ArrowDown: this.current + 1,
      PageUp: this.current - page,
      PageDown: this.current + page,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.options.onSelect(Math.min(last, Math.max(0, target)));
  }

  private render(): void {
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 2);
    const last = Math.min(
      this.options.images.length - 1,
      Math.ceil((this.list.scrollTop + this.list.clientHeight) / ROW) + 2,
    );
    const rows: HTMLElement[] = [];
    this.options.thumbnails.want(this.options.images.slice(first, last + 1));
    for (let position = first; position <= last; position++) {
      const image = this.options.images[position];
      if (image) rows.push(this.row(image, position));
    }
    fill(this.tall, ...rows);
    this.list.setAttribute('aria-activedescendant', `strip-row-${this.current}`);
  }

  private countWords(image: MaskImage): string {
    const shown = this.options.thumbnails.shownCount(image);
    return shown === undefined
      ? this.options.text.count('objects', image.objectCount)
      : this.options.text.get('objectsOf', shown, image.objectCount);
  }

  private row(image: MaskImage, position: number): HTMLElement {
    const { text } = this.options;
    const name = baseName(image.filename || image.id);
    const broken = image.failure !== undefined;
    const count = broken
      ? text.get('imageFailedShort')
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
        'aria-setsize': this.options.images.length,
        'aria-posinset': position + 1,
        title: image.filename,
      },
      element('span', { class: 'strip-thumbnail' }, this.options.thumbnails.canvasOf(image)),
      element(
        'span',
        { class: 'strip-text' },
        element('span', { class: 'strip-name' }, name),
        element(
          'span',
          { class: broken ? 'strip-count warning' : 'strip-count' },
          (broken || image.unreadableCount > 0) && icon('warning'),
          count,
        ),
      ),
    );
    row.style.top = `${position * ROW}px`;
    return row;
  }
}

/** The last part of a path with slashes or backslashes. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
