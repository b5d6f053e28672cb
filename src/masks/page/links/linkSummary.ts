import type { PageText } from '../../../pages/page/pageText';
import { element, fill, icon, iconButton } from '../../../pages/page/widgets/element';
import { openPopover } from '../../../pages/page/widgets/popover';
import type {
  ImageLink,
  LinkReport,
  MasksInSmall,
  NamedOpenImage,
  PositionOffset,
  ShownImageLinks,
} from '../../rowLinks';

/** A link report in words: one line, a short form of it, whether it deserves attention, and the details. */
interface LinkSummary {
  line: string;
  short: string;
  warning: boolean;
  details: string[];
}

/** Words a link report. Counts are never hidden: whatever is not linked is named in the details. */
export function linkSummary(report: LinkReport, text: PageText): LinkSummary {
  const rows = report.matched + report.rowsWithoutObject + report.ambiguous;
  const details: string[] = [];
  if (report.imageColumn !== undefined && report.idColumn !== undefined) {
    details.push(text.get('linkColumns', report.imageColumn, report.idColumn));
  }
  if (report.rowsWithoutObject > 0) details.push(text.get('linkRowsWithout', report.rowsWithoutObject));
  if (report.objectsWithoutRow > 0) details.push(text.get('linkObjectsWithout', report.objectsWithoutRow));
  if (report.ambiguous > 0) details.push(text.get('linkAmbiguous', report.ambiguous));
  details.push(...sameNamesWords(report, text));
  const areas = areaCheck(report, text);
  if (areas) details.push(areas.words);
  if (report.positionOffset) details.push(positionWords(report.positionOffset, text));
  return {
    line: linkLine(report.matched, rows, text),
    short: text.get('linkedShort', report.matched),
    warning:
      report.matched < rows ||
      report.objectsWithoutRow > 0 ||
      (report.sameNames?.open ?? 0) > 0 ||
      report.sameNames?.differsFromBefore === true ||
      (areas !== undefined && !areas.agrees),
    details,
  };
}

function linkLine(matched: number, rows: number, text: PageText): string {
  if (matched === 0) return text.get('linkedNone');
  return matched === rows ? text.get('linked', rows) : text.get('linkedSome', matched, rows);
}

const TOLD_BY = ['hand', 'size', 'ids', 'areas', 'positions', 'empty'] as const;

function sameNamesWords({ sameNames }: LinkReport, text: PageText): string[] {
  if (!sameNames) return [];
  const { told, open, differsFromBefore } = sameNames;
  const ways = TOLD_BY.flatMap(by => (told[by] ? [text.get(`toldBy.${by}`, told[by])] : []));
  return [
    ...(differsFromBefore ? [text.get('sameNamesDiffer')] : []),
    ...(ways.length > 0 ? [text.get('sameNamesTold', ways.join(', '))] : []),
    ...(open > 0 ? [text.get('sameNamesOpen', open)] : []),
  ];
}

function areaCheck(report: LinkReport, text: PageText): { words: string; agrees: boolean } | undefined {
  const ratio = report.areaRatio;
  if (ratio === undefined) return undefined;
  const shown = text.number(ratio, 4);
  if (!report.areaRatioConstant) return { words: text.get('areaDiffers', shown), agrees: false };
  if (Math.abs(ratio - 1) < 0.001) return { words: text.get('areaAgrees'), agrees: true };
  return { words: text.get('areaRescaled', shown), agrees: false };
}

/** Positions are shown as the table gives them, never corrected: how they lie is only said. */
function positionWords({ x, y, constant }: PositionOffset, text: PageText): string {
  if (!constant) return text.get('positionsDiffer');
  if (Math.max(Math.abs(x), Math.abs(y)) < 0.01) return text.get('positionsAgree');
  return text.get('positionsOff', text.number(x, 2), text.number(y, 2));
}

export interface ImageLinksOptions {
  anchor: Element;
  text: PageText;
  read: () => Promise<ShownImageLinks>;
  /** Links images, or undoes that where a path is null; resolves with what is open then. */
  link: (links: ImageLink[]) => Promise<ShownImageLinks>;
  /** The masks of an image in small. */
  thumbnail: (image: number) => Promise<MasksInSmall>;
  /** Shows an image by itself, where the page does that. */
  show?: (image: number) => void;
}

/** Paths that are buttons, to be linked by one click; of more, one is chosen in a list. */
const MAX_BUTTONS = 6;

