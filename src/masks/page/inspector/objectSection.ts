import { type Rgb, toHex } from '../../../base/colors';
import type { MasksTextKey } from '../../../pages/masksTexts';
import type { MasksText } from '../../../pages/page/pageText';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { ObjectDetails } from '../../masksSummary';
import {
  type Agreement,
  areaInMicrons,
  type ComparedObject,
  isSquare,
  perimeterInMicrons,
  rowAgreement,
} from './objectMeasurements';
import type { MicronSize } from '../state/pointerModel';

/** What the object section shows: nothing, or an object, pointed at or selected. */
interface ShownObject {
  details: ObjectDetails;
  /** Of its class, whatever objects are colored by. */
  classColor: Rgb;
  selected: boolean;
  /** Which of how many objects that lie over each other, when there are more than one. */
  stack?: { position: number; count: number };
  /** Mean of the background image's samples inside the mask, for each of its channels; absent without a background image. */
  means?: readonly (number | null)[];
}

/** What is known beside the object itself: how large a pixel is, and which channels its background image has. */
export interface ObjectSurroundings {
  pixelSize?: MicronSize | undefined;
  channels: readonly { name: string; shown: boolean }[];
}

/** Maximum number of channels whose means are all listed; of more, only those that show. */
const MAX_MEANS = 8;

/** The object under the pointer, or else the selected one, with its measurements; each with its definition as a tooltip. */
export class ObjectSection {
  readonly root: HTMLElement;
  private readonly heading = element('h2');
  private readonly body = element('div', { class: 'object-body' });
  private surroundings: ObjectSurroundings = { channels: [] };
  private shown: ShownObject | undefined;
  /** Once an object had a score, its line stays: nothing below may jump under the pointer. */
  private hasScores = false;

  constructor(private readonly text: MasksText) {
    this.root = element(
      'section',
      { class: 'section object', 'aria-label': text.get('object') },
      this.heading,
      this.body,
    );
    this.show(undefined);
  }

  setSurroundings(surroundings: ObjectSurroundings): void {
    this.surroundings = surroundings;
    this.show(this.shown);
  }

  /** Adds the means once they have come; the object may have changed meanwhile. */
  setMeans(of: ObjectDetails, means: readonly (number | null)[]): void {
    if (this.shown?.details !== of) return;
    this.show({ ...this.shown, means });
  }

  /** Colors of classes have changed. */
  recolor(colorOf: (className: string) => Rgb): void {
    const { shown } = this;
    const classColor = shown && colorOf(shown.details.className);
    if (classColor && toHex(classColor) !== toHex(shown.classColor)) this.show({ ...shown, classColor });
  }

  show(shown: ShownObject | undefined): void {
    this.shown = shown;
    const { text } = this;
    const heading = shown ? (shown.selected ? 'objectSelected' : 'objectUnderPointer') : 'object';
    fill(this.heading, text.get(heading));
    const list = element('dl', { class: 'measures' });
    for (const { name, hint, note, value } of this.measures(shown)) {
      const title = [hint, note].flatMap(key => (key ? [text.get(key)] : [])).join('\n') || undefined;
      list.append(element('dt', { title }, name), element('dd', { title }, value ?? '–'));
    }
    fill(this.body, list, element('div', { class: 'hints' }, ...this.hints(shown)));
  }

  /** What can be done next. The longest takes its place unseen, as what is below must not jump under the pointer. */
  private hints(shown: ShownObject | undefined): HTMLElement[] {
    const { text } = this;
    const stack = shown?.stack;
    const said =
      stack && stack.count > 1
        ? text.get('clickAgain', stack.position + 1, stack.count)
        : text.get(!shown ? 'pointAtObject' : shown.selected ? 'clearSelected' : 'clickToSelect');
    const hint = (words: string, unsaid: boolean) =>
      element('p', { class: unsaid ? 'hint unsaid' : 'hint' }, words);
    return [hint(said, false), ...(shown ? [hint(text.get('pointAtObject'), true)] : [])];
  }

