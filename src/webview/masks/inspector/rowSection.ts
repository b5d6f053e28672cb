import type { ObjectDetails } from '../../../model/masksSummary';
import type { MasksPageSide, MasksPanelSide } from '../../../protocol/masksPage';
import type { RpcEndpoint } from '../../../protocol/rpc';
import { element, fill, icon } from '../../widgets/element';
import type { MasksText } from '../../page/pageText';

export interface RowSectionOptions {
  text: MasksText;
  panel: RpcEndpoint<MasksPageSide, MasksPanelSide>;
  /** Whether it begins open. */
  open: boolean;
  onToggle: (open: boolean) => void;
  onFailure: (error: unknown) => void;
}

/** The cells of the object's row of the table; the names of its columns stay when there is no object. */
export class RowSection {
  readonly root: HTMLDetailsElement;
  private readonly list = element('dl', { class: 'measures row-cells' });
  private names: readonly string[] = [];
  private requests = 0;
  private row: number | undefined;

  constructor(private readonly options: RowSectionOptions) {
    const { text, open, onToggle } = options;
    this.root = element(
      'details',
      { class: 'section', hidden: true, open },
      element('summary', {}, icon('chevron-right'), element('span', {}, text.get('rowOfTable'))),
      this.list,
    );
    this.root.addEventListener('toggle', () => {
      onToggle(this.root.open);
      void this.refresh();
    });
  }

  /** The object in focus, or none. */
  show(details: ObjectDetails | undefined): void {
    if (this.row === details?.row) return;
    this.row = details?.row;
    void this.refresh();
  }

  private async refresh(): Promise<void> {
    const request = ++this.requests;
    const { row } = this;
    if (row === undefined || !this.root.open) {
      this.render([]);
      if (row !== undefined) this.root.hidden = false;
      return;
    }
    try {
      const { cells } = await this.options.panel.request('objectRow', { row });
      if (request !== this.requests) return;
      this.names = cells.map(({ name }) => name);
      this.root.hidden = false;
      this.render(cells.map(({ text }) => text));
    } catch (error) {
      if (request === this.requests) this.options.onFailure(error);
    }
  }

  private render(cells: readonly string[]): void {
    fill(
      this.list,
      ...this.names.flatMap((name, at) => [
        element('dt', { title: name }, name || '–'),
        element('dd', { title: cells[at] }, cells[at] || '–'),
      ]),
    );
  }
}
