import type { ColDef, ICellRendererComp, ICellRendererParams } from 'ag-grid-community';
import { element } from '../../../../pages/page/widgets/element';
import type { CommonParts } from '../../../../pages/page/widgets/commonParts';
import { PADDING } from '../columnWidth';

export interface CutCellsOptions {
  /** What the texts of the column have in common. */
  parts: () => CommonParts;
  /** What is kept of a text where that tells nothing. */
  keep: 'start' | 'end';
  /** The width of a text in the font of cells. */
  measure: (text: string, font: 'cell') => number;
}

/** Cells of texts that are cut, where they don't fit, in what all texts of the column have in common. */
export function cutCells<Row>({ parts, keep, measure }: CutCellsOptions): ColDef<Row> {
  return {
    cellRendererSelector: ({ value, valueFormatted, column }: ICellRendererParams<Row>) => {
      const text = valueFormatted ?? (typeof value === 'string' ? value : '');
      const room = (column?.getActualWidth() ?? 0) - PADDING;
      const known = parts();
      // The grid cuts the end.
      if (keep === 'start' && !known.isKnown) return undefined;
      const shown = known.cut(text, each => measure(each, 'cell') <= room, keep);
      return shown === text ? undefined : { component: CutCell, params: { shown, whole: text } };
    },
  };
}

/** A text that is cut; screen readers read it whole. */
class CutCell implements ICellRendererComp {
  private gui = element('span', {});

  init({ shown, whole }: ICellRendererParams & { shown: string; whole: string }): void {
    this.gui = element(
      'span',
      {},
      element('span', { class: 'visually-hidden' }, whole),
      element('span', { class: 'cut-text', 'aria-hidden': 'true' }, shown),
    );
  }

  getGui(): HTMLElement {
    return this.gui;
  }

  refresh(): boolean {
    return false;
  }
}
