import type { PicturePairing } from '../../protocol/masksPage';
import { element, fill, icon } from '../element';
import type { PageText } from '../pageText';
import { baseName } from './imageStrip';
import type { Size } from './viewTransform';

export interface PictureSectionOptions {
  text: PageText;
  onConfirm: () => void;
  onChoose: () => void;
  onStretch: (stretched: boolean) => void;
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

  constructor(private readonly options: PictureSectionOptions) {
    const title = options.text.get('picture');
    this.root = element(
      'section',
      { class: 'section', 'aria-label': title },
      element('h2', {}, title),
      this.body,
    );
  }

  looking(): void {
    fill(this.body, element('p', { class: 'hint' }, this.options.text.get('pictureLooking')));
  }

  show(pairing: PicturePairing, image: Size, stretched: boolean): void {
    const { text } = this.options;
    const { state, picture, path, how } = pairing;
    const heading = HEADINGS[state];
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
      picture &&
        element(
          'p',
          { class: 'hint' },
          picture.channels === 1
            ? text.get('pictureSizeOne', picture.width, picture.height, picture.bitsPerSample)
            : text.get('pictureSize', picture.width, picture.height, picture.channels, picture.bitsPerSample),
        ),
      ...(picture?.notes ?? []).map(note =>
        element('p', { class: 'callout' }, icon('info'), element('span', {}, note)),
      ),
      picture && this.sizeNote(picture, image, stretched),
      this.buttons(pairing),
    );
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

  private buttons({ state }: PicturePairing): HTMLElement {
    const { text, onConfirm, onChoose } = this.options;
    const button = (key: string, primary: boolean, onClick: () => void) => {
      const made = element(
        'button',
        { type: 'button', class: primary ? 'button' : 'button secondary' },
        text.get(key),
      );
      made.addEventListener('click', onClick);
      return made;
    };
    return element(
      'div',
      { class: 'buttons' },
      state === 'suggested' && button('confirmPicture', true, onConfirm),
      button('choosePicture', false, onChoose),
    );
  }
}
