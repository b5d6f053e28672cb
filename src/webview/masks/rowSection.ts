import type { ObjectDetails } from '../../protocol/masksEngine';
import type { MasksPageSide, MasksPanelSide } from '../../protocol/masksPage';
import type { RpcEndpoint } from '../../protocol/rpc';
import { element, fill, icon } from '../element';
import type { PageText } from '../pageText';

/** The cells of the object's row of the table; the names of its columns stay when there is no object. */
export class RowSection {
  readonly root: HTMLDetailsElement;
  private readonly list = element('dl', { class: 'measures row-cells' });
  private names: readonly string[] = [];
  private asked = 0;
  private row: number | undefined;

  constructor(
    text: PageText,
    private readonly panel: RpcEndpoint<MasksPageSide, MasksPanelSide>,
    open: boolean,
    onToggle: (open: boolean) => void,
    private readonly onFailure: (error: unknown) => void,
  ) {
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
    const asked = ++this.asked;
    const { row } = this;
    if (row === undefined || !this.root.open) {
      this.render([]);
      if (row !== undefined) this.root.hidden = false;
      return;
    }
    try {
      const { cells } = await this.panel.request('objectRow', { row });
      if (asked !== this.asked) return;
      this.names = cells.map(({ name }) => name);
      this.root.hidden = false;
      this.render(cells.map(({ text }) => text));
    } catch (error) {
      if (asked === this.asked) this.onFailure(error);
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
