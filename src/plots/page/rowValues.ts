import { isCoded } from '../../base/errors';
import type { RowMark } from './plotDrawing';
import type { PlotSource } from './plotSource';

interface Values {
  numbers: readonly (number | null)[];
  text: string;
}

/** The values of the row that a plot marks: requested once, until another row or other columns are marked. */
export class RowValues {
  private key = '';
  private values: Values | undefined;
  private request = new AbortController();

  constructor(
    private readonly source: PlotSource,
    /** The requested values have arrived. */
    private readonly onLoaded: () => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** The values of a row; undefined until they have arrived. */
  of(row: number, { columns, textColumn }: RowMark): Values | undefined {
    const key = JSON.stringify([row, columns, textColumn]);
    if (key !== this.key) {
      this.clear();
      this.key = key;
      void this.load(row, columns, textColumn, this.request.signal);
    }
    return this.values;
  }

  /** Cancels the request, and requests the values again when they are next needed. */
  clear(): void {
    this.key = '';
    this.values = undefined;
    this.request.abort();
    this.request = new AbortController();
  }

  private async load(
    row: number,
    columns: readonly number[],
    textColumn: number | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const numbers = await this.source.rowNumbers(row, columns, signal);
      const text = textColumn === undefined ? '' : await this.source.cell(row, textColumn, signal);
      if (signal.aborted) return;
      this.values = { numbers, text };
      this.onLoaded();
    } catch (error) {
      if (!isCoded(error, 'cancelled')) this.onFailure(error);
    }
  }
}
