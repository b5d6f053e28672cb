import type { MasksText } from '../../../pages/page/pageText';
import { element, iconButton } from '../../../pages/page/widgets/element';
import { openMenu } from '../../../pages/page/widgets/menu';
import { imageSorts, type ImageSort } from './imageOrder';

export interface StripToolsOptions {
  text: MasksText;
  sort: ImageSort;
  filter: string;
  onChange: (sort: ImageSort, filter: string) => void;
}

/** Above the list of images: a box that filters it by name, and how it is sorted. */
export class StripTools {
  readonly root: HTMLElement;
  private readonly input: HTMLInputElement;
  private sort: ImageSort;

  constructor(private readonly options: StripToolsOptions) {
    const { text, filter } = options;
    this.sort = options.sort;
    this.input = element('input', {
      type: 'search',
      class: 'strip-filter',
      placeholder: text.get('filterImages'),
      'aria-label': text.get('filterImages'),
      value: filter,
    });
    this.input.addEventListener('input', () => this.changed());
    this.input.addEventListener('keydown', event => {
      if (event.key !== 'Escape' || this.input.value === '') return;
      event.preventDefault();
      event.stopPropagation();
      this.input.value = '';
      this.changed();
    });
    const sort: HTMLButtonElement = iconButton('list-ordered', text.get('sortImages'), () =>
      openMenu(
        sort,
        text.get('sortImages'),
        imageSorts.map(each => ({
          label: text.get(SORT_NAMES[each]),
          checked: each === this.sort,
          run: () => {
            this.sort = each;
            this.changed();
          },
        })),
      ),
    );
    sort.setAttribute('aria-haspopup', 'menu');
    this.root = element('div', { class: 'strip-tools' }, this.input, sort);
  }

  private changed(): void {
    this.options.onChange(this.sort, this.input.value);
  }
}

const SORT_NAMES = {
  archive: 'sortArchive',
  name: 'sortName',
  mostObjects: 'sortMostObjects',
  fewestObjects: 'sortFewestObjects',
} as const;