/** Whether a person has something to say about which image is which. */
export function canLinkImages({ sameNames }: LinkReport): boolean {
  return sameNames !== undefined && (sameNames.open > 0 || (sameNames.told.hand ?? 0) > 0);
}

/** A button that opens the window below. */
export function imageLinksButton(options: Omit<ImageLinksOptions, 'anchor'>): HTMLElement {
  const { text } = options;
  const button = element('button', { type: 'button', class: 'button secondary' }, text.get('linkImages'));
  button.addEventListener('click', () => void openImageLinks({ ...options, anchor: button }));
  return element('div', { class: 'buttons' }, button);
}

/** The images that can't be told from others of their name, beside the paths that the table has, to be linked by a person. */
export async function openImageLinks({
  anchor,
  text,
  read,
  link,
  thumbnail,
  show: showImage,
}: ImageLinksOptions): Promise<void> {
  const body = element('div', { class: 'image-links-body', tabindex: -1 }, text.get('opening'));
  const status = element('p', { class: 'popover-note', role: 'status' });
  openPopover({
    anchor,
    label: text.get('linkImagesTitle'),
    className: 'image-links',
    content: [element('h2', { class: 'popover-title' }, text.get('linkImagesTitle')), body, status],
    focus: body,
  });
  const thumbnails = new MasksThumbnails(body, thumbnail);
  const show = (shown: ShownImageLinks) => {
    // The row that had the focus may be gone.
    const hadFocus = body.contains(document.activeElement);
    fill(body, ...contentOf(shown));
    if (hadFocus) (body.querySelector<HTMLElement>('select, button') ?? body).focus();
  };
  const work = async (shown: Promise<ShownImageLinks>) => {
    body.inert = true;
    try {
      show(await shown);
      status.textContent = '';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      status.textContent = text.get('linkImagesFailed', reason);
    } finally {
      body.inert = false;
    }
  };
  const save = (...links: ImageLink[]) => void work(link(links));

  function contentOf({ groups, byHand, isCut }: ShownImageLinks): HTMLElement[] {
    const suggested = groups.flatMap(({ images }) =>
      images.flatMap(({ id, suggested: path }) => (path === undefined ? [] : [{ image: id, path }])),
    );
    const all = element(
      'button',
      { type: 'button', class: 'button' },
      text.count('acceptSuggestions', suggested.length),
    );
    all.addEventListener('click', () => save(...suggested));
    const open = groups.flatMap(({ images, paths }) => images.map(image => openRow(image, paths)));
    const linked = byHand.map(({ image, name, path }) =>
      element(
        'li',
        { class: 'image-link linked' },
        named(name, ''),
        icon('link'),
        element('span', { class: 'image-link-path', title: path }, path),
        iconButton('discard', text.get('undoLink', name), () => save({ image, path: null })),
      ),
    );
    const list = (label: string, rows: HTMLElement[]) => [
      element('h3', { class: 'image-links-label' }, label),
      element('ul', { class: 'image-links-list', 'aria-label': label }, ...rows),
    ];
    return [
      ...(open.length > 0 ? [element('p', { class: 'popover-note' }, text.get('linkImagesHint'))] : []),
      ...(suggested.length > 0 ? [element('div', { class: 'buttons' }, all)] : []),
      ...(open.length > 0 ? list(text.count('openImages', open.length), open) : []),
      ...(isCut ? [element('p', { class: 'popover-note' }, text.get('openImagesCut'))] : []),
      ...(linked.length > 0 ? list(text.get('linkedByHand'), linked) : []),
      ...(open.length + linked.length === 0
        ? [element('p', { class: 'popover-note' }, text.get('noOpenImages'))]
        : []),
    ];
  }

  function openRow(
    { id, image, name, objects, isDamaged, suggested }: NamedOpenImage,
    paths: ShownImageLinks['groups'][number]['paths'],
  ): HTMLElement {
    const count = isDamaged ? text.get('openImageDamaged') : text.count('openImageObjects', objects);
    const masks = element('span', { class: 'image-link-masks' });
    if (objects > 0) thumbnails.want(masks, image);
    // Those of one name are told apart by their masks, and by their place in the archive.
    const words = named(name, text.get('openImageNote', image + 1, count));
    const about = element('div', { class: 'image-link-image' }, masks, words);
    if (showImage) {
      const button = iconButton('eye', text.get('showOpenImage', name), () => showImage(image));
      about.append(button);
    }
    const saveTo = (path: string) => save({ image: id, path });
    const ofImage = { text, name, paths, suggested, saveTo };
    const choice =
      paths.length === 0
        ? element('span', {}, text.get('noPaths'))
        : paths.length > MAX_BUTTONS
          ? pathChoice(ofImage)
          : pathButtons(ofImage);
    return element('li', { class: 'image-link' }, about, choice);
  }

  await work(read());
}

