import type { PageText } from '../pageText';
import type { PageFilter } from './filterList';
import { levelChooser } from './levelChooser';
import { figureRows, levelOf, withLevel, type Level, type Levels } from './rowLevels';
import type { TableModel } from './tableModel';

/**
 * Rows of groups and of images in an aggregate table, kept apart: figures across both would count everything twice. A
 * table without such rows, or of another kind, has no levels, and everything here leaves it as it is.
 */
export class TableLevels {
  private levels: Levels | undefined;
  private control: ReturnType<typeof levelChooser> | undefined;
  private kept: readonly PageFilter[] = [];

  constructor(
    private readonly model: TableModel,
    private readonly text: PageText,
    private readonly onFilters: (filters: readonly PageFilter[]) => void,
  ) {}

  /** Looks whether the table holds both kinds of rows; `kept` are the filters it was left with. */
  async find(isAggregate: boolean, kept: readonly PageFilter[]): Promise<void> {
    this.kept = kept;
    if (!isAggregate) return;
    const { levels } = await this.model.ask('tableLevels', {});
    if (!levels) return;
    this.levels = levels;
    this.model.keepApart(figureRows(levels));
    this.control = levelChooser(levels, this.text, level =>
      this.onFilters(withLevel(this.model.filters, levels, level)),
    );
  }

  get chooser(): HTMLElement | undefined {
    return this.control?.root;
  }

  /** The filters to begin with: rows of images, unless the user left it otherwise. */
  first(filters: readonly PageFilter[]): readonly PageFilter[] {
    return this.levels && this.kept.length === 0 ? withLevel(filters, this.levels, 'images') : filters;
  }

  show(filters: readonly PageFilter[]): void {
    if (this.levels) this.control?.show(levelOf(filters, this.levels));
  }

  /** Filters besides those that keep the levels apart. */
  others(filters: readonly PageFilter[]): PageFilter[] {
    return this.levels ? withLevel(filters, this.levels, 'all') : [...filters];
  }

  /** What stays when the user takes all filters away: the level. */
  only(filters: readonly PageFilter[]): PageFilter[] {
    return this.levels ? withLevel([], this.levels, this.level(filters)) : [];
  }

  /** Whether rows of both kinds are shown, so that sums and means over them mean nothing. */
  get areMixed(): boolean {
    return this.levels !== undefined && this.level(this.model.filters) === 'all';
  }

  private level(filters: readonly PageFilter[]): Level {
    return this.levels ? levelOf(filters, this.levels) : 'all';
  }
}
