import type { ObjectDetails } from '../../protocol/engineProtocol';
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
    if (!shown) {
      fill(this.heading, text.get('object'));
      fill(this.body, element('p', { class: 'hint' }, text.get('pointAtObject')));
      return;
    }
    const { details, selected, stack, colour } = shown;
    fill(this.heading, text.get(selected ? 'objectSelected' : 'objectUnderPointer'));
    const dot = element('span', { class: 'dot', 'aria-hidden': 'true' });
    dot.style.background = toHex(colour);
    const list = element('dl', { class: 'measures' });
    const add = (key: string, value: string | HTMLElement, hint?: string) => {
      const title = hint && text.get(hint);
      list.append(element('dt', { title }, text.get(key)), element('dd', { title }, value));
    };
    add('measureId', String(details.id), 'measureIdHint');
    add('measureClass', element('span', { class: 'class-value' }, dot, details.className));
    if (details.score !== undefined) add('measureScore', text.number(details.score, 3), 'measureScoreHint');
    add('measureArea', text.get('squarePixels', details.area), 'measureAreaHint');
    add('measurePerimeter', text.get('pixels', text.number(details.perimeter, 2)), 'measurePerimeterHint');
    const [x, y] = details.centroid;
    add('measureCentroid', `${text.number(x, 2)}, ${text.number(y, 2)}`, 'measureCentroidHint');
    const [x1, y1, x2, y2] = details.bbox.map(value => text.number(value));
    add('measureBox', `${x1}, ${y1} – ${x2}, ${y2}`, 'measureBoxHint');
    add('measureRow', details.row === undefined ? text.get('measureRowNone') : text.number(details.row + 1));
    fill(
      this.body,
      list,
      stack && stack.count > 1
        ? element('p', { class: 'hint' }, text.get('clickAgain', stack.position + 1, stack.count))
        : null,
    );
  }
}
