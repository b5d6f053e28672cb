import type { LinkReport } from '../../linkReport';
import type { ShownMaskImage } from '../../masksSummary';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import { canLinkImages, imageLinksButton } from '../links/imageLinks';
import { linkSummary } from '../links/linkSummary';
import type { MasksText } from '../../../pages/page/pageText';

const MAX_LISTED = 200;

export interface ArchiveSectionOptions {
  text: MasksText;
  /** What is unusual about the archive. */
  notes: readonly string[];
  /** Lets the user choose a table; absent where the masks came with one. */
  onChooseTable?: () => void;
  /** Lets a person say which image is which. */
  images: Omit<Parameters<typeof imageLinksButton>[0], 'text'>;
}

/** What should be known about the archive and its link to the table: nothing that went wrong stays silent. */
export class ArchiveSection {
  readonly root = element('div', { class: 'archive' });
  private readonly link = element('section', { class: 'section' });
  private readonly unreadable = element('div', {});
  private readonly notes = element('div', {});

  constructor(private readonly options: ArchiveSectionOptions) {
    const { text, notes } = options;
    this.link.setAttribute('aria-label', text.get('table'));
    this.setLink(undefined);
    fill(this.root, this.link, this.unreadable, this.notes);
    this.setNotes(notes);
  }

  /** What is unusual about the archive. */
  setNotes(notes: readonly string[]): void {
    fill(this.notes, notes.length > 0 && disclosure(this.options.text.get('notes'), 'info', notes));
  }

  setLink(report: LinkReport | undefined): void {
    const { text, onChooseTable, images } = this.options;
    const summary = report && linkSummary(report, text);
    fill(
      this.link,
      element('h2', {}, text.get('table')),
      summary
        ? element(
            'p',
            { class: summary.warning ? 'callout warning' : 'callout' },
            icon(summary.warning ? 'warning' : 'link'),
            element('span', {}, summary.line),
          )
        : element('p', { class: 'hint' }, text.get('tableNotLinked')),
      ...(summary?.details ?? []).map(words => element('p', { class: 'hint' }, words)),
      report !== undefined && canLinkImages(report) && imageLinksButton({ text, ...images }),
      onChooseTable && tableButton(text.get(summary ? 'changeTable' : 'chooseTable'), onChooseTable),
    );
  }

  setImage(image: ShownMaskImage): void {
    const { text } = this.options;
    const { unreadable, unreadableCount } = image;
    const lines = unreadable.slice(0, MAX_LISTED).map(({ key, reason }) => `${key}: ${reason}`);
    if (unreadableCount > lines.length)
      lines.push(text.get('unreadableMore', unreadableCount - lines.length));
    fill(
      this.unreadable,
      unreadableCount > 0 && disclosure(text.count('unreadable', unreadableCount), 'warning', lines),
    );
  }
}

function tableButton(label: string, onChoose: () => void): HTMLElement {
  const button = element('button', { type: 'button', class: 'button secondary' }, label);
  button.addEventListener('click', onChoose);
  return element('div', { class: 'buttons' }, button);
}

function disclosure(title: string, iconName: string, lines: readonly string[]): HTMLElement {
  return element(
    'details',
    { class: `section ${iconName}` },
    element('summary', {}, icon('chevron-right'), icon(iconName), element('span', {}, title)),
    element('ul', { class: 'lines' }, ...lines.map(line => element('li', {}, line))),
  );
}