function named(name: string, note: string): HTMLElement {
  return element(
    'span',
    { class: 'image-link-name', title: name },
    element('span', { class: 'image-link-file' }, name),
    note !== '' && element('span', { class: 'popover-note' }, note),
  );
}

interface PathsOfImage {
  text: PageText;
  name: string;
  paths: ShownImageLinks['groups'][number]['paths'];
  suggested: string | undefined;
  saveTo: (path: string) => void;
}

/** A button for each path of the table, the likely one first. */
function pathButtons({ text, name, paths, suggested, saveTo }: PathsOfImage): HTMLElement {
  const rank = ({ path }: { path: string }) => (path === suggested ? 0 : 1);
  const buttons = [...paths]
    .sort((a, b) => rank(a) - rank(b))
    .map(({ path, rows }) => {
      const isSuggested = path === suggested;
      const button = element(
        'button',
        {
          type: 'button',
          class: isSuggested ? 'button image-link-to' : 'button secondary image-link-to',
          title: text.get('linkImageTo', name, path),
          'aria-label': text.get('linkImageTo', name, path),
        },
        text.count(isSuggested ? 'suggestedPath' : 'openPath', rows, path),
      );
      button.addEventListener('click', () => saveTo(path));
      return button;
    });
  return element('div', { class: 'image-link-paths' }, ...buttons);
}

/** A list of the paths of the table, which is filled when it is used: there may be a thousand for each of a thousand images. */
function pathChoice({ text, name, paths, suggested, saveTo }: PathsOfImage): HTMLElement {
  const choice = element('select', {
    class: 'image-link-choice',
    'aria-label': text.get('pathOfImage', name),
  });
  const optionOf = ({ path, rows }: PathsOfImage['paths'][number]) =>
    element(
      'option',
      { value: path, selected: path === suggested, title: path },
      text.count(path === suggested ? 'suggestedPath' : 'openPath', rows, path),
    );
  choice.append(
    element('option', { value: '', selected: suggested === undefined }, text.get('choosePath')),
    ...paths.filter(({ path }) => path === suggested).map(optionOf),
  );
  let isWhole = false;
  const complete = () => {
    if (!isWhole) choice.append(...paths.filter(({ path }) => path !== suggested).map(optionOf));
    isWhole = true;
  };
  choice.addEventListener('pointerdown', complete);
  choice.addEventListener('focus', complete);
  const button = element('button', { type: 'button', class: 'button' }, text.get('linkOne'));
  const refresh = () => (button.disabled = choice.value === '');
  choice.addEventListener('change', refresh);
  refresh();
  button.setAttribute('aria-label', text.get('linkImage', name));
  button.addEventListener('click', () => saveTo(choice.value));
  return element('div', { class: 'image-link-list' }, choice, button);
}

/** Masks of images in small, fetched for those in view. */
class MasksThumbnails {
  private readonly images = new Map<Element, number>();
  private readonly observer: IntersectionObserver;

  constructor(
    root: Element,
    private readonly fetch: ImageLinksOptions['thumbnail'],
  ) {
    this.observer = new IntersectionObserver(
      entries => {
        for (const { target, isIntersecting } of entries) if (isIntersecting) void this.draw(target);
      },
      { root },
    );
  }

  want(place: Element, image: number): void {
    this.images.set(place, image);
    this.observer.observe(place);
  }

  private async draw(place: Element): Promise<void> {
    this.observer.unobserve(place);
    const image = this.images.get(place);
    this.images.delete(place);
    if (image === undefined) return;
    // Without one, the number of objects still tells something.
    const masks = await this.fetch(image).catch(() => undefined);
    if (masks) place.append(silhouettes(masks, getComputedStyle(place).color));
  }
}

/** All objects in one color. */
function silhouettes({ width, height, labels }: MasksInSmall, color: string): HTMLCanvasElement {
  const canvas = element('canvas', { width, height });
  const context = canvas.getContext('2d');
  if (!context || width === 0 || height === 0) return canvas;
  const pixels = context.createImageData(width, height);
  new Uint32Array(labels).forEach((label, at) => (pixels.data[at * 4 + 3] = label === 0 ? 0 : 255));
  context.putImageData(pixels, 0, 0);
  context.globalCompositeOperation = 'source-in';
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  return canvas;
}
