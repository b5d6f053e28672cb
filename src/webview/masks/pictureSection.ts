import type { PicturePairing, PictureOffer } from '../../protocol/masksPage';
import type { PictureInfo } from '../../protocol/pictureEngine';
import { element, fill, icon } from '../element';
import type { PageText } from '../pageText';
import { baseName } from './imageStrip';
import { isSquare, type MicronSize } from './micronSize';
import type { Size } from './viewTransform';

export interface PictureSectionOptions {
  text: PageText;
  onConfirm: () => void;
  onChoose: () => void;
  onAccept: (offer: PictureOffer) => void;
  onStretch: (stretched: boolean) => void;
  /** The user wants to say how large a pixel is. */
  onPixelSize: () => void;
}

/** How large a pixel is, and who says so. */
export interface KnownPixelSize {
  size: MicronSize;
  from: 'user' | 'picture';
}

const HEADINGS: Record<PicturePairing['state'], string | undefined> = {
  paired: undefined,
  suggested: 'pictureSuggested',
  missing: 'pictureMissing',
  unreadable: 'pictureUnreadable',
};

/** Which picture lies under the masks and how it was found; always shown, because the pairing may be wrong. */
export class PictureSection {
  readonly root: HTMLElement;
  private readonly body = element('div', { class: 'picture-body' });
  private readonly size = element('p', { class: 'hint pixel-size' });
  /** How the picture is painted. */
  readonly controls = element('div', { class: 'picture-controls' });

  constructor(private readonly options: PictureSectionOptions) {
    const title = options.text.get('picture');
    this.root = element(
      'section',
      { class: 'section', 'aria-label': title },
      element('h2', {}, title),
      this.body,
      this.size,
      this.controls,
    );
  }

  looking(): void {
    fill(this.body, element('p', { class: 'hint' }, this.options.text.get('pictureLooking')));
  }

  /** A large picture is being read; `share` of it is done. */
  reading(share: number, onStop: () => void): void {
    const { text } = this.options;
    const words = element('p', { class: 'hint' }, text.get('pictureReading', Math.floor(share * 100)));
    const known = this.body.querySelector('.picture-stop');
    if (known) {
      // The button stays where the focus may be.
      this.body.firstElementChild?.replaceWith(words);
      return;
    }
    const stop = button(text.get('stopPicture'), false, onStop);
    stop.classList.add('picture-stop');
    fill(this.body, words, stop);
  }

  /** The user did not want to wait for it. */
  stopped(onAgain: () => void): void {
    const { text, onChoose } = this.options;
    fill(
      this.body,
      element('p', { class: 'callout' }, icon('circle-slash'), text.get('pictureStopped')),
      element(
        'div',
        { class: 'buttons' },
        button(text.get('readPicture'), false, onAgain),
        button(text.get('choosePicture'), false, onChoose),
      ),
    );
  }

  setPixelSize(known: KnownPixelSize | undefined): void {
    const { text, onPixelSize } = this.options;
    const button = element(
      'button',
      { type: 'button', class: 'link-button' },
      text.get(known ? 'changePixelSize' : 'setPixelSize'),
    );
    button.addEventListener('click', onPixelSize);
    const words = known && this.sizeWords(known);
    fill(this.size, words && element('span', {}, words), button);
  }

  private sizeWords({ size, from }: KnownPixelSize): string {
    const { text } = this.options;
    const [x, y] = [text.significant(size.x, 5), text.significant(size.y, 5)];
    if (from === 'user') return text.get('pixelSizeByUser', x);
    return isSquare(size) ? text.get('pixelSizeByPicture', x) : text.get('pixelSidesByPicture', x, y);
  }

  show(pairing: PicturePairing, image: Size, stretched: boolean): void {
    const { text } = this.options;
    const { state, picture, path, how, offers } = pairing;
    const heading = offers ? 'pictureOtherSize' : HEADINGS[state];
    const name = picture?.name ?? (path && baseName(path));
    fill(
      this.body,
      heading && element('p', { class: 'callout warning' }, icon('warning'), text.get(heading)),
      name &&
        element(
          'p',
          { class: 'picture-name', title: path ?? name },
          icon('file-media'),
          element('span', {}, name),
        ),
      element('p', { class: 'hint' }, how),
      picture && element('p', { class: 'hint' }, this.facts(picture)),
      ...(picture?.notes ?? []).map(note =>
        element('p', { class: 'callout' }, icon('info'), element('span', {}, note)),
      ),
      picture && !pairing.stretched && this.sizeNote(picture, image, stretched),
      this.buttons(pairing),
    );
  }

  private facts(picture: PictureInfo): string {
    const { text } = this.options;
    const { width, height, channels, bitsPerSample, compression } = picture;
    const size =
      channels === 1
        ? text.get('pictureSizeOne', width, height, bitsPerSample)
        : text.get('pictureSize', width, height, channels, bitsPerSample);
    return compression ? `${size}, ${compression}` : size;
  }

  private sizeNote(picture: Size, image: Size, stretched: boolean): HTMLElement | null {
    if (picture.width === image.width && picture.height === image.height) return null;
    const { text, onStretch } = this.options;
    const box = element('input', { type: 'checkbox' });
    box.checked = stretched;
    box.addEventListener('change', () => onStretch(box.checked));
    const words = text.get('pictureSizeDiffers', picture.width, picture.height, image.width, image.height);
    return element(
      'div',
      {},
      element('p', { class: 'callout warning' }, icon('warning'), element('span', {}, words)),
      element('label', { class: 'check' }, box, text.get('pictureStretch')),
    );
  }

  private buttons({ state, offers = [] }: PicturePairing): HTMLElement {
    const { onConfirm, onChoose, onAccept } = this.options;
    const { text } = this.options;
    return element(
      'div',
      { class: 'buttons' },
      state === 'suggested' && button(text.get('confirmPicture'), true, onConfirm),
      ...offers.map(offer => button(this.offerWords(offer), offer.kind !== 'scaled', () => onAccept(offer))),
      button(text.get('choosePicture'), false, onChoose),
    );
  }

  private offerWords(offer: PictureOffer): string {
    const { text } = this.options;
    switch (offer.kind) {
      case 'level':
        return text.get('offerLevel', offer.width, offer.height);
      case 'page':
        return text.get('offerPage', offer.page + 1);
      case 'scaled':
        return text.get('pictureStretch');
    }
  }
}

function button(words: string, primary: boolean, onClick: () => void): HTMLElement {
  const made = element('button', { type: 'button', class: primary ? 'button' : 'button secondary' }, words);
  made.addEventListener('click', onClick);
  return made;
}
