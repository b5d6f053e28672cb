import type { BackgroundImageInfo } from '../../../images/backgroundImageInfo';
import type { BackgroundImagePairing } from '../../../images/backgroundImagePairing';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import type { MasksText } from '../../../pages/page/pageText';
import type { MasksTextKey } from '../../../pages/masksTexts';
import { isSquare } from '../stage/micronSize';
import type { ImageSection, KnownPixelSize } from './imageSection';

/** A line of what is known of the file. */
interface Fact {
  name: string;
  value: (string | HTMLElement)[];
}

export interface ImageFileSectionOptions {
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
    fill(this.body, words, button(text.get('stopLoading'), onStop));
  }

  stopped(onAgain: () => void): void {
    const { text } = this.options;
    fill(
      this.body,
      element('p', { class: 'callout' }, icon('circle-slash'), text.get('loadingStopped')),
      button(text.get('loadImage'), onAgain),
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

function button(words: string, onClick: () => void): HTMLElement {
  const made = element('button', { type: 'button', class: 'button secondary' }, words);
  made.addEventListener('click', onClick);
  return made;
}
