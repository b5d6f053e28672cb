import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Lasso } from '../../../columns/viewSpec';
import type { TablePanelSide } from '../../tablePage';
import { t } from '../../../pages/page/l10n';
import type { PageFilter } from '../filterList';
import type { CellSelection } from '../grid/cellSelection';
import { cellsAsText, fetchCell, MAX_COPIED_CELLS } from '../grid/rowFetcher';
import type { ModelParts } from '../modelParts';

interface CellOutputDependencies extends ModelParts {
  cells: CellSelection;
}

/** Characters of a proposed file name: titles may be long. */
const MAX_NAME = 150;

/** What users take out of the page: copied cells, and files of rows, groups and plots. */
export class CellOutput {
  private readonly header: Signal<boolean>;
  private resolveRestored: () => void = () => undefined;
  private readonly whenRestored = new Promise<void>(resolve => (this.resolveRestored = resolve));

  constructor(private readonly dependencies: CellOutputDependencies) {
    this.header = signal(dependencies.port.view.withHeader === true);
  }

  /** Whether Ctrl+C copies the header, too. */
  get withHeader(): ReadonlySignal<boolean> {
    return this.header;
  }

  /** The table has its saved filters, order and columns, so that saving may start. */
  begin(): void {
    this.resolveRestored();
  }

  /** Copies the selected cells, with or without the header. Ctrl+C repeats the last choice. */
  async copy(header = this.header.peek()): Promise<void> {
    const { model, panel, port, cells, messages } = this.dependencies;
    if (header !== this.header.peek()) {
      this.header.value = header;
      port.updateView({ withHeader: header });
    }
    const { bounds, columns } = cells;
    if (!bounds) return;
    const { count } = bounds;
    try {
      if (count > MAX_COPIED_CELLS)
        throw new Error(
          t('{1} cells are selected, but at most {0} can be copied at once.', MAX_COPIED_CELLS, count),
        );
      const { firstRow, lastRow } = bounds;
      const copied = await cellsAsText(model, { firstRow, lastRow, columns, header });
      await panel.request('copy', { text: copied });
      const rows = lastRow - firstRow + 1;
      messages.say(
        count === 1 && !header
          ? t('Cell copied')
          : header
            ? t.count(rows, '1 row copied with header', '{0} rows copied with header')
            : t.count(rows, '1 row copied', '{0} rows copied'),
      );
    } catch (error) {
      messages.failed(t.later("Couldn't copy: {0}"), error);
    }
  }

  /** Copies a cell's text; fetches it if omitted. */
  async copyCell(fileRow: number, column: number, cell?: string): Promise<void> {
    const { model, panel, messages } = this.dependencies;
    try {
      const copied = cell ?? (await fetchCell(model, fileRow, column)).text;
      await panel.request('copy', { text: copied });
      messages.say(t('Cell copied'));
    } catch (error) {
      messages.failed(t.later("Couldn't copy: {0}"), error);
    }
  }

  /** Saves the rows that match the filters, in the visible order, with the visible columns. */
  async save(): Promise<void> {
    const { model, panel, messages, grid } = this.dependencies;
    try {
      // Waits for requested filters, which may not be applied yet when the user clicks.
      await this.whenRestored;
      await model.settled();
      const columns = grid()?.shown ?? model.table.columns.map(({ index }) => index);
      const { saved } = await panel.request('saveView', { ...model.spec, columns });
      if (saved) messages.say(t('{0} rows saved as {1}', saved.rows, saved.name));
    } catch (error) {
      messages.failed(t.later("Couldn't save: {0}"), error);
    }
  }

  /** Saves the groups of the rows that match the filters. */
  async saveGroups(params: TablePanelSide['requests']['saveGroups']['params']): Promise<void> {
    const { panel, messages } = this.dependencies;
    try {
      const { saved } = await panel.request('saveGroups', params);
      if (saved) messages.say(t('{0} groups saved as {1}', saved.groups, saved.name));
    } catch (error) {
      messages.failed(t.later("Couldn't save: {0}"), error);
    }
  }

  /** Saves a plot whose file is still to be drawn. */
  async savePlot(name: string, type: 'png' | 'svg', draw: () => Promise<ArrayBuffer>): Promise<void> {
    const { panel, messages } = this.dependencies;
    let data: ArrayBuffer;
    try {
      data = await draw();
    } catch (error) {
      const failure =
        type === 'png'
          ? t.later("Couldn't save the plot as PNG. Save it as SVG instead.")
          : t.later("Couldn't save: {0}");
      messages.failed(failure, error);
      return;
    }
    try {
      // The panel reports success, with the file.
      await panel.request('savePlot', { name: name.slice(0, MAX_NAME), type, data });
    } catch (error) {
      messages.failed(t.later("Couldn't save: {0}"), error);
    }
  }

  /** The filter of a lasso in a plot: all rows of the table inside the lasso. */
  async lasso(lasso: Lasso): Promise<PageFilter | undefined> {
    const { panel, messages } = this.dependencies;
    try {
      const { set } = await panel.request('tableLasso', { sort: [], ...lasso });
      return { filter: { kind: 'rowSet', set }, lasso };
    } catch (error) {
      messages.failed(t.later("Couldn't apply the filter: {0}"), error);
      return undefined;
    }
  }
}
