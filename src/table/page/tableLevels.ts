import type { TableText } from '../../pages/page/pageText';
import type { PageFilter } from './filters/filterList';
import { levelChooser } from './toolbar/levelChooser';
import { statisticsRows, levelOf, withLevel, type RowLevel, type RowLevels } from './filters/rowLevels';
import type { TableModel } from './tableModel';
import type { TableViewState } from './tableViewState';

/**
 * Rows of groups and of images in an aggregate table, kept apart: statistics across both would count everything twice. A
 * table without such rows, or of another kind, has no levels, and everything here leaves it as it is.
 */
export class TableLevels {
  private levels: RowLevels | undefined;
  private control: ReturnType<typeof levelChooser> | undefined;
  private saved: Pick<TableViewState, 'filters' | 'areLevelsMixed'> | undefined;

  constructor(
    private readonly model: TableModel,
    private readonly text: TableText,
    private readonly onFilters: (filters: readonly PageFilter[]) => void,
  ) {}

  /** Finds out whether the table holds both kinds of rows; `saved` is the saved view. */
  async load(isAggregate: boolean, saved: TableLevels['saved']): Promise<void> {
    this.saved = saved;
    if (!isAggregate) return;
    const { levels } = await this.model.request('tableLevels', {});
    if (!levels) return;
    this.levels = levels;
    this.model.separateLevels(statisticsRows(levels));
    this.control = levelChooser(levels, this.text, level =>
      this.onFilters(withLevel(this.model.latestFilters, levels, level)),
    );
  }

  get chooser(): HTMLElement | undefined {
    return this.control?.root;
  }

  /** The filters to begin with: image rows, unless the saved view has filters or was of both kinds. */
  initialFilters(filters: readonly PageFilter[]): readonly PageFilter[] {
    const { levels, saved } = this;
    const isNew = saved?.filters.length === 0 && !saved.areLevelsMixed;
    return levels && isNew ? withLevel(filters, levels, 'images') : filters;
  }

  show(filters: readonly PageFilter[]): void {
    if (this.levels) this.control?.show(levelOf(filters, this.levels));
  }

  /** The filters without that of the level. */
  withoutLevel(filters: readonly PageFilter[]): PageFilter[] {
    return this.levels ? withLevel(filters, this.levels, 'all') : [...filters];
  }

  /** The filters that stay when all are cleared: that of the level. */
  levelOnly(filters: readonly PageFilter[]): PageFilter[] {
    return this.levels ? withLevel([], this.levels, this.level(filters)) : [];
  }

  /** Whether rows of both kinds are shown, so that sums and means over them mean nothing. */
  get areMixed(): boolean {
    return this.levels !== undefined && this.level(this.model.filters) === 'all';
  }

  private level(filters: readonly PageFilter[]): RowLevel {
    return this.levels ? levelOf(filters, this.levels) : 'all';
  }
}
