import type { Frame, Locator } from 'playwright-core';

/** A panel's page that shows a table, as a user operates it. Columns count from 0 in the file. */
export class TableView {
  constructor(readonly frame: Frame) {}

  /** A cell by its row's position in the view. */
  cell(position: number, column: number): Locator {
    return this.frame.locator(`.ag-row[row-index="${position}"] [col-id="column-${column}"]`);
  }

  /**
   * The cells of the rows on the screen, of some columns where these are named, once all of them
   * have loaded and say something: the grid draws cut texts a frame later.
   */
  async cellsOnScreen(
    columns?: readonly number[],
  ): Promise<{ position: number; column: number; text: string }[]> {
    const loaded = await this.frame.waitForFunction(wanted => {
      const grid = document.querySelector('.table-grid')?.getBoundingClientRect();
      const rows = [...document.querySelectorAll('.ag-row[row-index]')].filter(row => {
        const { top, bottom } = row.getBoundingClientRect();
        return grid && bottom > grid.top && top < grid.bottom;
      });
      if (rows.length === 0 || !rows.every(row => row.hasAttribute('row-id'))) return undefined;
      const cells = rows
        .flatMap(row =>
          [...row.querySelectorAll('[col-id^="column-"]')].map(cell => ({
            position: Number(row.getAttribute('row-index')),
            column: Number(cell.getAttribute('col-id')?.slice('column-'.length)),
            // Where a text is cut, the whole of it is there for screen readers.
            text: (cell.querySelector('.visually-hidden') ?? cell).textContent,
          })),
        )
        .filter(({ column }) => wanted?.includes(column) ?? true);
      return cells.every(({ text }) => text !== '') ? cells : undefined;
    }, columns);
    return (await loaded.jsonValue()) ?? [];
  }

  /** The row at a position in the view, if it is marked so. */
  row(position: number, mark: 'selected' | 'hovered'): Locator {
    return this.frame.locator(`.ag-row.${mark}[row-index="${position}"]`).first();
  }

  /** Waits until a cell shows a text: its row may still be loading. */
  async reads(position: number, column: number, words: string): Promise<void> {
    const hasText = new RegExp(`^${words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
    const cell = this.cell(position, column);
    // Where a text is cut, the whole of it is there for screen readers.
    const cut = cell.filter({ has: this.frame.locator('.visually-hidden', { hasText }) });
    await cell.filter({ hasText }).or(cut).waitFor();
  }

  /** Shows a row by its number in the file. */
  async goToRow(row: number): Promise<void> {
    const goTo = this.frame.getByRole('textbox', { name: 'Go to row' });
    await goTo.fill(String(row));
    await goTo.press('Enter');
  }

  header(column: number): Locator {
    return this.frame.locator(`.ag-header-cell[col-id="column-${column}"]`);
  }

  /** Waits until the status line shows the number of rows. */
  async showsRows(words: string | RegExp): Promise<void> {
    await this.frame.locator('.status-item.rows', { hasText: words }).waitFor();
  }

  chip(words: string | RegExp): Locator {
    return this.frame.locator('.chip', { hasText: words });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** The latest announcement of the status line. */
  notice(words: string | RegExp): Locator {
    return this.frame.locator('.notice', { hasText: words });
  }

  /** Opens a column's filter from its header, by the keyboard. */
  async openFilter(column: number): Promise<Locator> {
    await this.header(column).focus();
    await this.header(column).press('Alt+ArrowDown');
    const window = this.frame.locator('.filter-menu');
    await window.waitFor();
    return window;
  }

  /** Closes the open popover. */
  async closeWindow(): Promise<void> {
    await this.frame.locator('.popover').press('Escape');
    await this.frame.locator('.popover').waitFor({ state: 'detached' });
  }
}
