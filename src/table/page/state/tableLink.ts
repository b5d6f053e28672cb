import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { LinkReport } from '../../../linking/rowLinks';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../../tablePage';

/** A row by its number in the file, and where the pointer is on it: there it is marked already. */
interface HoveredRow {
  row: number | null;
  by: 'grid' | 'plot' | 'panel';
}

/**
 * State that rows share with the result's other panels: links with objects, and the selected row.
 */
export class TableLink {
  private readonly linkedBy: Signal<LinkReport | undefined>;
  private readonly marked = signal<number | null>(null);
  private readonly pointed = signal<HoveredRow>({ row: null, by: 'panel' });

  constructor(
    private readonly panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'send'>,
    report?: LinkReport,
  ) {
    this.linkedBy = signal(report);
  }

  /** How rows and objects were matched; undefined without both. */
  get report(): ReadonlySignal<LinkReport | undefined> {
    return this.linkedBy;
  }

  /** The row that is selected here or in another panel, by its number in the file. */
  get selected(): ReadonlySignal<number | null> {
    return this.marked;
  }

  /** The row under the pointer, here or in another panel. */
  get hovered(): ReadonlySignal<HoveredRow> {
    return this.pointed;
  }

  /** The pointer is over a row of the grid or a plot, or over none. */
  hover(row: number | null, by: 'grid' | 'plot'): void {
    this.panel.send('hover', row);
    this.pointed.value = { row, by };
  }

  /** The pointer is over a row in another panel, or over none. */
  hoveredElsewhere(row: number | null): void {
    this.pointed.value = { row, by: 'panel' };
  }

  linked(report: LinkReport): void {
    this.linkedBy.value = report;
  }

  /** The user has moved to a row. */
  select(row: number): void {
    this.panel.send('select', row);
    this.marked.value = row;
  }

  /** Restores the saved selection, unless another row was selected since. */
  selectedBefore(row: number): void {
    this.panel.send('selectedBefore', row);
    this.marked.value = row;
  }

  /** Another panel selected a row, or none. */
  selectedElsewhere(row: number | null): void {
    this.marked.value = row;
  }
}