  private measures(shown: ShownObject | undefined): Measure[] {
    const { text } = this;
    const details = shown?.details;
    const measure = (
      key: MasksTextKey | null,
      hint: MasksTextKey,
      make: (details: ObjectDetails) => string | HTMLElement,
      unit?: MasksTextKey,
    ): Measure => ({
      name: key ? text.get(key) : '',
      hint,
      // Without an object, the units say what is measured.
      ...(details ? { value: make(details) } : unit && { value: text.get(unit, '–') }),
    });
    const { pixelSize, channels } = this.surroundings;
    const isOblong = pixelSize !== undefined && !isSquare(pixelSize);
    const list: Measure[] = [
      measure('measureId', 'measureIdHint', ({ id }) => String(id)),
      { name: text.get('measureClass'), ...(shown && { value: classValue(shown) }) },
      measure('measureArea', 'measureAreaHint', ({ area }) => text.get('squarePixels', area), 'squarePixels'),
      ...(pixelSize === undefined
        ? []
        : [
            measure(
              null,
              'measureAreaHint',
              ({ area }) => text.get('squareMicrons', text.significant(areaInMicrons(area, pixelSize), 5)),
              'squareMicrons',
            ),
          ]),
      {
        ...measure(
          'measurePerimeter',
          'measurePerimeterHint',
          ({ perimeter }) => text.get('pixels', text.number(perimeter, 2)),
          'pixels',
        ),
        ...(isOblong && { note: 'perimeterNotSquareHint' as const }),
      },
      ...(pixelSize === undefined || isOblong
        ? []
        : [
            measure(
              null,
              'measurePerimeterHint',
              ({ perimeter }) =>
                text.get('microns', text.significant(perimeterInMicrons(perimeter, pixelSize) ?? NaN, 5)),
              'microns',
            ),
          ]),
      measure('measureCentroid', 'measureCentroidHint', ({ centroid }) =>
        centroid.map(each => each.toFixed(2)).join(', '),
      ),
      measure('measureBox', 'measureBoxHint', ({ bbox: [x1, y1, x2, y2] }) =>
        element('span', {}, corner(x1, y1), ' – ', corner(x2, y2)),
      ),
      measure('measureRow', 'measureRowHint', ({ row }) =>
        row === undefined ? text.get('measureRowNone') : text.number(row + 1),
      ),
    ];
    channels.forEach((channel, at) => {
      if (channels.length > MAX_MEANS && !channel.shown) return;
      const mean = shown?.means?.[at];
      const name = channels.length === 1 ? text.get('measureMean') : text.get('measureMeanOf', channel.name);
      const value = mean === undefined ? undefined : mean === null ? 'NaN' : text.significant(mean, 6);
      list.splice(-1, 0, { name, hint: 'measureMeanHint', ...(value && { value }) });
    });
    const score = details?.score;
    this.hasScores ||= score !== undefined;
    if (this.hasScores) {
      const value = score === undefined ? {} : { value: text.number(score, 3) };
      list.splice(2, 0, { name: text.get('measureScore'), hint: 'measureScoreHint', ...value });
    }
    return list;
  }
}

interface Measure {
  /** Empty where it goes on with the measurement above, in another unit. */
  name: string;
  hint?: MasksTextKey;
  /** A second hint, which only some images need. */
  note?: MasksTextKey;
  value?: string | HTMLElement;
}

/** Never broken over two lines. */
function corner(x: number, y: number): HTMLElement {
  return element('span', { class: 'corner' }, `${x}, ${y}`);
}

function classValue({ details, classColor }: ShownObject): HTMLElement {
  const dot = element('span', { class: 'dot', 'aria-hidden': 'true' });
  dot.style.background = toHex(classColor);
  return element('span', { class: 'class-value' }, dot, details.className);
}

