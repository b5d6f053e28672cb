import type { ObjectDetails } from '../../masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { element, fill, icon } from '../../../pages/page/widgets/element';
import type { MasksText } from '../../../pages/page/pageText';
import { rowAgreement, type Agreement, type ComparedObject } from './rowAgreement';

export interface RowSectionOptions {
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
