import { fromHex, type Rgb, toHex } from '../../../base/colors';
import type { MasksText } from '../../../pages/page/pageText';
import { element, fill, iconButton, labelButton } from '../../../pages/page/widgets/element';
import type { MaskClass } from '../../masksSummary';

interface ClassLegendOptions {
  classes: readonly MaskClass[];
  colors: readonly Rgb[];
  hidden: ReadonlySet<number>;
  text: MasksText;
  onColor: (position: number, color: Rgb) => void;
  onHidden: (hidden: ReadonlySet<number>) => void;
}

interface Row {
  root: HTMLElement;
  eye: HTMLButtonElement;
  count: HTMLElement;
  share: HTMLElement;
}

/** More classes than this are no longer told apart by looking. */
const MAX_LISTED = 1000;

/** The classes with their colors, counts and eyes. */
export class ClassLegend {
  readonly root: HTMLElement;
  private readonly rows: Row[];
  private readonly all: HTMLButtonElement;
  private hidden: ReadonlySet<number>;

  constructor(private readonly options: ClassLegendOptions) {
    const { classes, text } = options;
    this.hidden = options.hidden;
    this.rows = classes.slice(0, MAX_LISTED).map((_, position) => this.row(position));
    this.all = element('button', { type: 'button', class: 'link-button' });
    this.all.addEventListener('click', () => {
      const noneHidden = this.hidden.size === 0;
      this.setHidden(new Set(noneHidden ? classes.keys() : []));
    });
    this.root = element(
      'section',
      { class: 'section', 'aria-label': text.get('classes') },
      element('h2', {}, text.get('classes'), classes.length > 1 && this.all),
      classes.length === 0
        ? element('p', { class: 'hint' }, text.get('noClasses'))
        : element('ul', { class: 'legend' }, ...this.rows.map(({ root }) => root)),
      classes.length > MAX_LISTED &&
        element('p', { class: 'hint' }, text.get('moreClasses', classes.length - MAX_LISTED)),
    );
    this.refresh();
  }

  /** Counts of the image shown, per class; undefined while its objects are being read. */
  setCounts(counts: readonly number[] | undefined): void {
    this.rows.forEach(({ count, root }, position) => {
      if (!counts) {
        count.textContent = '…';
        count.title = this.options.text.get('readingImage');
        root.classList.remove('absent');
        return;
      }
      const here = counts[position] ?? 0;
      const total = this.options.classes[position]?.count ?? here;
      count.textContent = this.options.text.number(here);
      count.title = this.options.text.get('classCounts', here, total);
      root.classList.toggle('absent', here === 0);
    });
  }

  /** Share of the image's area that each class covers, 0…1; undefined while it is not known. */
  setShares(shares: readonly number[] | undefined): void {
    const { text } = this.options;
    this.rows.forEach(({ share }, position) => {
      const part = shares?.[position];
      const percent = (part ?? 0) * 100;
      const words = percent < 0.1 ? `< ${text.number(0.1, 1)}` : text.number(percent, percent < 10 ? 1 : 0);
      share.textContent = part ? text.get('percent', words) : '';
    });
  }

  /** Hides all other classes. */
  showOnly(position: number): void {
    this.setHidden(new Set(this.othersOf(position)));
  }

  private row(position: number): Row {
    const { text, classes, colors, onColor } = this.options;
    const name = classes[position]?.name ?? '';
    const color = element('input', {
      type: 'color',
      class: 'swatch',
      value: toHex(colors[position] ?? [0, 0, 0]),
      'aria-label': text.get('classColor', name),
      title: text.get('classColor', name),
    });
    color.addEventListener('input', () => {
      const selected = fromHex(color.value);
      if (selected) onColor(position, selected);
    });
    const count = element('span', { class: 'legend-count' });
    const share = element('span', { class: 'legend-share', title: text.get('areaShare') });
    const eye = iconButton('eye', '', event => {
      const hidden = new Set(this.hidden);
      if (!hidden.delete(position)) hidden.add(position);
      this.setHidden(event.altKey ? this.othersUnlessAlone(position) : hidden);
    });
    const root = element(
      'li',
      { class: 'legend-row' },
      color,
      element('span', { class: 'legend-name', title: name }, name),
      count,
      share,
      eye,
    );
    return { root, eye, count, share };
  }

  /** What is hidden when a class is to show alone; nothing when it does already. */
  private othersUnlessAlone(position: number): ReadonlySet<number> {
    const others = this.othersOf(position);
    const alone = this.hidden.size === others.length && !this.hidden.has(position);
    return new Set(alone ? [] : others);
  }

  private othersOf(position: number): number[] {
    return [...this.options.classes.keys()].filter(each => each !== position);
  }

  private setHidden(hidden: ReadonlySet<number>): void {
    this.hidden = hidden;
    this.refresh();
    this.options.onHidden(hidden);
  }

  private refresh(): void {
    const { text, classes } = this.options;
    this.rows.forEach(({ eye, root }, position) => {
      const hidden = this.hidden.has(position);
      const name = classes[position]?.name ?? '';
      labelButton(eye, text.get(hidden ? 'showClass' : 'hideClass', name), hidden ? 'eye-closed' : 'eye');
      eye.title += `\n${text.get('onlyClass', name)}`;
      root.classList.toggle('hidden-class', hidden);
    });
    fill(this.all, text.get(this.hidden.size === 0 ? 'hideAll' : 'showAll'));
  }
}
