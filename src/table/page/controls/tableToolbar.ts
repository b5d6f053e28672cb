import type { TableText } from '../../../pages/page/pageText';
import { element, icon, iconButton } from '../../../pages/page/widgets/element';
import { openMenu } from '../../../pages/page/widgets/popover';
import { rovingFocus } from '../../../pages/page/widgets/rovingFocus';

interface TableToolbarOptions {
  text: TableText;
  title: string;
  find: HTMLElement;
  /** A stop of its own for the Tab key; all other controls are one. */
  findInput: HTMLElement;
  /** Absent where the table has no masks to show. */
  showMasks?: () => void;
  goToRow: (row: number) => void;
  copy: (header: boolean) => void;
  columns: (anchor: Element) => void;
  groups: () => void;
  plots: () => void;
  save: () => void;
}

/** The line above the table: finding, and what can be done with the table. */
export class TableToolbar {
  readonly root: HTMLElement;
  private readonly copyButton: HTMLButtonElement;
  private readonly groupsButton: HTMLButtonElement;
  private readonly plotsButton: HTMLButtonElement;
  private readonly levels = element('span', { class: 'levels-slot' });

  /** `withHeader`: what Ctrl+C does. */
  constructor(
    private readonly options: TableToolbarOptions,
    private withHeader: boolean,
  ) {
    const { text, title, showMasks } = options;
    this.copyButton = iconButton('copy', text.get('copySelection'), () => this.openCopyMenu());
    this.copyButton.setAttribute('aria-haspopup', 'menu');
    this.copyButton.disabled = true;
    this.groupsButton = iconButton('group-by-ref-type', text.get('groups'), options.groups);
    this.plotsButton = iconButton('graph-scatter', text.get('plots'), options.plots);
    const columns: HTMLButtonElement = iconButton('list-unordered', text.get('columnsMenu'), () =>
      options.columns(columns),
    );
    const line = element(
      'div',
      { class: 'toolbar-line', role: 'toolbar', 'aria-label': text.get('toolbar') },
      options.find,
      this.goTo(),
      this.levels,
      element('span', { class: 'toolbar-gap' }),
      element(
        'span',
        { class: 'toolbar-actions' },
        this.copyButton,
        columns,
        this.groupsButton,
        this.plotsButton,
        this.wordButton('export', 'export', options.save, text.get('saveView')),
        showMasks && this.wordButton('layers', 'showMasks', showMasks),
      ),
    );
    this.root = element(
      'header',
      { class: 'toolbar table-toolbar' },
      element('h1', { class: 'visually-hidden' }, title),
      line,
    );
    rovingFocus(line, options.findInput);
  }

  setSelected(cells: number): void {
    this.copyButton.disabled = cells === 0;
  }

  setGroupsOpen(open: boolean): void {
    this.groupsButton.setAttribute('aria-pressed', String(open));
  }

  setPlotsOpen(open: boolean): void {
    this.plotsButton.setAttribute('aria-pressed', String(open));
  }

  /** A chooser between rows of groups and of images, where the table holds both. */
  setLevels(chooser: HTMLElement): void {
    this.levels.replaceChildren(chooser);
  }

  /** A button whose words are hidden where there is no room for them; then its icon has to do. */
  private wordButton(
    iconName: string,
    key: 'export' | 'showMasks',
    onClick: () => void,
    title = this.options.text.get(key),
  ): HTMLElement {
    const words = this.options.text.get(key);
    const made = element(
      'button',
      { type: 'button', class: `button secondary ${iconName}`, title, 'aria-label': words },
      icon(iconName),
      element('span', { class: 'button-words' }, words),
    );
    made.addEventListener('click', onClick);
    return made;
  }

  private goTo(): HTMLElement {
    const { text, goToRow } = this.options;
    const input = element('input', {
      type: 'text',
      inputmode: 'numeric',
      class: 'input go-to-row',
      placeholder: text.get('goToRow'),
      'aria-label': text.get('goToRow'),
      title: text.get('goToRowHint'),
    });
    input.addEventListener('keydown', event => {
      if (event.key !== 'Enter') return;
      const row = Number(input.value.trim().replace(/[\s.,'’]/g, ''));
      const valid = Number.isSafeInteger(row) && row >= 1;
      input.setAttribute('aria-invalid', String(!valid));
      if (valid) goToRow(row - 1);
    });
    return input;
  }

  /** Copies the one way or the other; Ctrl+C then does the same. */
  private openCopyMenu(): void {
    const { text, copy } = this.options;
    const choice = (header: boolean, label: string) => ({
      label,
      checked: this.withHeader === header,
      run: () => {
        this.withHeader = header;
        copy(header);
      },
    });
    openMenu(this.copyButton, text.get('copySelection'), [
      choice(false, text.get('copyCells')),
      choice(true, text.get('copyWithHeader')),
    ]);
  }
}
