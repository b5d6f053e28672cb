import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { LinkReport } from '../../../linking/rowLinks';
import type { RpcEndpoint } from '../../../protocol/rpc';
import type { TablePageSide, TablePanelSide } from '../../tablePage';

/**
 * The hovered row, by its number in the file. `by`: where the pointer is. The row is marked there
 * already.
 */
interface HoveredRow {
  row: number | null;
  by: 'grid' | 'plot' | 'panel';
}

/**
 * State that the table shares with the result's other panels: links with objects, and the hovered
 * and selected row.
 */
export class TableLink {
  private readonly linkReport: Signal<LinkReport | undefined>;
  private readonly selectedRow = signal<number | null>(null);
  private readonly hoveredRow = signal<HoveredRow>({ row: null, by: 'panel' });

  constructor(
    private readonly panel: Pick<RpcEndpoint<TablePageSide, TablePanelSide>, 'send'>,
    report?: LinkReport,
  ) {
    this.linkReport = signal(report);
  }

  /** How rows and objects were linked; undefined without masks or links. */
  get report(): ReadonlySignal<LinkReport | undefined> {
    return this.linkReport;
  }

  /** The row selected here or in another panel, by its number in the file. */
  get selected(): ReadonlySignal<number | null> {
    return this.selectedRow;
  }

  /** The row under the pointer, here or in another panel. */
  get hovered(): ReadonlySignal<HoveredRow> {
    return this.hoveredRow;
  }

  /** The pointer moved to a row of the grid or of a plot, or away. */
  hover(row: number | null, by: 'grid' | 'plot'): void {
    this.panel.send('hover', row);
    this.hoveredRow.value = { row, by };
  }

  /** The pointer moved to a row in another panel, or away. */
  hoveredElsewhere(row: number | null): void {
    this.hoveredRow.value = { row, by: 'panel' };
  }

  linked(report: LinkReport): void {
    this.linkReport.value = report;
  }

  /** The user moved to a row. */
  select(row: number): void {
    this.panel.send('select', row);
    this.selectedRow.value = row;
  }

  /** Restores the saved selection, unless another row was selected since. */
  selectedBefore(row: number): void {
    this.panel.send('selectedBefore', row);
    this.selectedRow.value = row;
  }

  /** Another panel selected a row, or none. */
  selectedElsewhere(row: number | null): void {
    this.selectedRow.value = row;
  }
}
