import type { TableFiltered } from '../masksPage';
import { afterPaint } from '../../pages/page/widgets/afterPaint';

export interface TableFilterOptions {
  /** As the page started. */
  filtered: TableFiltered | null;
  current: { applyFilter(sent?: TableFiltered['shown']): Promise<void> };
  thumbnails: { setFiltered(filtered: boolean): void };
  status: { setFilter(filtered: TableFiltered | null): void; setSelected(words: string): void };
  onFailure: (error: unknown) => void;
}

/** The filters of the objects table, as the masks follow them: the image shown first, then those that are only listed. */
export class TableFilter {
  private filtered: TableFiltered | null;

  constructor(
    private readonly options: TableFilterOptions,
    private readonly painted = afterPaint,
  ) {
    this.filtered = options.filtered;
  }

  /** Whether the table has filters. */
  get isSet(): boolean {
    return this.filtered !== null;
  }

  /** Shows in the list and in the status line what held when the page started. */
  show(): void {
    const { thumbnails, status } = this.options;
    thumbnails.setFiltered(this.isSet);
    status.setFilter(this.filtered);
  }

  /** The table's filters have changed. */
  set(filtered: TableFiltered | null): Promise<void> {
    return this.apply(filtered, filtered?.shown);
  }

  /** Which rows are whose has changed, and with it which objects the same filters let through. */
  linksChanged(): Promise<void> {
    return this.apply(this.filtered);
  }

  private async apply(filtered: TableFiltered | null, sent?: TableFiltered['shown']): Promise<void> {
    const { current, thumbnails, status, onFailure } = this.options;
    this.filtered = filtered;
    status.setFilter(filtered);
    if (!filtered) status.setSelected('');
    try {
      await current.applyFilter(sent);
    } catch (error) {
      onFailure(error);
    }
    // The image shown does not wait for those that are only listed.
    await this.painted();
    if (this.filtered === filtered) thumbnails.setFiltered(filtered !== null);
  }
}
