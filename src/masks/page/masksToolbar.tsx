import type { MasksTextKey } from '../../pages/masksTexts';
import type { MasksText } from '../../pages/page/pageText';
import {
  cutName,
  element,
  fill,
  icon,
  iconButton,
  labelButton,
  lassoIcon,
} from '../../pages/page/widgets/element';
import type { DragTool } from './stage/canvasView';

interface MasksToolbarOptions {
  text: MasksText;
  title: string;
  imageCount: number;
  /** False where an image is shown by itself. */
  hasMasks: boolean;
  onImage: (step: number) => void;
  /** Opens or closes the list of images, which a narrow panel has no room for. */
  onList: () => void;
  onZoom: (factor: number) => void;
  onFit: () => void;
  onActualSize: () => void;
  onMasks: () => void;
  onDetails: () => void;
  onTable: () => void;
  onTool: (tool: DragTool) => void;
  onSave: () => void;
  onExport: () => void;
}

/** Where an image is in the list. */
interface ImagePlace {
  place: number;
  count: number;
  isFirst: boolean;
  isLast: boolean;
}

/** The line above the image. */
export class MasksToolbar {
  readonly root: HTMLElement;
  private readonly name = element('h1', { class: 'toolbar-title' });
  private readonly place = element('span', { class: 'image-place' });
  private readonly zoom = element('output', { class: 'zoom-level' });
  private readonly list: HTMLButtonElement;
  private readonly previous: HTMLButtonElement;
  private readonly next: HTMLButtonElement;
  private readonly masks: HTMLButtonElement;
  private readonly details: HTMLButtonElement;
  private readonly tools: Record<DragTool, HTMLButtonElement>;
  /** Those that do something with the image shown. */
  private readonly imageButtons: readonly HTMLButtonElement[];

  constructor(private readonly options: MasksToolbarOptions) {
    const { text, imageCount, hasMasks } = options;
    this.list = iconButton('list-unordered', text.get('images'), options.onList);
    this.list.classList.add('list-button');
    this.setListOpen(false);
    this.previous = iconButton('chevron-left', text.get('previousImage'), () => options.onImage(-1));
    this.next = iconButton('chevron-right', text.get('nextImage'), () => options.onImage(1));
    this.masks = iconButton('eye', '', options.onMasks);
    this.details = iconButton('layout-sidebar-right', '', options.onDetails);
    const tool = (name: DragTool, iconName: string, key: MasksTextKey) =>
      iconButton(iconName, text.get(key), () => options.onTool(name));
    this.tools = {
      move: tool('move', 'move', 'toolMove'),
      rectangle: tool('rectangle', 'chrome-maximize', 'toolRectangle'),
      lasso: tool('lasso', 'blank', 'toolLasso'),
    };
    this.tools.lasso.replaceChildren(lassoIcon());
    const actual = element('button', { type: 'button', class: 'icon-button text-button' }, '1:1');
    actual.title = text.get('zoomActual');
    // What is read on the button is part of its name.
    actual.setAttribute('aria-label', `1:1 ${text.get('zoomActual')}`);
    actual.addEventListener('click', options.onActualSize);
    this.zoom.setAttribute('aria-label', text.get('zoomLevel'));
    const zoomStep = (iconName: string, key: MasksTextKey, factor: number) => {
      const made = iconButton(iconName, text.get(key), () => options.onZoom(factor));
      made.classList.add('zoom-step');
      return made;
    };
    const [zoomOut, zoomIn] = [zoomStep('zoom-out', 'zoomOut', 1 / 1.5), zoomStep('zoom-in', 'zoomIn', 1.5)];
    const fit = iconButton('screen-full', text.get('zoomFit'), options.onFit);
    const save = iconButton('device-camera', text.get('saveView'), options.onSave);
    this.imageButtons = [...Object.values(this.tools), this.masks, zoomOut, zoomIn, fit, actual, save];
    this.root = element(
      'header',
      { class: 'toolbar' },
      imageCount > 1 && element('span', { class: 'group' }, this.list, this.previous, this.next),
      this.name,
      imageCount > 1 && this.place,
      element('span', { class: 'toolbar-gap' }),
      hasMasks &&
        element('span', { class: 'group tools' }, this.tools.move, this.tools.rectangle, this.tools.lasso),
      hasMasks && element('span', { class: 'group' }, this.masks),
      element('span', { class: 'group' }, zoomOut, this.zoom, zoomIn, fit, actual),
      save,
      hasMasks && labeledButton('export', text.get('export'), text.get('exportHint'), options.onExport),
      hasMasks && labeledButton('table', text.get('showTable'), undefined, options.onTable),
      this.details,
    );
    this.setTool('move');
    this.setImage(options.title);
  }

  setImage(name: string): void {
    fill(this.name, cutName(name));
    const { title } = this.options;
    this.name.title = name === title ? name : `${name} — ${title}`;
  }

  /** Where the image is in the list, from 0; −1 where it isn't listed. */
  setPlace({ place, count, isFirst, isLast }: ImagePlace): void {
    fill(this.place, this.options.text.get('imageOf', place < 0 ? '–' : place + 1, count));
    this.previous.disabled = isFirst;
    this.next.disabled = isLast;
  }

  /** Whether there is an image on the screen: not where it can't be read. */
  setShown(isShown: boolean): void {
    for (const button of this.imageButtons) button.disabled = !isShown;
    if (!isShown) this.zoom.textContent = '';
  }

  /** Whether the list of images is open over the image. */
  setListOpen(open: boolean): void {
    this.list.setAttribute('aria-expanded', String(open));
  }

  setTool(tool: DragTool): void {
    for (const [name, button] of Object.entries(this.tools))
      button.setAttribute('aria-pressed', String(name === tool));
  }

  setZoom(scale: number): void {
    const percent = scale * 100;
    this.zoom.textContent = this.options.text.get(
      'percent',
      this.options.text.number(percent, percent < 10 ? 1 : 0),
    );
  }

  setLook(look: { masks: boolean; details: boolean }): void {
    const { text } = this.options;
    labelButton(
      this.masks,
      text.get(look.masks ? 'hideMasks' : 'showMasks'),
      look.masks ? 'eye' : 'eye-closed',
    );
    labelButton(
      this.details,
      text.get(look.details ? 'hideDetails' : 'showDetails'),
      look.details ? 'layout-sidebar-right' : 'layout-sidebar-right-off',
    );
  }
}

function labeledButton(
  iconName: string,
  label: string,
  hint: string | undefined,
  onClick: () => void,
): HTMLElement {
  const made = element(
    'button',
    {
      type: 'button',
      class: `button secondary ${iconName}-button`,
      title: hint ?? label,
      'aria-label': label,
    },
    icon(iconName),
    element('span', { class: 'button-words' }, label),
  );
  made.addEventListener('click', onClick);
  return made;
}
