import type { ObjectDetails } from '../../protocol/masksEngine';
import { element, fill } from '../element';
import type { PageText } from '../pageText';
import { toHex, type Rgb } from './palette';

/** What the object section shows: nothing, or an object, pointed at or selected. */
export interface ShownObject {
  details: ObjectDetails;
  colour: Rgb;
  selected: boolean;
  /** Which of how many objects that lie over each other, when there are more than one. */
  stack?: { position: number; count: number };
}

/** The object under the pointer, or else the selected one, with its measurements; each tells its definition. */
export class ObjectSection {
  readonly root: HTMLElement;
  private readonly heading = element('h2');
  private readonly body = element('div', { class: 'object-body' });

  constructor(private readonly text: PageText) {
    this.root = element(
      'section',
      { class: 'section object', 'aria-label': text.get('object') },
      this.heading,
      this.body,
    );
    this.show(undefined);
  }

  show(shown: ShownObject | undefined): void {
    const { text } = this;
    const heading = shown ? (shown.selected ? 'objectSelected' : 'objectUnderPointer') : 'object';
    fill(this.heading, text.get(heading));
    const list = element('dl', { class: 'measures' });
    for (const { key, hint, value } of this.measures(shown)) {
      const title = hint && text.get(hint);
      list.append(element('dt', { title }, text.get(key)), element('dd', { title }, value ?? '–'));
    }
    const stack = shown?.stack;
    const stacked = stack !== undefined && stack.count > 1;
    const words = stacked
      ? text.get('clickAgain', stack.position + 1, stack.count)
      : text.get('pointAtObject');
    // Its place is kept when there is nothing to say: what is below must not jump under the pointer.
    fill(this.body, list, element('p', { class: shown && !stacked ? 'hint unsaid' : 'hint' }, words));
  }

  private measures(shown: ShownObject | undefined): Measure[] {
    const { text } = this;
    const details = shown?.details;
    const measure = (key: string, hint: string, make: (details: ObjectDetails) => string): Measure => ({
      key,
      hint,
      ...(details && { value: make(details) }),
    });
    const list: Measure[] = [
      measure('measureId', 'measureIdHint', ({ id }) => String(id)),
      { key: 'measureClass', ...(shown && { value: classValue(shown) }) },
      measure('measureArea', 'measureAreaHint', ({ area }) => text.get('squarePixels', area)),
      measure('measurePerimeter', 'measurePerimeterHint', ({ perimeter }) =>
        text.get('pixels', text.number(perimeter, 2)),
      ),
      measure('measureCentroid', 'measureCentroidHint', ({ centroid }) =>
        centroid.map(each => each.toFixed(2)).join(', '),
      ),
      measure('measureBox', 'measureBoxHint', ({ bbox: [x1, y1, x2, y2] }) => `${x1}, ${y1} – ${x2}, ${y2}`),
      measure('measureRow', 'measureRowHint', ({ row }) =>
        row === undefined ? text.get('measureRowNone') : text.number(row + 1),
      ),
    ];
    if (details?.score !== undefined) {
      const { score } = details;
      list.splice(2, 0, { key: 'measureScore', hint: 'measureScoreHint', value: text.number(score, 3) });
    }
    return list;
  }
}

interface Measure {
  key: string;
  hint?: string;
  value?: string | HTMLElement;
}

function classValue({ details, colour }: ShownObject): HTMLElement {
  const dot = element('span', { class: 'dot', 'aria-hidden': 'true' });
  dot.style.background = toHex(colour);
  return element('span', { class: 'class-value' }, dot, details.className);
}
