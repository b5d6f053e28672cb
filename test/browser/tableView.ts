import type { Frame, Locator } from 'playwright-core';

/** A panel's page that shows a table, as a person uses it. Columns count from 0 in the file. */
export class TableView {
  constructor(readonly frame: Frame) {}

  /** A cell by its row's place in the view. */
  cell(position: number, column: number): Locator {
    return this.frame.locator(`.ag-row[row-index="${position}"] [col-id="column-${column}"]`);
  }

  /** The row that stands at a place in the view, if it is marked so. */
  row(position: number, mark: 'selected' | 'hovered'): Locator {
    return this.frame.locator(`.ag-row.${mark}[row-index="${position}"]`).first();
  }

  /** Until a cell shows a text: its row may still be on its way. */
  async reads(position: number, column: number, words: string): Promise<void> {
    await this.cell(position, column)
      .filter({ hasText: new RegExp(`^${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) })
      .waitFor();
  }

  header(column: number): Locator {
    return this.frame.locator(`.ag-header-cell[col-id="column-${column}"]`);
  }

  /** Until the status line says how many rows there are. */
  async showsRows(words: string | RegExp): Promise<void> {
    await this.frame.locator('.status-item.rows', { hasText: words }).waitFor();
  }

  chip(words: string | RegExp): Locator {
    return this.frame.locator('.chip', { hasText: words });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** What the status line says has just happened. */
  notice(words: string | RegExp): Locator {
    return this.frame.locator('.notice', { hasText: words });
  }

  /** Opens the window of a column's filter from its header, by the keyboard. */
  async openFilter(column: number): Promise<Locator> {
    await this.header(column).focus();
    await this.header(column).press('Alt+ArrowDown');
    const window = this.frame.locator('.filter-menu');
    await window.waitFor();
    return window;
  }

  /** Closes the small window that is open. */
  async closeWindow(): Promise<void> {
    await this.frame.locator('.popover').press('Escape');
    await this.frame.locator('.popover').waitFor({ state: 'detached' });
  }
}
