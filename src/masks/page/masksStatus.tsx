import type { FileChange, TableFiltered } from '../masksPage';
import type { MasksText } from '../../pages/page/pageText';
import { element, fill, icon } from '../../pages/page/widgets/element';
import type { MaskImage, ObjectDetails } from '../masksSummary';
import type { LinkReport } from '../rowLinks';
import { linkSummary } from './links/linkSummary';
import { micronDecimals, type MicronSize } from './inspector/objectMeasurements';
import type { Point } from './tiles/viewTransform';

/** The line below the image: where the pointer is, what the image holds, how it is linked, what went wrong. */
export class MasksStatus {
  readonly root = element('footer', { class: 'status-line' });
  private readonly pointer = element('span', { class: 'status-item pointer' });
  private readonly microns = element('span', { class: 'status-item minor' });
  private readonly values = element('span', { class: 'status-item pixel-values' });
  private readonly hovered = element('span', { class: 'status-item shrinks', hidden: true });
  private readonly filter = element('span', { class: 'status-item shrinks filter', hidden: true });
  private readonly selected = element('span', { class: 'status-item shrinks', hidden: true });
  private readonly notice = element('span', { class: 'status-item notice error', hidden: true });
  /** What is still being read. */
  private readonly reading = element('span', { class: 'status-item shrinks', hidden: true });
  private readonly count = element('span', { class: 'status-item' });
  private readonly size = element('span', { class: 'status-item minor' });
  private readonly link = element('span', { class: 'status-item link', hidden: true });
  private pixelSize: MicronSize | undefined;
  /** Where the pointer is on the image, in pixels. */
  private pointed: Point | undefined;

  constructor(
    private readonly text: MasksText,
    private readonly hasMasks: boolean,
  ) {
    fill(
      this.root,
      this.pointer,
      this.microns,
      this.values,
      this.hovered,
      this.notice,
      this.selected,
      element('span', { class: 'status-gap' }),
      this.filter,
      this.reading,
      this.count,
      this.link,
      this.size,
    );
  }

  setImage(image: MaskImage, shown: number): void {
    const { text } = this;
    const words =
      shown === image.objectCount
        ? text.count('objects', image.objectCount)
        : text.get('shownOf', shown, image.objectCount);
    fill(this.count, image.failure || image.isPartial || !this.hasMasks ? null : words);
    fill(this.size, text.get('imageSize', image.width, image.height));
  }

  /** What is still being read, in words; empty for nothing. */
  setReading(words: string): void {
    this.reading.hidden = words === '';
    fill(this.reading, element('span', { class: 'status-words', title: words }, words));
  }

  /** How large the image's pixels are, where that is known. */
  setPixelSize(size: MicronSize | undefined): void {
    this.pixelSize = size;
    this.showMicrons();
  }

  /** The image pixel under the pointer, if it is on the image, and where that is in µm where pixels have a size. */
  setPointer(at: Point | null, image: MaskImage): void {
    const inside = at && at.x >= 0 && at.y >= 0 && at.x < image.width && at.y < image.height;
    this.pointed = inside ? at : undefined;
    this.pointer.textContent = inside ? this.text.get('pointer', Math.floor(at.x), Math.floor(at.y)) : '';
    this.showMicrons();
  }

  /** Samples of the background image under the pointer; empty when there are none. */
  setValues(values: readonly (number | null)[]): void {
    const { text } = this;
    this.values.textContent = values
      .map(value => (value === null ? 'NaN' : text.significant(value, 6)))
      .join(' · ');
    this.values.title = text.get('pixelValues');
  }

  /** The object under the pointer, where the inspector shows another, selected one. */
  setHovered(details: ObjectDetails | undefined): void {
    this.hovered.hidden = details === undefined;
    const words = details ? this.text.get('objectNamed', String(details.id), details.className) : '';
    fill(this.hovered, element('span', { class: 'status-words', title: words }, words));
  }

  /** How much of the table its filters let through. */
  setFilter(filtered: TableFiltered | null): void {
    this.filter.hidden = filtered === null;
    if (!filtered) return;
    const { text } = this;
    const words = [text.get('filteredByTable'), text.get('rowsOf', filtered.rowCount, filtered.total)].map(
      each => element('span', { class: 'status-words' }, each),
    );
    this.filter.title = words.map(({ textContent }) => textContent).join('\n');
    fill(this.filter, icon('filter'), element('span', { class: 'whole-words' }, ...words));
  }

  /** What was selected last with a region, in words; empty for nothing. */
  setSelected(words: string): void {
    this.selected.hidden = words === '';
    fill(this.selected, element('span', { class: 'status-words', title: words }, words));
  }

  setLink(report: LinkReport): void {
    const { line, warning, details } = linkSummary(report, this.text);
    this.link.hidden = false;
    this.link.classList.toggle('warning', warning);
    this.link.title = details.join('\n');
    fill(this.link, icon(warning ? 'warning' : 'link'), element('span', { class: 'status-words' }, line));
  }

  setFailure(words: string): void {
    this.notice.hidden = words === '';
    fill(this.notice, icon('error'), element('span', { class: 'status-words', title: words }, words));
  }

  private showMicrons(): void {
    const { text, pointed: at, pixelSize: size } = this;
    const words = (micron: number, side: number) => text.fixed(micron, micronDecimals(side));
    this.microns.textContent =
      at && size
        ? text.get('pointerMicrons', words(at.x * size.x, size.x), words(at.y * size.y, size.y))
        : '';
  }
}

/** The line that says that the file changed since it was read, and offers to read it again. */
export class FileNotice {
  readonly root = element('div', { class: 'file-notice', role: 'status' });

  constructor(
    private readonly text: MasksText,
    private readonly onReload: () => void,
  ) {
    this.show(null);
  }

  show(change: FileChange | null): void {
    const { text } = this;
    // The element stays, so that screen readers say what comes into it.
    this.root.classList.toggle('shown', change !== null);
    if (change === null) {
      fill(this.root);
      return;
    }
    const reload = element('button', { type: 'button', class: 'button secondary' }, text.get('reloadFile'));
    reload.addEventListener('click', this.onReload);
    fill(
      this.root,
      icon('warning'),
      element('span', {}, text.get(change === 'changed' ? 'fileChanged' : 'fileDeleted')),
      change === 'changed' && reload,
    );
  }
}
