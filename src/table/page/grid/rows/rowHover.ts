import { LatestValue } from '../../../../pages/page/widgets/frameQueue';
import type { CellMarks } from '../cells/cellMarks';
import { positionOf } from '../scroll/gridPlace';
import type { TableGrid } from '../tableGrid';

export interface RowHoverParts {
  grid: TableGrid;
  marks: CellMarks;
  /** The pointer is over a row now, by its number in the file, or over none. */
  onHover: (row: number | null) => void;
}

/** The row under the pointer, marked at once and reported at most once a frame. */
export class RowHover {
  private readonly reported: LatestValue<number | null>;

  constructor(private readonly parts: RowHoverParts) {
    const { grid, onHover } = parts;
    this.reported = new LatestValue<number | null>(null, onHover);
    grid.root.addEventListener('mouseover', event => {
      const position = positionOf(event.target);
      this.set(position === undefined ? null : (grid.rowAt(position)?.fileRow ?? null));
    });
    grid.root.addEventListener('mouseleave', () => this.set(null));
  }

  private set(row: number | null): void {
    this.parts.marks.setHovered(row);
    this.reported.set(row);
  }
}
