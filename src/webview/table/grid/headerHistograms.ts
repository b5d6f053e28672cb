import { isCoded } from '../../../base/errors';
import type { HeaderCell } from './headerCell';
import { columnFilter, hasFilter } from '../filters/filterList';
import { brushRange } from '../filters/rangeEnd';
import type { TableModel } from '../tableModel';

const BINS = 40;

/** Keeps the histograms and filter marks of the headers on the screen up to date, one request at a time. */
export class HeaderHistograms {
  private readonly headers = new Set<HeaderCell>();
  private readonly stale = new Set<HeaderCell>();
  private round = new AbortController();
  private running = false;

  constructor(
    private readonly model: TableModel,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  attach(header: HeaderCell): void {
    this.headers.add(header);
    this.mark(header);
    this.stale.add(header);
    void this.run();
  }

  detach(header: HeaderCell): void {
    this.headers.delete(header);
    this.stale.delete(header);
  }

  /** The rows that pass have changed: every histogram is requested again. */
  refresh(): void {
    this.round.abort();
    this.round = new AbortController();
    for (const header of this.headers) {
      this.mark(header);
      this.stale.add(header);
    }
    void this.run();
  }

  private mark(header: HeaderCell): void {
    const { filters } = this.model;
    header.setFiltered(hasFilter(filters, header.column));
    const range = columnFilter(filters, header.column, 'range');
    header.brush?.setRange(range ? brushRange(range) : null);
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      for (const header of this.stale) {
        this.stale.delete(header);
        const { brush } = header;
        if (!brush) continue;
        const { signal } = this.round;
        try {
          const data = await this.model.histogram(header.column, BINS, signal);
          if (!signal.aborted && data) brush.setData(data);
          brush.root.classList.toggle('empty', !data);
        } catch (error) {
          if (!isCoded(error, 'cancelled')) this.onFailure(error);
        }
      }
    } finally {
      this.running = false;
    }
  }
}
