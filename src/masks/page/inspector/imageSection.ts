import { pathParts } from '../../../base/pathParts';
import type { BackgroundImageInfo } from '../../../images/backgroundImageInfo';
import type { BackgroundImageOffer, BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import type { MasksTextKey } from '../../../pages/masksTexts';
import type { MasksText } from '../../../pages/page/pageText';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import type { Extent } from '../tiles/viewTransform';
import { isSquare } from './objectMeasurements';
import type { MicronSize } from '../state/pointerModel';

/** How large a pixel is, and who says so. */
export interface KnownPixelSize {
  size: MicronSize;
  from: 'user' | 'backgroundImage';
}

/** What the inspector says of the image: one that lies under masks, or one that is shown by itself. */
export interface ImageSection {
  readonly root: HTMLElement;
  /** How the image is painted. */
  readonly controls: HTMLElement;
  looking(): void;
  /** A large image is being read; `share` of it is done. */
  reading(share: number, onStop: () => void): void;
  /** The user did not want to wait for it. */
  stopped(onAgain: () => void): void;
  setPixelSize(known: KnownPixelSize | undefined): void;
  show(pairing: BackgroundImagePairing, image: Extent, stretched: boolean): void;
}

interface BackgroundImageSectionOptions {
  text: MasksText;
  onConfirm: () => void;
  onChoose: () => void;
  onAccept: (offer: BackgroundImageOffer) => void;
  onStretch: (stretched: boolean) => void;
  /** The user wants to say how large a pixel is. */
  onPixelSize: () => void;
}

const HEADINGS: Record<BackgroundImagePairing['state'], MasksTextKey | undefined> = {
  paired: undefined,
  suggested: 'backgroundImageSuggested',
  missing: 'backgroundImageMissing',
  unreadable: 'backgroundImageUnreadable',
};

/** Which background image lies under the masks and how it was found; always shown, because the pairing may be wrong. */
export class BackgroundImageSection implements ImageSection {
  readonly root: HTMLElement;
  private readonly body = element('div', { class: 'background-image-body' });
  private readonly size = element('p', { class: 'hint pixel-size' });
  readonly controls = element('div', { class: 'background-image-controls' });

  constructor(private readonly options: BackgroundImageSectionOptions) {
    const title = options.text.get('backgroundImage');
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
    fill(this.body, element('p', { class: 'hint' }, this.options.text.get('backgroundImageSearch')));
  }

  reading(share: number, onStop: () => void): void {
    const { text } = this.options;
    const words = element(
      'p',
      { class: 'hint' },
      text.get('backgroundImageLoading', Math.floor(share * 100)),
    );
    const known = this.body.querySelector('.background-image-stop');
    if (known) {
      // The button stays where the focus may be.
      this.body.firstElementChild?.replaceWith(words);
      return;
    }
    const stop = button(text.get('stopLoading'), false, onStop);
    stop.classList.add('background-image-stop');
    fill(this.body, words, stop);
  }

  stopped(onAgain: () => void): void {
    const { text, onChoose } = this.options;
    fill(
      this.body,
      element('p', { class: 'callout' }, icon('circle-slash'), text.get('loadingStopped')),
      element(
        'div',
        { class: 'buttons' },
        button(text.get('loadImage'), false, onAgain),
        button(text.get('chooseBackgroundImage'), false, onChoose),
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
    return isSquare(size)
      ? text.get('pixelSizeByBackgroundImage', x)
      : text.get('pixelSidesByBackgroundImage', x, y);
  }

  show(pairing: BackgroundImagePairing, image: Extent, stretched: boolean): void {
    const { text } = this.options;
    const { state, backgroundImage, notes = [], path, how, offers } = pairing;
    const heading: MasksTextKey | undefined = offers ? 'backgroundImageOtherSize' : HEADINGS[state];
    const name = backgroundImage?.name ?? (path && pathParts(path).at(-1));
    fill(
      this.body,
      heading && element('p', { class: 'callout warning' }, icon('warning'), text.get(heading)),
      name &&
        element(
          'p',
          { class: 'background-image-name', title: path ?? name },
          icon('file-media'),
          element('span', {}, name),
        ),
      element('p', { class: 'hint' }, how),
      backgroundImage && element('p', { class: 'hint' }, this.facts(backgroundImage)),
      ...notes.map(note => element('p', { class: 'callout' }, icon('info'), element('span', {}, note))),
      backgroundImage && !pairing.stretched && this.sizeNote(backgroundImage, image, stretched),
      this.buttons(pairing),
    );
  }

  private facts(backgroundImage: BackgroundImageInfo): string {
    const { text } = this.options;
    const { width, height, channels, bitsPerSample, compression } = backgroundImage;
    const size =
      channels === 1
        ? text.get('backgroundImageSizeOne', width, height, bitsPerSample)
        : text.get('backgroundImageSize', width, height, channels, bitsPerSample);
    return compression ? `${size}, ${compression}` : size;
  }

  private sizeNote(backgroundImage: Extent, image: Extent, stretched: boolean): HTMLElement | null {
    if (backgroundImage.width === image.width && backgroundImage.height === image.height) return null;
    const { text, onStretch } = this.options;
    const box = element('input', { type: 'checkbox' });
    box.checked = stretched;
    box.addEventListener('change', () => onStretch(box.checked));
    const words = text.get(
      'backgroundImageSizeDiffers',
      backgroundImage.width,
      backgroundImage.height,
      image.width,
      image.height,
    );
    return element(
      'div',
      {},
      element('p', { class: 'callout warning' }, icon('warning'), element('span', {}, words)),
      element('label', { class: 'check' }, box, text.get('backgroundImageStretch')),
    );
  }

  private buttons({ state, offers = [] }: BackgroundImagePairing): HTMLElement {
    const { text, onConfirm, onChoose, onAccept } = this.options;
    const isSuggested = state === 'suggested';
    return element(
      'div',
      { class: 'buttons' },
      isSuggested && button(text.get('confirmBackgroundImage'), true, onConfirm),
      // One button stands out: what the file has at the masks' own size is the best of it.
      ...offers.map((offer, at) =>
        button(this.offerWords(offer), !isSuggested && at === 0 && offer.kind !== 'scaled', () =>
          onAccept(offer),
        ),
      ),
      button(text.get('chooseBackgroundImage'), false, onChoose),
    );
  }

  private offerWords(offer: BackgroundImageOffer): string {
    const { text } = this.options;
    switch (offer.kind) {
      case 'level':
        return text.get('offerLevel', offer.width, offer.height);
      case 'page':
        return text.get('offerPage', offer.page + 1);
      case 'scaled':
        return text.get('backgroundImageStretch');
    }
  }
}

function button(words: string, primary: boolean, onClick: () => void): HTMLElement {
  const made = element('button', { type: 'button', class: primary ? 'button' : 'button secondary' }, words);
  made.addEventListener('click', onClick);
  return made;
}

/** A line of what is known of the file. */
interface Fact {
  name: string;
  value: (string | HTMLElement)[];
}

interface ImageFileSectionOptions {
  text: MasksText;
  /** The user wants to say how large a pixel is. */
  onPixelSize: () => void;
}

/** What the inspector says of an image file that is shown by itself: how it is painted, and what is in the file. */
export class ImageFileSection implements ImageSection {
  readonly root = element('div', {});
  readonly controls = element('div', { class: 'background-image-controls' });
  private readonly body = element('div', { class: 'background-image-body' });
  private readonly changeSize: HTMLButtonElement;
  private shown: BackgroundImagePairing | undefined;
  private pixelSize: KnownPixelSize | undefined;

  constructor(private readonly options: ImageFileSectionOptions) {
    const { text, onPixelSize } = options;
    this.changeSize = element('button', { type: 'button', class: 'link-button' });
    this.changeSize.addEventListener('click', onPixelSize);
    const section = (title: string, content: HTMLElement) =>
      element('section', { class: 'section', 'aria-label': title }, element('h2', {}, title), content);
    fill(this.root, section(text.get('display'), this.controls), section(text.get('imageFile'), this.body));
  }

  looking(): void {
    this.shown = undefined;
    fill(this.body, element('p', { class: 'hint' }, this.options.text.get('opening')));
  }

  reading(share: number, onStop: () => void): void {
    const { text } = this.options;
    const words = element('p', { class: 'hint' }, text.get('imageLoading', Math.floor(share * 100)));
    if (this.body.querySelector('button')) {
      // The button stays where the focus may be.
      this.body.firstElementChild?.replaceWith(words);
      return;
    }
    fill(this.body, words, secondaryButton(text.get('stopLoading'), onStop));
  }

  stopped(onAgain: () => void): void {
    const { text } = this.options;
    fill(
      this.body,
      element('p', { class: 'callout' }, icon('circle-slash'), text.get('loadingStopped')),
      secondaryButton(text.get('loadImage'), onAgain),
    );
  }

  setPixelSize(known: KnownPixelSize | undefined): void {
    this.pixelSize = known;
    this.render();
  }

  show(pairing: BackgroundImagePairing): void {
    this.shown = pairing;
    this.render();
  }

  private render(): void {
    if (!this.shown) return;
    const { backgroundImage, how, notes = [], fileSize } = this.shown;
    if (!backgroundImage) {
      fill(this.body, element('p', { class: 'callout warning' }, icon('warning'), element('span', {}, how)));
      return;
    }
    const { text } = this.options;
    fill(this.changeSize, text.get(this.pixelSize ? 'changePixelSize' : 'setPixelSize'));
    const list = element('dl', { class: 'measures' });
    for (const { name, value } of this.facts(backgroundImage, fileSize))
      list.append(element('dt', {}, name), element('dd', {}, ...value));
    fill(
      this.body,
      list,
      ...notes.map(note => element('p', { class: 'callout' }, icon('info'), element('span', {}, note))),
    );
  }

  private facts(image: BackgroundImageInfo, fileSize: string | undefined): Fact[] {
    const { text } = this.options;
    const { width, height, channels, bitsPerSample, sampleKind, compression, levels, axes } = image;
    const planes = axes.page * axes.z * axes.t;
    const samples = { unsigned: 'samplesUnsigned', signed: 'samplesSigned', float: 'samplesFloat' } as const;
    const coarsest = levels.at(-1);
    const fact = (name: MasksTextKey, ...value: Fact['value']): Fact => ({ name: text.get(name), value });
    const facts = [
      fact('factSize', text.get('imageSize', width, height)),
      fact('factPixelSize', this.pixelSizeWords(), ' ', this.changeSize),
      fact('factChannels', text.number(channels)),
      fact('factSamples', text.get(samples[sampleKind], bitsPerSample)),
    ];
    if (planes > 1) facts.push(fact('factPlanes', text.number(planes)));
    if (levels.length > 1 && coarsest)
      facts.push(fact('factLevels', text.get('levelsTo', levels.length, coarsest.width, coarsest.height)));
    facts.push(fact('factCompression', compression ?? text.get('compressionNone')));
    if (fileSize) facts.push(fact('factFileSize', fileSize));
    return facts;
  }

  private pixelSizeWords(): string {
    const { text } = this.options;
    if (!this.pixelSize) return '';
    const { size, from } = this.pixelSize;
    const [x, y] = [text.significant(size.x, 5), text.significant(size.y, 5)];
    const words = isSquare(size) ? text.get('microns', x) : text.get('micronSides', x, y);
    return from === 'user' ? text.get('setByYou', words) : words;
  }
}

function secondaryButton(words: string, onClick: () => void): HTMLElement {
  const made = element('button', { type: 'button', class: 'button secondary' }, words);
  made.addEventListener('click', onClick);
  return made;
}