interface RowSectionOptions {
  text: MasksText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** Whether it begins open. */
  open: boolean;
  onToggle: (open: boolean) => void;
  /** What the row of an object is compared with. */
  comparedWith: () => Omit<ComparedObject, 'details'>;
  /** Resolves once the masks in view are painted: they come before the row. */
  whenPainted: () => Promise<void> | undefined;
  onFailure: (error: unknown) => void;
}

/**
 * What the object's row of the table says beyond its mask, with a warning where they contradict each other; the names of its
 * columns stay when there is no object.
 */
export class RowSection {
  readonly root: HTMLDetailsElement;
  private readonly list = element('dl', { class: 'measures row-cells' });
  private readonly same = element('p', { class: 'hint' });
  private names: readonly string[] = [];
  private cells: readonly string[] = [];
  private agreement: readonly Agreement[] = [];
  private requests = 0;
  private details: ObjectDetails | undefined;
  /** The cells may be those of another table. */
  private isOld = false;

  constructor(private readonly options: RowSectionOptions) {
    const { text, open, onToggle } = options;
    this.root = element(
      'details',
      { class: 'section row', hidden: true, open },
      element('summary', {}, icon('chevron-right'), element('span', {}, text.get('rowOfTable'))),
      this.list,
      this.same,
    );
    this.root.addEventListener('toggle', () => {
      onToggle(this.root.open);
      void this.refresh();
    });
  }

  /** The object in focus, or none. */
  show(details: ObjectDetails | undefined): void {
    if (this.details === details) return;
    const isSameRow = !this.isOld && this.details?.row === details?.row;
    this.isOld = false;
    this.details = details;
    if (isSameRow) this.compare();
    else void this.refresh();
  }

  /** Rows and objects were linked, maybe with another table. Details that say so follow. */
  linked(): void {
    this.isOld = true;
    this.compare();
  }

  /** What rows are compared with has changed. */
  compare(): void {
    const { details, cells, names } = this;
    // Without a row the lines stay as they are: nothing below may jump.
    if (details && cells.length > 0)
      this.agreement = rowAgreement(names, cells, { details, ...this.options.comparedWith() });
    this.render();
  }

  private async refresh(): Promise<void> {
    const request = ++this.requests;
    const row = this.details?.row;
    if (row === undefined || !this.root.open) {
      this.cells = [];
      this.compare();
      if (row !== undefined) this.root.hidden = false;
      return;
    }
    try {
      await this.options.whenPainted();
      if (request !== this.requests) return;
      const { cells } = await this.options.panel.request('objectRow', { row });
      if (request !== this.requests) return;
      this.names = cells.map(({ name }) => name);
      this.root.hidden = false;
      this.cells = cells.map(({ text }) => text);
      this.compare();
    } catch (error) {
      if (request === this.requests) this.options.onFailure(error);
    }
  }

  private render(): void {
    const { text } = this.options;
    const { names, cells, agreement } = this;
    fill(
      this.list,
      ...names.flatMap((name, at) => {
        if (agreement[at] === 'same') return [];
        const differs = agreement[at] === 'differs' && cells.length > 0;
        const title = differs ? text.get('differsFromMask') : cells[at];
        return [
          element('dt', { title: name }, name || '–'),
          element(
            'dd',
            { title, class: differs && 'warning' },
            differs && icon('warning'),
            ...breakable(cells[at] || '–'),
            differs && element('span', { class: 'visually-hidden' }, text.get('differsFromMask')),
          ),
        ];
      }),
    );
    const same = names.filter((_, at) => agreement[at] === 'same');
    this.same.textContent = same.length > 0 ? text.get('sameInTable', same.join(', ')) : '';
  }
}

/** Paths may be broken after each of their parts, rather than within a name. */
function breakable(text: string): (string | HTMLElement)[] {
  return text.split(/(?<=[/\\])/).flatMap((part, at) => (at === 0 ? [part] : [element('wbr'), part]));
}
