import type { ShownMaskImage } from '../masksSummary';
import type { PagePort } from '../../pages/page/pagePort';
import type { MasksText } from '../../pages/page/pageText';
import type { ImageNames } from './imageNames';
import type { MasksToolbar } from './masksToolbar';
import type { MasksViewState } from './masksViewState';
import { ImageStrip } from './strip/imageStrip';
import type { Thumbnails } from './strip/thumbnails';

export interface ImageNavigationOptions {
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
