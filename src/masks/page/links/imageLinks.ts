import type { LinkReport } from '../../linkReport';
import type { ImageLink, NamedOpenImage, ShownImageLinks } from '../../linkRequests';
import { element, fill, icon, iconButton } from '../../../pages/page/widgets/element';
import { openPopover } from '../../../pages/page/widgets/popover';
import type { PageText } from '../../../pages/page/pageText';

export interface ImageLinksOptions {
  anchor: Element;
  text: PageText;
  read: () => Promise<ShownImageLinks>;
  /** Links images, or undoes that where a path is null; resolves with what is open then. */
  link: (links: ImageLink[]) => Promise<ShownImageLinks>;
}

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
export async function openImageLinks({ anchor, text, read, link }: ImageLinksOptions): Promise<void> {
  const body = element('div', { class: 'image-links-body', tabindex: -1 }, text.get('opening'));
  const status = element('p', { class: 'popover-note', role: 'status' });
  openPopover({
    anchor,
    label: text.get('linkImagesTitle'),
    className: 'image-links',
    content: [element('h2', { class: 'popover-title' }, text.get('linkImagesTitle')), body, status],
    focus: body,
  });
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
        { class: 'image-link' },
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
    { id, name, objects, isDamaged, suggested }: NamedOpenImage,
    paths: ShownImageLinks['groups'][number]['paths'],
  ): HTMLElement {
    const note = isDamaged ? text.get('openImageDamaged') : text.count('openImageObjects', objects);
    if (paths.length === 0)
      return element('li', { class: 'image-link' }, named(name, note), text.get('noPaths'));
    const choice = element('select', {
      class: 'image-link-choice',
      'aria-label': text.get('pathOfImage', name),
    });
    choice.append(
      element('option', { value: '', selected: suggested === undefined }, text.get('choosePath')),
    );
    for (const { path, rows } of paths) {
      const words = text.count(path === suggested ? 'suggestedPath' : 'openPath', rows, path);
      choice.append(element('option', { value: path, selected: path === suggested, title: path }, words));
    }
    const button = element('button', { type: 'button', class: 'button' }, text.get('linkOne'));
    const refresh = () => (button.disabled = choice.value === '');
    choice.addEventListener('change', refresh);
    refresh();
    button.setAttribute('aria-label', text.get('linkImage', name));
    button.addEventListener('click', () => save({ image: id, path: choice.value }));
    return element('li', { class: 'image-link' }, named(name, note), choice, button);
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
