import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { launchChromium } from '../host/chromium';
import { PreviewPages, sentMessages, waitForMessage } from './preview/previewPages';
import { accessibilityFaults } from './accessibility';
import { openedMenus } from './preview/openedMenus';
import { everyTheme } from './preview/scene';
import { makeRows } from './preview/tableData';
import { until } from './until';
import { usePreview } from './usePreview';

const ROWS = 10_000;
const [ID, CLASS, AREA, PERIMETER, X, Y] = [1, 2, 3, 4, 8, 9] as const;
const rows = makeRows(ROWS);
/** Wide enough for all columns. */
const table = { page: 'table', size: { width: 1800, height: 700 } } as const;

describe('The table page', () => {
  const suite = usePreview(['table']);
  let page: Page;

  /** Opens a table of many rows. */
  const open = async () => {
    page = await suite.open({ ...table, options: { rowCount: ROWS, start: 'respond' } });
  };

  const cell = (position: number, column: number) =>
    page.locator(`.ag-row[row-index="${position}"] [col-id="column-${column}"]`);
  const sortBy = (column: number) =>
    page.locator(`.ag-header-cell[col-id="column-${column}"] .header-name`).click();
  const copies = () => sentMessages(page, 'copy');
  const firstCopy = async () => {
    await waitForMessage(page, 'copy');
    return String((await copies())[0]);
  };
  /**
   * Cells whose text leaves the part of them that is in view: their column and the pixels it leaves
   * by.
   */
  const cutCells = (of: Page) =>
    of.evaluate(() => {
      const edge = (selector: string, side: 'left' | 'right') =>
        document.querySelector(selector)?.getBoundingClientRect()[side];
      const left = edge('.ag-row .ag-grid-pinned-left-cells', 'right') ?? 0;
      const right = edge('.ag-body-vertical-scroll', 'left') ?? innerWidth;
      return [
        ...document.querySelectorAll('.ag-row [col-id^="column-"]:not(.ag-cell-last-left-pinned)'),
      ].flatMap(cell => {
        const box = cell.getBoundingClientRect();
        if (box.right <= left || box.left >= right) return [];
        const { paddingLeft, paddingRight, webkitTextFillColor } = getComputedStyle(cell);
        const [start, end] = [
          box.left + parseFloat(paddingLeft) + 1,
          box.right - parseFloat(paddingRight) - 1,
        ];
        const isHidden = webkitTextFillColor === 'rgba(0, 0, 0, 0)';
        const isCut = start < left || end > right || end - start < 24;
        return isCut && !isHidden ? [[cell.getAttribute('col-id'), start - left, right - end]] : [];
      });
    });
  /** Filters the rows by a class, in the menu of its column. */
  const keepClass = async (name: string) => {
    await page.locator(`.ag-header-cell[col-id="column-${CLASS}"]`).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('checkbox', { name }).check();
  };

  for (const theme of everyTheme) {
    it(`can be read, numbers of rows included, also of the selected one: ${theme}`, async () => {
      // All that axe looks at in one row it looks at in each.
      page = await suite.open({ ...table, options: { rowCount: 12, start: 'respond' } }, theme);
      await cell(2, AREA).click();
      assert.deepEqual(await accessibilityFaults(page, 'page-has-heading-one'), []);
      await page.getByRole('searchbox', { name: 'Find' }).focus();
      await cell(5, AREA).hover();
      assert.deepEqual(await accessibilityFaults(page, 'page-has-heading-one'), []);
    });
  }

  it('shows no row past the end of a shorter view, not even before its rows have loaded', async () => {
    await open();
    await cell(0, ID).click();
    await page.keyboard.press('Control+End');
    await cell(ROWS - 1, Y)
      .filter({ hasText: /\d/ })
      .waitFor();
    const left = rows.filter(cells => cells[CLASS] === 'Mitotic').length;
    const words = `${left.toLocaleString('en')} of 10,000 rows`;
    await page.evaluate(`void (globalThis.lastAtOnce = new Promise(resolve => {
      const status = document.querySelector('.status-item.rows');
      new MutationObserver(() => {
        if (!status.textContent.startsWith('${words}')) return;
        resolve(Math.max(...[...document.querySelectorAll('.ag-row')].map(row => Number(row.getAttribute('row-index')))));
      }).observe(status, { childList: true, characterData: true, subtree: true });
    }))`);
    suite.preview.engine.delayResponses('tableRows', 'tablePosition');
    await keepClass('Mitotic');
    assert.ok((await page.evaluate<number>('lastAtOnce')) < left);
    suite.preview.engine.release();
    await page.keyboard.press('Escape');
    await cell(0, CLASS).filter({ hasText: 'Mitotic' }).waitFor();
  });

  it('shows the rows in their order until those in the next one have arrived', async () => {
    await open();
    const largest = rows.map(cells => Number(cells[AREA])).sort((a, b) => b - a);
    const fewest = () =>
      page.evaluate<number>(`new Promise(resolve => {
        let fewest = Infinity;
        const count = () => {
          fewest = Math.min(fewest, document.querySelectorAll('.ag-row[row-id] [col-id="column-${AREA}"]:not(:empty)').length);
          if (globalThis.isSorted) resolve(fewest);
          else requestAnimationFrame(count);
        };
        count();
      })`);
    suite.preview.engine.delayResponses('tableRows', 'tablePosition');
    const counted = fewest();
    await sortBy(AREA);
    await page.getByText('Sorted by Area, ascending').first().waitFor();
    await sortBy(AREA);
    await page.getByText('Sorted by Area, descending').first().waitFor();
    await until(() => suite.preview.engine.delayedResponses > 0);
    assert.equal(await cell(0, AREA).textContent(), rows[0]?.[AREA]);
    suite.preview.engine.release();
    await cell(0, AREA)
      .filter({ hasText: new RegExp(`^${largest[0]}$`) })
      .waitFor();
    await page.evaluate('globalThis.isSorted = true');
    assert.ok((await counted) > 10);
  });

  it('shows the rows in the order requested last, whichever response arrives first', async () => {
    await open();
    suite.preview.engine.delayResponses('tableRows');
    await sortBy(PERIMETER);
    await until(() => suite.preview.engine.delayedResponses > 0);
    const before = suite.preview.engine.delayedResponses;
    await sortBy(AREA);
    await sortBy(AREA);
    await page.getByText('Sorted by Area, descending').first().waitFor();
    await until(() => suite.preview.engine.delayedResponses > before);
    suite.preview.engine.release('reversed');
    const largest = rows.map(cells => Number(cells[AREA])).sort((a, b) => b - a);
    await cell(0, AREA)
      .filter({ hasText: new RegExp(`^${largest[0]}$`) })
      .waitFor();
    await cell(5, AREA)
      .filter({ hasText: new RegExp(`^${largest[5]}$`) })
      .waitFor();
    await cell(0, AREA).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Control+c');
    assert.deepEqual((await firstCopy()).trimEnd().split('\n').map(Number), largest.slice(0, 2));
    const shown = await Promise.all([0, 1].map(position => cell(position, AREA).innerText()));
    assert.deepEqual(shown.map(Number), largest.slice(0, 2));
  });

  it('sorts, pins and hides a column, by the keyboard alone', async () => {
    await open();
    const { keyboard } = page;
    const header = (column: number) => page.locator(`.ag-header-cell[col-id="column-${column}"]`);
    const focused = (column: number) =>
      page.waitForFunction(
        id => document.activeElement?.closest('.ag-header-cell')?.getAttribute('col-id') === id,
        `column-${column}`,
      );
    await cell(0, AREA).click();
    await keyboard.press('ArrowUp');
    await focused(AREA);
    await keyboard.press('Enter');
    await page.getByText('Sorted by Area, ascending').first().waitFor();
    // The focus stays in the header after sorting, though the focused row is located again.
    await page.getByRole('button', { name: 'Row 1 selected' }).waitFor();
    await page.locator('.ag-row[row-index="0"]').first().waitFor();
    await focused(AREA);
    await keyboard.press('Enter');
    await page.getByText('Sorted by Area, descending').first().waitFor();

    await keyboard.press('Alt+ArrowDown');
    await page.getByRole('dialog', { name: 'Filter Area' }).waitFor();
    for (let presses = 0; presses < 3; presses++) await keyboard.press('Tab');
    await page.locator('[aria-label="Pin Area"]:focus').waitFor();
    await keyboard.press('Enter');
    await focused(AREA);
    const left = async (column: number) => (await header(column).boundingBox())?.x ?? NaN;
    await until(async () => (await left(AREA)) < (await left(0)));

    await keyboard.press('Alt+ArrowDown');
    await page.locator('[aria-label="Unpin Area"]').waitFor();
    for (let presses = 0; presses < 4; presses++) await keyboard.press('Tab');
    await page.locator('[aria-label="Hide Area"]:focus').waitFor();
    await keyboard.press('Enter');
    await header(AREA).waitFor({ state: 'detached' });
    await focused(ID);
    await keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowRight');
    await page.getByText('2 × 2 cells selected').waitFor();
  });

  it('turns a filter off and on, by mouse and by keyboard', async () => {
    await open();
    const { keyboard } = page;
    const count = (of: string[][]) => `${of.length.toLocaleString('en')} of 10,000 rows`;
    const showsRows = (words: string | RegExp) =>
      page.locator('.status-item.rows', { hasText: words }).waitFor();
    const chip = page.locator('.chip', { hasText: 'Class: Mitotic' });
    const box = chip.getByRole('checkbox', { name: 'Class: Mitotic' });
    const mitotic = rows.filter(cells => cells[CLASS] === 'Mitotic');
    await keepClass('Mitotic');
    await showsRows(count(mitotic));
    await keyboard.press('Escape');
    await box.click();
    await page.locator('.chip.off').waitFor();
    await showsRows(/^10,000 rows/);
    // The focus on the box moves with the arrow keys, and Space turns the filter on.
    await chip.getByRole('button', { name: 'Class: Mitotic', exact: true }).focus();
    await keyboard.press('ArrowLeft');
    await keyboard.press('Space');
    await showsRows(count(mitotic));
    await page.locator('.chip:not(.off) input:checked:focus').waitFor();
    // The value of a filter that is off is what its menu shows, and a change there turns it on.
    await keyboard.press('Space');
    await page.locator('.chip.off input:focus').waitFor();
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await page.getByText('Turned off. A change turns it on.').waitFor();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Nucleus' }).check();
    const both = rows.filter(cells => cells[CLASS] === 'Mitotic' || cells[CLASS] === 'Nucleus');
    await showsRows(count(both));
    await page.locator('.chip:not(.off)', { hasText: 'Class: Mitotic, Nucleus' }).waitFor();
  });

  it('keeps the range of a column when the system takes the pointer that brushes another one', async () => {
    await open();
    await page.locator(`.ag-header-cell[col-id="column-${AREA}"]`).focus();
    await page.keyboard.press('Alt+ArrowDown');
    const menu = page.locator('.popover');
    const [from, to] = [
      menu.getByRole('textbox', { name: 'From' }),
      menu.getByRole('textbox', { name: 'To' }),
    ];
    await from.fill('100.5');
    const span = menu.locator('.range-brush.brushed .brush-span');
    await span.waitFor();
    const place = () => span.evaluate(({ attributes }) => Array.from(attributes, ({ value }) => value));
    const before = await place();
    const box = await menu.locator('.range-brush').boundingBox();
    assert.ok(box);
    const moveTo = (share: number) => page.mouse.move(box.x + box.width * share, box.y + box.height / 3);
    await moveTo(0.5);
    await page.mouse.down();
    await moveTo(0.6);
    await moveTo(0.7);
    assert.notEqual(await to.inputValue(), '');
    await menu.locator('.range-brush').dispatchEvent('pointercancel', { pointerId: 1 });
    assert.deepEqual([await from.inputValue(), await to.inputValue()], ['100.5', '']);
    assert.deepEqual(await place(), before);
    await page.mouse.up();
    assert.deepEqual([await from.inputValue(), await to.inputValue()], ['100.5', '']);
  });

  it('leaves the rows where they were scrolled to when it is shown again, though another row is selected', async () => {
    const options = { rowCount: ROWS, start: 'respond', selected: 3 };
    page = await suite.open({ ...table, options });
    await page.getByText('Row 4 selected').first().waitFor();
    await cell(5, AREA).hover();
    await page.mouse.wheel(0, 227 * 24);
    const firstPosition = () =>
      page.evaluate<unknown>("JSON.parse(sessionStorage.getItem('state') ?? '{}').view?.firstPosition");
    await until(async () => (await firstPosition()) === 227);
    for (let reload = 0; reload < 2; reload++) {
      await page.reload();
      await page.getByText('Row 4 selected').first().waitFor();
      // The focus goes to a row that is on the screen.
      await page.waitForFunction(() => document.activeElement?.closest('.ag-cell'));
      await until(async () => {
        const { y = NaN } = (await cell(230, AREA).boundingBox()) ?? {};
        return y > 0 && y < table.size.height;
      });
      assert.equal(await firstPosition(), 227);
    }
  });

  it("opens a cell's full text, finds, and goes to a row, by the keyboard alone", async () => {
    await open();
    const { keyboard } = page;
    await cell(0, 0).click();
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Image origin' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keyboard.press('Control+f');
    await keyboard.type('checked by hand');
    await keyboard.press('Enter');
    await page.getByText('Found in "Column 11", row 4').first().waitFor();
    await keyboard.press('Tab');
    while ((await page.locator('.go-to-row:focus').count()) === 0) await keyboard.press('ArrowRight');
    await keyboard.type('9876');
    await keyboard.press('Enter');
    await page.getByText('Row 9,876 selected').waitFor();
    await keyboard.press('ArrowDown');
    await page.getByText('Row 9,877 selected').waitFor();
  });

  it('has the focus in its first cell when it opens, and a cell within three Tabs of Find', async () => {
    await open();
    const focusedCell = '.ag-row[row-index="0"] .ag-cell:focus';
    await page.locator(focusedCell).waitFor();
    assert.deepEqual(await sentMessages(page, 'select'), []);
    const { keyboard } = page;
    const fromFind = async () => {
      await keyboard.press('Control+f');
      for (let presses = 1; ; presses++) {
        await keyboard.press('Tab');
        if ((await page.locator('.ag-cell:focus').count()) > 0) return presses;
        assert.ok(presses < 10);
      }
    };
    assert.ok((await fromFind()) <= 3);
    // With a chip for each filter too.
    await keepClass('Mitotic');
    await keyboard.press('Escape');
    await page.locator('.chip').first().waitFor();
    assert.ok((await fromFind()) <= 3);
  });

  it('has context menus of cells, headers and plots, by mouse and by keyboard', async () => {
    await open();
    const { keyboard } = page;
    const run = (command: string) =>
      page.evaluate(`panel.endpoint.send('menuCommand', { command: '${command}' })`);
    const opened = await openedMenus(page);
    const context = async (count: number) => (await opened(count)).at(-1)?.context;
    const own = { preventDefaultContextMenuItems: true };
    await cell(2, AREA).click();
    await cell(4, PERIMETER).click({ modifiers: ['Shift'] });
    // Within the selection it stays; beside it the cell is selected.
    await cell(3, AREA).click({ button: 'right' });
    assert.deepEqual(await context(1), { ...own, webviewSection: 'cell' });
    await run('copyCellsWithHeader');
    await page.getByText('3 rows copied with header').first().waitFor();
    const [copied] = await copies();
    assert.equal(
      copied,
      ['Area\tPerimeter', ...rows.slice(2, 5).map(cells => `${cells[AREA]}\t${cells[PERIMETER]}`), ''].join(
        '\n',
      ),
    );
    await cell(6, CLASS).click({ button: 'right' });
    await opened(2);
    await until(async () => (await sentMessages(page, 'select')).at(-1) === 6);
    await run('filterToValue');
    const name = rows[6]?.[CLASS] ?? '';
    const same = rows.filter(cells => cells[CLASS] === name).length;
    await page
      .getByText(`${same.toLocaleString('en')} of 10,000 rows`)
      .first()
      .waitFor();
    await page.locator('.chip', { hasText: `Class: ${name}` }).waitFor();

    await cell(0, CLASS).click();
    await keyboard.press('Shift+F10');
    assert.deepEqual(await context(3), { ...own, webviewSection: 'cell', tableCanUndo: true });
    await run('excludeValue');
    await page.locator('.chip').waitFor({ state: 'detached' });
    await cell(0, CLASS).click();
    await keyboard.press('ContextMenu');
    await opened(4);
    await run('excludeValue');
    await page.locator('.chip', { hasText: `Class: not ` }).waitFor();

    await page.locator(`.ag-header-cell[col-id="column-${AREA}"]`).click({ button: 'right' });
    const header = { ...own, webviewSection: 'header', tableColumnCanHide: true, tableCanUndo: true };
    assert.deepEqual(await context(5), { ...header, tableColumnPinned: false });
    await run('sortColumnDescending');
    await page.getByText('Sorted by Area, descending').first().waitFor();
    await run('pinColumn');
    await page.locator(`.ag-header-cell-last-left-pinned[col-id="column-${AREA}"]:focus`).waitFor();
    await keyboard.press('Shift+F10');
    assert.deepEqual(await context(6), { ...header, tableColumnPinned: true });
    await run('showColumnStatistics');
    await page.getByRole('dialog', { name: 'Filter Area' }).waitFor();
    await keyboard.press('Escape');
    // Of thousands of groups only those on the screen are drawn.
    await run('groupByColumn');
    await page.getByText(/^[\d,]{3,} groups of/).waitFor();
    assert.ok((await page.locator('.groups-grid .ag-row').count()) < 100);
    await page.getByRole('button', { name: 'Close Groups' }).click();
    await run('hideColumn');
    await page.locator(`.ag-header-cell[col-id="column-${AREA}"]`).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Plots' }).click();
    await page.locator('.plot-drawing').click({ button: 'right' });
    assert.deepEqual(await context(7), { ...own, webviewSection: 'plot', tableCanUndo: true });
    await run('savePlotAsSvg');
    await waitForMessage(page, 'savePlot');
    await run('removePlot');
    await page.locator('.plot-card').waitFor({ state: 'detached' });

    // What was a cell's menu is none elsewhere.
    await page.locator('.status-line').click({ button: 'right' });
    assert.deepEqual(await context(8), own);
  });

  it('groups its rows in a table of their own, which is sorted, copied, saved and filters', async () => {
    await open();
    const group = (name: string) => page.locator('.groups-grid .ag-row', { hasText: name });
    /** The cells of a row of groups, pinned or not. */
    const cellsOf = async (row: string) => (await group(row).locator('.ag-cell').allInnerTexts()).join(' ');
    const named = (name: string) => rows.filter(cells => cells[CLASS] === name);
    const mean = (among: string[][]) =>
      among.reduce((sum, cells) => sum + Number(cells[AREA]), 0) / among.length;
    // At first they fail, and are tried again by the keyboard, which then goes on in them.
    suite.preview.engine.failRequests('The worker ended.', 'tableGroups');
    await page.getByRole('button', { name: 'Groups' }).click();
    const failure = page.locator('.groups-body').getByRole('alert');
    await failure.getByText("Couldn't group the rows: The worker ended.").waitFor();
    suite.preview.engine.mend();
    await page.getByRole('button', { name: 'Try Again' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('3 groups of all rows.').waitFor();
    await failure.waitFor({ state: 'detached' });
    await until(() => page.evaluate(() => document.activeElement?.closest('.groups-grid') !== null));
    const mitotic = named('Mitotic');
    const counted = (among: string[][]) => `${among.length.toLocaleString('en')} ${mean(among).toFixed(1)} `;
    assert.ok((await cellsOf('Mitotic')).startsWith(`Mitotic ${counted(mitotic)}`));
    assert.ok((await cellsOf('All rows')).startsWith(`All rows ${counted(rows)}`));

    // A click filters to a group, and the others stay; again, or Esc, to all.
    const filtered = `${mitotic.length.toLocaleString('en')} of 10,000 rows`;
    await group('Mitotic').first().click();
    await page.locator('.status-item.rows', { hasText: filtered }).waitFor();
    await page.locator('.chip', { hasText: 'Class: Mitotic' }).waitFor();
    assert.equal(await group('Mitotic').first().getAttribute('aria-selected'), 'true');
    await page.getByText('The table shows only the selected group.').waitFor();
    assert.ok(await group('Nucleus').first().isVisible());
    await page.keyboard.press('Enter');
    await page.locator('.chip').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: 'Class: Mitotic' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.chip').waitFor({ state: 'detached' });

    // Sorted by the mean, which is what is copied and saved.
    await page.locator('.groups-grid .header-name', { hasText: 'Mean' }).first().click();
    const names = ['Nucleus', 'Mitotic', 'Debris, out of focus'];
    const byMean = [...names].sort((a, b) => mean(named(b)) - mean(named(a)));
    await page
      .locator(`.groups-grid .ag-row[row-index="0"]`, { hasText: byMean[0] ?? '' })
      .first()
      .waitFor();
    await group('Mitotic').first().locator('.ag-cell').first().focus();
    await page.keyboard.press('Control+C');
    const [header, ...copied] = (await firstCopy()).trimEnd().split('\n');
    assert.match(header ?? '', /^Class\tRows\tArea \(Mean\)\t/);
    assert.deepEqual(
      copied.map(line => line.split('\t')[0]),
      [...byMean, 'All rows'],
    );
    await page.getByRole('button', { name: 'Copy Groups' }).click();
    await until(async () => (await copies()).length === 2);
    assert.equal((await copies())[1], (await copies())[0]);
    await page.getByLabel('Then by').selectOption('Image origin');
    const pairs = new Set(rows.map(cells => JSON.stringify([cells[CLASS], cells[0]])));
    await page.getByText(`${pairs.size} groups of all rows.`).waitFor();
    await page.getByRole('button', { name: 'Save Groups as CSV' }).click();
    await waitForMessage(page, 'saveGroups');
    assert.deepEqual((await sentMessages(page, 'saveGroups'))[0]?.['order' as never], {
      of: { kind: 'value', value: 0 },
      descending: true,
    });
    await page.getByRole('button', { name: 'Close Groups' }).click();
    await page.locator('.groups-part').waitFor({ state: 'hidden' });
    assert.equal(
      await page.getByRole('button', { name: 'Groups', exact: true }).getAttribute('aria-pressed'),
      'false',
    );
  });

  it('paints what scrolls together at once, and nothing while it is at rest', async () => {
    /** What was painted, changed or asked for in 30 frames. */
    const restless = async (painted: () => number) => {
      const before = painted();
      const inPage = await page.evaluate(
        () =>
          new Promise<number>(resolve => {
            const frame = requestAnimationFrame;
            let count = 0;
            let frames = 0;
            window.requestAnimationFrame = callback => (count++, frame(callback));
            const observer = new MutationObserver(changes => (count += changes.length));
            observer.observe(document, {
              attributes: true,
              characterData: true,
              childList: true,
              subtree: true,
            });
            const next = () => {
              if (++frames < 30) return void frame(next);
              window.requestAnimationFrame = frame;
              observer.disconnect();
              resolve(count + document.getAnimations().length);
            };
            frame(next);
          }),
      );
      return inPage + painted() - before;
    };
    for (const [width, layersOfRow] of [
      [table.size.width, 0],
      // Narrower than the columns: the pinned cells of each row stay where they are.
      [700, 1],
    ] as const) {
      const size = { ...table.size, width };
      page = await suite.open({ ...table, size, options: { rowCount: ROWS, start: 'respond' } });
      const client = await page.context().newCDPSession(page);
      let painted = 0;
      let layers = 0;
      client.on('LayerTree.layerPainted', () => painted++);
      client.on('LayerTree.layerTreeDidChange', tree => {
        layers = tree.layers?.filter(({ drawsContent }) => drawsContent).length ?? layers;
      });
      await client.send('LayerTree.enable');
      await cell(2, AREA).click();
      await page.getByText('Row 3 selected').first().waitFor();
      await until(() => painted > 0 && layers > 0);
      await until(async () => (await restless(() => painted)) === 0);
      const drawn = await page.locator('.ag-row[row-id] .row-number').count();
      const others = layers - layersOfRow * drawn;
      assert.ok(drawn > 20 && layers > 0 && others < 12, `${layers} layers for ${drawn} rows`);
    }
  });

  it('lists its keyboard shortcuts', async () => {
    await open();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard Shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+f');
    await page.keyboard.type('?');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });

  it('shows as many of the columns that are the same in every row as fit, and how many others there are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'constants-'));
    const path = join(folder, 'table.csv');
    const names = Array.from({ length: 12 }, (_, at) => `Constant ${at}`);
    const rows = [1, 2, 3].map(row => [row, ...names.map(() => 'same')].join());
    writeFileSync(path, [['Row', ...names].join(), ...rows, ''].join('\n'));
    const narrow = await suite.pages.open({ ...table, options: { path, start: 'respond' } }, 'dark');
    const { page: opened } = narrow;
    await waitForMessage(opened, 'shown');
    const shownAndOthers = async (width: number) => {
      await opened.setViewportSize({ width, height: 500 });
      // The line is laid out again before the frame after next.
      await opened.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const boxes = await opened
        .locator('.constants li:visible')
        .evaluateAll(items =>
          items.map(item => item.getBoundingClientRect()).map(({ top, right }) => ({ top, right })),
        );
      assert.equal(new Set(boxes.map(({ top }) => top)).size, 1);
      assert.ok(boxes.every(({ right }) => right <= width));
      const more = opened.locator('.constant-line > button');
      const others = (await more.isVisible()) ? parseInt(await more.innerText(), 10) : 0;
      assert.equal(boxes.length + others, names.length);
      return others;
    };
    assert.equal(await shownAndOthers(2400), 0);
    assert.ok((await shownAndOthers(900)) > 0);
    assert.ok((await shownAndOthers(400)) > (await shownAndOthers(900)));
    await opened.locator('.constant-line > button').click();
    await opened.getByRole('checkbox', { name: 'Constant 11' }).waitFor();
    await narrow.close();
    rmSync(folder, { recursive: true });
    assert.deepEqual(narrow.problems, []);
  });

  it('leaves a row where it is when Find finds it on the screen', async () => {
    await open();
    const found = cell(18, PERIMETER);
    const before = await found.boundingBox();
    await page.getByRole('searchbox', { name: 'Find' }).fill(rows[18]?.[PERIMETER] ?? '');
    await page.keyboard.press('Enter');
    await page.locator('.status-item.selection', { hasText: 'Row 19 selected' }).waitFor();
    await page.evaluate(
      () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    assert.deepEqual(await found.boundingBox(), before);
  });

  it('counts in the chip of a lasso the rows that are shown', async () => {
    await open();
    await keepClass('Mitotic');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    const drawing = page.locator('.plot-drawing');
    await drawing.waitFor();
    const box = await drawing.boundingBox();
    assert.ok(box);
    const moveTo = (x: number, y: number) => page.mouse.move(box.x + box.width * x, box.y + box.height * y);
    await moveTo(0.1, 0.1);
    await page.mouse.down();
    for (const [x, y] of [
      [0.5, 0.1],
      [0.5, 0.9],
      [0.1, 0.9],
    ] as const)
      await moveTo(x, y);
    await page.mouse.up();
    const chip = page.locator('.chip', { hasText: 'Lasso over' });
    await chip.waitFor();
    const [rowsShown] = (await page.locator('.status-item.rows').innerText()).split(' of ');
    assert.match(await chip.innerText(), new RegExp(`: ${rowsShown} rows$`));
  });

  it('cuts no cell without a sign at its edge and beside pinned columns', async () => {
    await open();
    await page.setViewportSize({ width: 700, height: 500 });
    /** The lines of each name in the headers. */
    const names = async () =>
      new Map(
        await page.evaluate(() =>
          [...document.querySelectorAll('.ag-header-cell .header-name')].map(name => {
            const range = document.createRange();
            range.selectNodeContents(name);
            const lines = [...range.getClientRects()].map(({ width }) => Math.round(width));
            return [name.textContent, lines.join(' ')] as const;
          }),
        ),
      );
    const seen = new Map<string, string>();
    await cell(2, AREA).or(cell(2, ID)).first().hover();
    for (let step = 0; step < 30; step++) {
      await page.evaluate(
        () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      assert.deepEqual(await cutCells(page), [], `after ${step * 70} pixels`);
      for (const [name, lines] of await names()) {
        assert.equal(lines, seen.get(name) ?? lines, `the lines of ${name} after ${step * 70} pixels`);
        seen.set(name, lines);
      }
      await page.mouse.wheel(70, 0);
    }
  });

  it('cuts neither numbers beneath a scroll bar that comes later, nor shares, nor the ends of names of images', async () => {
    await open();
    await cell(2, AREA).click();
    const size = { width: 620, height: 640 };
    const narrow = await suite.pages.open(
      { page: 'table', size, options: { rowCount: 120, start: 'respond' } },
      'dark',
    );
    await waitForMessage(narrow.page, 'shown');
    await narrow.page.getByText('120 rows').first().waitFor();
    await until(async () => (await cutCells(narrow.page)).length === 0);
    await narrow.close();
    assert.deepEqual(narrow.problems, []);

    /**
     * Where in its box the end of the last text of an element is: 'within' it, 'beyond' its right
     * edge or 'below' it.
     */
    const endOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(node => {
          const range = document.createRange();
          const text = node.lastChild;
          if (!text) return 'none';
          range.setStart(text, (text.textContent ?? '').length - 1);
          range.setEnd(text, (text.textContent ?? '').length);
          const end = range.getBoundingClientRect();
          const box = node.getBoundingClientRect();
          return end.top >= box.bottom - 1 ? 'below' : end.right <= box.right + 1 ? 'within' : 'beyond';
        });
    // There is room for the names of images.
    assert.equal(await page.locator('.ag-row .ag-cell[col-id="column-0"] .cut-text').count(), 0);
    for (const part of ['top', 'share'])
      assert.equal(await endOf(`.ag-header-cell[col-id="column-0"] .value-bar-${part}`), 'within');
    const share = `.ag-header-cell[col-id="column-${X}"] .header-missing`;
    assert.equal(await endOf(share), 'within');
    // Where nothing is missing, nothing says so.
    assert.equal(
      await page.locator(`.ag-header-cell[col-id="column-${AREA}"] .header-missing`).innerText(),
      '',
    );
    const edge = await page
      .locator(`.ag-header-cell[col-id="column-${X}"] .ag-header-cell-resize`)
      .boundingBox();
    assert.ok(edge);
    await page.mouse.move(edge.x + edge.width / 2, edge.y + edge.height / 2);
    await page.mouse.down();
    await page.mouse.move(edge.x - 16, edge.y + edge.height / 2, { steps: 4 });
    await page.mouse.up();
    // An arrow with its rank leaves no room for it.
    await sortBy(PERIMETER);
    await page.locator(`.ag-header-cell[col-id="column-${X}"] .header-name`).click({ modifiers: ['Shift'] });
    await page.locator(`.ag-header-cell[col-id="column-${X}"] .header-sort`, { hasText: '2' }).waitFor();
    assert.equal(await endOf(share), 'below');
  });

  it('cuts names of images where they agree: in their names where their folders differ', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'folders-'));
    const path = join(folder, 'table.csv');
    const nameIn = (condition: string) => `Screening/${condition}/many_coins_1.png`;
    // Of the second folder no rows are fetched at first.
    const lines = ['control', 'treated'].flatMap(condition =>
      Array.from({ length: 400 }, (_, at) => [nameIn(condition), at + 1, at % 7].join()),
    );
    writeFileSync(path, ['Image origin,Object ID,Area', ...lines, ''].join('\n'));
    // Too narrow for the whole names; once it is open there is room to widen their column.
    const size = { width: 340, height: 700 };
    const opened = await suite.pages.open({ ...table, size, options: { path, start: 'respond' } }, 'dark');
    await waitForMessage(opened.page, 'shown');
    await opened.page.setViewportSize(table.size);
    const image = (position: number) =>
      opened.page.locator(`.ag-row[row-index="${position}"] [col-id="column-0"]`);
    await image(0)
      .locator('.cut-text', { hasText: /^….*control…$/ })
      .waitFor();
    await opened.page.locator('.ag-cell').first().click();
    await opened.page.keyboard.press('Control+End');
    await image(799)
      .locator('.cut-text', { hasText: /^….*treated…$/ })
      .waitFor();
    await image(799).getByText(nameIn('treated'), { exact: true }).waitFor({ state: 'attached' });
    await opened.page.locator('.value-bar-top', { hasText: 'control…' }).waitFor();
    // A column that has the room for it shows all of a name.
    const edge = opened.page.locator('.ag-header-cell[col-id="column-0"] .ag-header-cell-resize');
    const box = await edge.boundingBox();
    assert.ok(box);
    const { mouse } = opened.page;
    await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await mouse.down();
    await mouse.move(box.x + 300, box.y + box.height / 2, { steps: 4 });
    await mouse.up();
    await until(async () => (await image(799).innerText()) === nameIn('treated'));
    await opened.close();
    rmSync(folder, { recursive: true });
    assert.deepEqual(opened.problems, []);
  });

  it('has the whole room of a column for its numbers up to the scroll bar', async () => {
    // Scroll bars as in VS Code, which take room.
    const withBars = await launchChromium({ ignoreDefaultArgs: ['--hide-scrollbars'] });
    try {
      const options = { rowCount: 120, start: 'respond' };
      const size = { width: 700, height: 500 };
      const { page: opened } = await (
        await PreviewPages.bundle(withBars, ['table'])
      ).open({ page: 'table', size, options }, 'dark');
      await waitForMessage(opened, 'shown');
      /**
       * Of the last column in view, how far it ends from the scroll bar, and the room to the right
       * of its numbers.
       */
      const lastColumn = () =>
        opened.evaluate(() => {
          const bar = document.querySelector('.ag-body-vertical-scroll')?.getBoundingClientRect().left ?? 0;
          const ends = [...document.querySelectorAll('.ag-row[row-index="1"] .ag-right-aligned-cell')].map(
            cell => ({
              distance: bar - cell.getBoundingClientRect().right,
              padding: getComputedStyle(cell).paddingRight,
            }),
          );
          const inView = ends.filter(({ distance }) => distance >= 0).sort((a, b) => a.distance - b.distance);
          return { bar: innerWidth - bar, ...inView[0] };
        });
      await until(async () => (await lastColumn()).distance !== undefined);
      const { distance = 0, bar } = await lastColumn();
      assert.ok(bar > 0);
      // The column ends where the scroll bar begins.
      await opened.setViewportSize({ ...size, width: size.width - Math.floor(distance) });
      await until(async () => ((await lastColumn()).distance ?? 9) < 1);
      await until(async () => (await lastColumn()).padding === '7px');
    } finally {
      await withBars.close();
    }
  });

  it('shows all measurements of objects beside masks', async () => {
    const size = { width: 640, height: 640 };
    const beside = await suite.pages.open(
      { page: 'table', size, options: { rowCount: 120, start: 'respond' } },
      'light',
    );
    await waitForMessage(beside.page, 'shown');
    // The last measurement; what comes after it are positions.
    const last = beside.page.locator('.ag-header-cell', { hasText: 'Feret Diameter Maximum' });
    const box = await last.boundingBox();
    assert.ok(box && box.x + box.width <= size.width, JSON.stringify(box));
    assert.deepEqual(
      await last.locator('.header-name').evaluate(name => name.scrollHeight <= name.clientHeight + 1),
      true,
    );
    await beside.close();
    assert.deepEqual(beside.problems, []);
  });

  it('draws a plot in a narrow drawer about as high as wide', async () => {
    await open();
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    await page.getByRole('button', { name: 'Show Plots on the Right' }).click();
    await until(async () => {
      const box = await page.locator('.plot-stage').boundingBox();
      return box !== null && box.width < 320 && box.height > 0.85 * box.width;
    });
  });

  it('has all its buttons in a narrow panel, and plots or groups in place of the rows in a low one', async () => {
    await open();
    await page.setViewportSize({ width: 200, height: 320 });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const shown = async (...parts: Locator[]) => {
      for (const part of parts) {
        await part.waitFor();
        const box = await part.boundingBox();
        assert.ok(box && box.x >= 0 && box.x + box.width <= 200 && box.y + box.height <= 320, String(part));
      }
    };
    await shown(button('Copy Selection'), button('Columns'), button('Export'), button('Show Masks'));
    await shown(page.locator('.status-item.warning').first(), page.locator('.status-item.link'));
    await page.keyboard.press('Control+F');
    const { engine } = suite.preview;
    const count = async (words: RegExp) => {
      await until(() => engine.delayedResponses > 0);
      engine.release();
      // Before the next count is requested.
      engine.delayResponses('tableFindMatches');
      await page.locator('.find-count', { hasText: words }).waitFor();
    };
    engine.delayResponses('tableFindMatches');
    await page.keyboard.type('1');
    await count(/^1 of 1,000\+$/);
    await count(/^1 of [\d,]{6,}$/);
    engine.release();
    await shown(button('Match Whole Cell'), button('Next Match'), page.getByText(/^1 of /));
    await button('Plots').click();
    await page.locator('.plot-points').waitFor();
    const tab = (name: string) => page.getByRole('tab', { name });
    await shown(tab('Table'), tab('Plots'), button('Close Plots'), button('Add Plot'), button('Remove Plot'));
    // A menu opens within the rows, which are hidden.
    await button('Add Plot').click();
    await page.getByRole('menuitem', { name: 'Histogram' }).click();
    await page.locator('.plot-drawing').nth(1).waitFor();
    const drawn = await page.locator('.plot-drawing').first().boundingBox();
    assert.ok(drawn && drawn.x + drawn.width <= 200, JSON.stringify(drawn));
    // Groups come in front of plots that hide them.
    await button('Groups').click();
    const group = page.locator('.groups-grid .ag-row [col-id="key-0"]');
    await shown(tab('Table'), tab('Groups'), tab('Plots'), button('Close Groups'));
    await shown(button('Columns and Statistics'), page.getByLabel('Group by'));
    await shown(group.first(), group.nth(1));
    assert.equal(await page.locator('.plot-drawer').isVisible(), false);
    assert.equal(await page.locator('.table-main .ag-root').isVisible(), false);
    // Two columns of keys would leave no room for the others if both were pinned.
    await page.getByLabel('Then by').selectOption('Image origin');
    await page.locator('.groups-grid [col-id="key-1"]').first().waitFor();
    await page.locator('.groups-grid [col-id="value-0"]').first().scrollIntoViewIfNeeded();
    await shown(page.locator('.groups-grid .ag-row [col-id="value-0"]').first());
    await tab('Table').click();
    await page.locator('.table-main .ag-row').first().waitFor();
    assert.equal(await button('Groups').getAttribute('aria-pressed'), 'false');
    await tab('Groups').waitFor();
  });

  it('has a tab for each of rows, groups and plots where all three would be squeezed, by mouse and by keyboard', async () => {
    const size = { width: 400, height: 700 };
    page = await suite.open({ ...table, size, options: { rowCount: ROWS, start: 'respond' } });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const tab = (name: string) => page.getByRole('tab', { name });
    const isSeen = async (part: Locator) => {
      const box = await part.boundingBox();
      return box !== null && box.y >= 0 && box.x + box.width <= 400 && box.y + box.height <= 700;
    };
    // Two of them have room.
    await button('Groups').click();
    const group = page.locator('.groups-grid .ag-row [col-id="key-0"]');
    await group.first().waitFor();
    assert.equal(await tab('Table').count(), 0);
    assert.ok((await isSeen(group.first())) && (await isSeen(group.nth(1))));
    await button('Plots').click();
    await page.locator('.plot-points').waitFor();
    await page.locator('[role="tab"][aria-selected="true"]', { hasText: 'Plots' }).waitFor();
    assert.ok(await isSeen(page.locator('.plot-drawing')));
    assert.equal(await page.locator('.groups-grid').isVisible(), false);
    assert.deepEqual(await accessibilityFaults(page), []);
    // Arrows move between them, around the ends.
    await tab('Plots').focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('[role="tab"][aria-selected="true"]:focus', { hasText: 'Groups' }).waitFor();
    assert.ok((await isSeen(group.first())) && (await isSeen(group.nth(2))));
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.locator('[role="tab"][aria-selected="true"]:focus', { hasText: 'Table' }).waitFor();
    await cell(3, AREA).waitFor();
    // Where there is room again, all are there; and a closed one leaves the others theirs.
    await page.setViewportSize({ width: 1400, height: 900 });
    await tab('Table').waitFor({ state: 'detached' });
    assert.deepEqual(
      await Promise.all(
        ['.table-main .ag-root', '.groups-grid', '.plot-drawing'].map(part => page.locator(part).isVisible()),
      ),
      [true, true, true],
    );
    await page.setViewportSize(size);
    await tab('Plots').click();
    await button('Close Plots').click();
    await tab('Plots').waitFor({ state: 'detached' });
    await group.first().waitFor();
    assert.equal(await button('Plots').getAttribute('aria-pressed'), 'false');
    // What is found is seen, and who closes a tab goes on in the rows.
    await page.setViewportSize({ width: 400, height: 420 });
    await tab('Groups').click();
    await page.keyboard.press('Control+F');
    await page.keyboard.type('Mitotic');
    await page.keyboard.press('Enter');
    await page.locator('[role="tab"][aria-selected="true"]', { hasText: 'Table' }).waitFor();
    await tab('Groups').click();
    await button('Close Groups').focus();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.closest('.table-main .ag-cell'));
  });

  it('cuts the words of filters in a narrow panel, never their buttons, and lists those without room', async () => {
    const size = { width: 400, height: 600 };
    page = await suite.open({ ...table, size, options: { rowCount: ROWS, start: 'respond' } });
    const chips = page.locator('.filter-row .chip');
    const areWhole = async () => {
      for (const part of await chips.locator('button, input').all()) {
        const box = await part.boundingBox();
        assert.ok(box && box.width > 0 && box.x >= 0 && box.x + box.width <= 400, String(box?.x));
      }
    };
    const above = async (column: number, value: string) => {
      await page.locator(`.ag-header-cell[col-id="column-${column}"]`).focus();
      await page.keyboard.press('Alt+ArrowDown');
      await page.getByRole('textbox', { name: 'From' }).fill(value);
      await page.keyboard.press('Enter');
      await page.locator('.filter-row .chip', { hasText: value }).last().waitFor();
      await page.keyboard.press('Escape');
    };
    await sortBy(AREA);
    await above(AREA, '20.25');
    assert.equal(await chips.count(), 2);
    await areWhole();
    await keepClass('Nucleus');
    await page.locator('.chip', { hasText: 'Class: Nucleus' }).waitFor();
    await page.keyboard.press('Escape');
    await above(PERIMETER, '5.25');
    // The latest is there, with its ✕.
    await chips.filter({ hasText: 'Perimeter' }).waitFor();
    await areWhole();
    const more = page.getByRole('button', { name: 'Show All 4 Filters and Sorting' });
    await more.click();
    const list = page.getByRole('dialog', { name: 'Filters' });
    assert.equal(await list.locator('.chip').count(), 4);
    assert.deepEqual(await accessibilityFaults(page), []);
    await list.locator('.chip', { hasText: 'Class' }).getByRole('button', { name: 'Remove' }).click();
    await until(async () => (await list.locator('.chip').count()) === 3);
    // The focus stays in the list while there is something in it.
    await page.waitForFunction(() => document.activeElement?.closest('.all-chips'));
    await page.keyboard.press('Escape');
    await areWhole();
    await page.setViewportSize({ width: 1400, height: 600 });
    await until(async () => (await chips.count()) === 3);
  });

  it('shortens its status line where it is narrow: the format first, the selection last', async () => {
    await open();
    const line = page.locator('.status-line');
    await cell(4, AREA).click();
    await page.getByText('Row 5 selected').waitFor();
    /** What is seen of the line, with the parts of it that end in "…" in brackets. */
    const seen = async (width: number) => {
      await page.setViewportSize({ width, height: 500 });
      await page.evaluate(
        () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      return line.locator('.status-item:visible').evaluateAll(items =>
        items.map(item => {
          const shown = [...item.querySelectorAll<HTMLElement>('.status-words')].filter(
            words => words.offsetWidth > 1,
          );
          const words = shown.length > 0 ? shown.map(each => each.innerText).join() : item.textContent;
          const isCut = [item, ...shown].some(each => each.scrollWidth > each.clientWidth + 1);
          return isCut && item.clientWidth > 0 ? `[${words}]` : words;
        }),
      );
    };
    assert.deepEqual(await seen(1400), [
      '10,000 rows',
      '12 columns',
      'Row 5 selected',
      '3 rows with extra or missing cells',
      '9,997 of 10,000 rows linked to masks',
      'Separated by commas',
    ]);
    assert.deepEqual((await seen(960)).slice(-2), ['9,997 of 10,000 rows linked to masks', 'Commas']);
    assert.deepEqual(await seen(550), [
      '10,000 rows',
      '12 columns',
      'Row 5 selected',
      '3',
      '9,997 linked',
      'Commas',
    ]);
    assert.deepEqual(await seen(400), ['10,000 rows', 'Row 5', '3', '9,997 linked', 'Commas']);
    // What was just done is said, in place of what is always there.
    await page.getByRole('searchbox', { name: 'Find' }).fill(rows[18]?.[PERIMETER] ?? '');
    await page.keyboard.press('Enter');
    await page.getByText('Row 19 selected').waitFor({ state: 'attached' });
    assert.match((await seen(400)).join(), /^10,000 rows,Row 19,\[?Found in "Perimeter"/);
    assert.deepEqual(
      await line.locator('.format, .link .short').evaluateAll(parts => parts.map(part => part.clientWidth)),
      [0, 0],
    );
    // What is read out stays whole.
    await page.getByRole('button', { name: '9,997 of 10,000 rows linked to masks' }).waitFor();
    await page.setViewportSize({ width: 1400, height: 500 });
    await keepClass('Mitotic');
    await page.locator('.status-item.rows', { hasText: / of 10,000 rows \(\d+(\.\d)?%\)/ }).waitFor();
  });

  it('keeps the window of a column at its header, and closes it when the header or the focus goes elsewhere', async () => {
    page = await suite.open({
      ...table,
      size: { width: 860, height: 500 },
      options: { rowCount: ROWS, start: 'respond' },
    });
    const header = page.locator(`.ag-header-cell[col-id="column-${AREA}"]`);
    const window = page.locator('.filter-menu');
    const leftOf = async (of: Locator) => (await of.boundingBox())?.x ?? NaN;
    const open = async () => {
      await header.focus();
      await page.keyboard.press('Alt+ArrowDown');
      await window.waitFor();
    };
    await open();
    const before = await leftOf(header);
    assert.equal(await leftOf(window), before);
    // Over the rows, and not over the window where it is then.
    await page.mouse.move(before - 50, 350);
    await page.mouse.wheel(40, 0);
    await until(async () => (await leftOf(header)) < before);
    await until(async () => (await leftOf(window)) === (await leftOf(header)));
    await page.mouse.wheel(900, 0);
    await window.waitFor({ state: 'detached' });
    await page.mouse.wheel(-940, 0);
    await open();
    await page.getByRole('textbox', { name: 'Go to row' }).focus();
    await window.waitFor({ state: 'detached' });
    await page.locator(':focus[aria-label="Go to row"]').waitFor();
  });

  it('keeps the window of a column within a panel that is zoomed, as its statistics arrive', async () => {
    await open();
    await page.setViewportSize({ width: 550, height: 350 });
    await keepClass('Mitotic');
    const box = await page.locator('.filter-menu').boundingBox();
    assert.ok(box && box.y >= 0 && box.y + box.height <= 350, JSON.stringify(box));
  });

  it('keeps its first row as it grows past what a browser scrolls pixel by pixel', async () => {
    await open();
    const topOf = async (position: number) => (await cell(position, AREA).boundingBox())?.y ?? NaN;
    const grow = async (rowCount: number) => {
      const value = { rowCount, bytesDone: 1, bytesTotal: 2, done: false };
      await page.evaluate(message => window.postMessage(message, '*'), {
        kind: 'event',
        name: 'growth',
        value,
      });
      await page.locator('.status-item.rows', { hasText: `${rowCount.toLocaleString('en')} rows` }).waitFor();
      await page.locator(`[role="grid"][aria-rowcount="${rowCount + 1}"]`).waitFor();
    };
    await grow(1_200_000);
    await cell(5, AREA).hover();
    await page.mouse.wheel(0, 227 * 24);
    // The page saves the first row once scrolling has ended.
    const firstPosition = () =>
      page.evaluate<unknown>("JSON.parse(sessionStorage.getItem('state') ?? '{}').view?.firstPosition");
    await until(async () => (await firstPosition()) === 227);
    await cell(230, AREA)
      .filter({ hasText: rows[230]?.[AREA] ?? '' })
      .waitFor();
    const before = await topOf(230);
    for (const rowCount of [1_400_000, 5_000_000, 5_000_001, 10_000_000]) {
      await grow(rowCount);
      await until(async () => Math.abs((await topOf(230)) - before) < 24);
      assert.equal(await firstPosition(), 227);
    }
    // The numbers of its last rows have room too.
    const header = await page.locator('.ag-header-cell[col-id="row-number"]').boundingBox();
    const digit = await cell(230, AREA).evaluate(element => {
      const context = document.createElement('canvas').getContext('2d');
      if (!context) return NaN;
      context.font = getComputedStyle(element).font;
      return context.measureText('0').width;
    });
    assert.ok(header && header.width >= '10000000'.length * digit + 16, JSON.stringify({ ...header, digit }));
  });

  it('has plots that name the object under the pointer, select it and filter, by mouse and by keyboard', async () => {
    await open();
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    const stage = page.locator('.plot-stage').first();
    const note = page.locator('.plot-note').first();
    const sent = async (name: string) => (await sentMessages(page, name)).at(-1);
    await note.getByText('10,000 rows.').waitFor();
    await stage.focus();
    await page.keyboard.press('End');
    await until(async () => typeof (await sent('hover')) === 'number');
    const row = Number(await sent('hover'));
    assert.equal(rows[row]?.[AREA], String(Math.max(...rows.map(cells => Number(cells[AREA])))));
    const spoken = page.getByRole('status').getByText(`Object ID ${Number(rows[row]?.[ID])}`);
    await spoken.waitFor({ state: 'attached' });
    const tip = await page.locator('.plot-tip').first().innerText();
    assert.match(tip, new RegExp(`Area\\s+${rows[row]?.[AREA] ?? ''}`));
    await page.keyboard.press('Enter');
    await page.locator(`.ag-row.selected[row-id="${row}"]`).first().waitFor();
    assert.equal(await sent('select'), row);
    await page.locator('.plot-overlay circle').first().waitFor({ state: 'attached' });
    // The pointer finds the same object where the key left it.
    const ring = await page.locator('.plot-overlay g:nth-child(1) circle').first().boundingBox();
    assert.ok(ring);
    await page.keyboard.press('Escape');
    await until(async () => (await sent('hover')) === null);
    await page.mouse.move(ring.x + ring.width / 2, ring.y + ring.height / 2);
    await until(async () => (await sent('hover')) !== null);
    assert.equal(rows[Number(await sent('hover'))]?.[AREA], rows[row]?.[AREA]);
    // The wheel zooms in, and the button, which is disabled while all is shown, zooms out.
    const resetZoom = (disabled: boolean) => page.getByRole('button', { name: 'Reset Zoom', disabled });
    await resetZoom(true).waitFor();
    await page.mouse.wheel(0, -400);
    await note.getByText('Zoomed in:').waitFor();
    await resetZoom(false).click();
    await resetZoom(true).waitFor();
    // A bar filters; the histogram of all rows stays, and Escape removes the filter.
    await page.getByRole('button', { name: 'Add Plot' }).click();
    await page.getByRole('menuitem', { name: 'Histogram' }).click();
    await page.locator('.plot-drawing').nth(1).waitFor();
    const bars = page.locator('.plot-stage').nth(1);
    await bars.focus();
    // Zoomed, a bar is of a part of what it was: the first one is of numbers in the middle.
    const firstBin = async () => {
      await page.keyboard.press('Home');
      return page.locator('.plot-tip').nth(1).innerText();
    };
    const wholeBin = await firstBin();
    await page.keyboard.press('Escape');
    await page.keyboard.press('+');
    await resetZoom(false).waitFor();
    await until(async () => !(await firstBin()).startsWith(wholeBin.split('–')[0] ?? ''));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Remove the filter "Area: \d.* to \d/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.status-item.rows', { hasText: /^10,000 rows/ }).waitFor();
    await page.keyboard.press('0');
    await until(async () => (await firstBin()) === wholeBin);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    const barTip = bars.locator('.plot-tip .tip-title');
    const bar = await barTip.innerText();
    await page.keyboard.press('Enter');
    await page.locator('.status-item.rows', { hasText: 'of 10,000' }).waitFor();
    await note.getByText("rows that don't match the filters").waitFor();
    // The same bar is pointed at: Enter again removes its filter.
    await bars.getByText('All rows').waitFor();
    assert.equal(await barTip.innerText(), bar);
    const cut = await bars
      .locator('.tip-label, .tip-value')
      .evaluateAll(parts => parts.filter(part => part.scrollWidth > part.clientWidth).length);
    assert.equal(cut, 0);
    await page.keyboard.press('Enter');
    await page.locator('.status-item.rows', { hasText: /^10,000 rows/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.status-item.rows', { hasText: 'of 10,000' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.status-item.rows', { hasText: /^10,000 rows/ }).waitFor();
    // So does a group of a box plot.
    await page.getByRole('button', { name: 'Add Plot' }).click();
    await page.getByRole('menuitem', { name: 'Box plot' }).click();
    await page.locator('.plot-drawing').nth(2).waitFor();
    const boxes = page.locator('.plot-stage').nth(2);
    await boxes.focus();
    await page.keyboard.press('End');
    const boxTip = boxes.locator('.plot-tip .tip-title').first();
    const box = await boxTip.innerText();
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: box }).waitFor();
    await boxes.locator('.plot-tip', { hasText: 'All rows' }).waitFor();
    assert.equal(await boxTip.innerText(), box);
  });

  it('says in its own words that a plot cannot be saved as PNG', async () => {
    await open();
    await page.evaluate(() => {
      HTMLImageElement.prototype.decode = () =>
        Promise.reject(new DOMException('The source image cannot be decoded.', 'EncodingError'));
    });
    await page.getByRole('button', { name: 'Plots', exact: true }).click();
    await page.locator('.plot-drawing').waitFor();
    await page.getByRole('button', { name: 'Save Plot' }).click();
    await page.getByRole('menuitem', { name: 'Save as PNG…' }).click();
    const notice = page.locator('.notice.error:visible');
    await notice.waitFor();
    assert.equal(await notice.innerText(), "Couldn't save the plot as PNG. Save it as SVG instead.");
  });

  it('has of thousands of columns only those on the screen, and of them the rows of the next screen and those it jumps to', async () => {
    const wide = await suite.pages.open(
      { ...table, options: { rowCount: 400, columns: 6000, start: 'respond' } },
      'dark',
    );
    const requested = () =>
      wide.engine.requests.flatMap(({ method, params }) =>
        method === 'tableRows' ? [params as { start: number; end: number; columns?: number[] }] : [],
      );
    const rangesOf = (requests: ReturnType<typeof requested>) =>
      requests.map(({ start, end }) => `${start} to ${end}`);
    await waitForMessage(wide.page, 'shown');
    await until(() => rangesOf(requested()).includes('40 to 80'));
    await wide.page.locator('.ag-row[row-index="0"] [col-id="column-0"]').click();
    const before = requested().length;
    await wide.page.keyboard.press('Control+End');
    const last = wide.page.locator('.ag-row[row-index="399"] [col-id="column-5999"]');
    await last.filter({ hasText: String(399 + 5999) }).waitFor();
    assert.ok((await wide.page.locator('.ag-header-cell').count()) < 100);
    // Headers are complete after the rows: nothing more is to come.
    await wide.page.locator('.ag-header-cell[col-id="column-5999"] .brush-end:not(:empty)').first().waitFor();
    const jumped = requested().slice(before);
    assert.deepEqual(rangesOf(jumped), ['360 to 400']);
    // Of their columns, those around the last one.
    const { length = 6000 } = jumped[0]?.columns ?? {};
    assert.ok(length > 0 && length <= 128, `${length} columns were requested`);
    await wide.close();
    assert.deepEqual(wide.problems, []);
  });

  it('has cells beneath their headers after one of thousands of columns is hidden, also those out of view', async () => {
    const wide = await suite.pages.open(
      { ...table, options: { rowCount: 100, columns: 6000, start: 'respond' } },
      'dark',
    );
    const { page: of } = wide;
    const places = () =>
      of.evaluate(() => {
        const leftOf = (element: Element | null) => element?.getBoundingClientRect().left;
        return [...document.querySelectorAll('.ag-row .ag-cell[col-id^="column-"]')].flatMap(cell => {
          const header = document.querySelector(`.ag-header-cell[col-id="${cell.getAttribute('col-id')}"]`);
          return header ? [Math.round((leftOf(cell) ?? NaN) - (leftOf(header) ?? NaN))] : [];
        });
      });
    await waitForMessage(of, 'shown');
    const focused = of.locator('.ag-row[row-index="3"] [col-id="column-9"]');
    await focused.click();
    await of.mouse.wheel(4000, 0);
    await of.locator('.ag-header-cell[col-id="column-9"]').waitFor({ state: 'detached' });
    await of.getByRole('button', { name: 'Columns', exact: true }).click();
    await of.getByRole('checkbox').nth(4).uncheck();
    await of.keyboard.press('Escape');
    assert.deepEqual([...new Set(await places())], [0]);
    await of.mouse.move(700, 400);
    await of.mouse.wheel(-9000, 0);
    await of.locator('.ag-header-cell[col-id="column-9"]').waitFor();
    assert.equal(await of.locator('.ag-header-cell[col-id="column-4"]').count(), 0);
    assert.deepEqual([...new Set(await places())], [0]);
    await wide.close();
    assert.deepEqual(wide.problems, []);
  });
});
