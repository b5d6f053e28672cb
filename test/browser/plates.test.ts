import * as assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { placeSampleImages } from './sampleFiles';
import { until } from './until';
import { useWorkbench } from './useWorkbench';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';

describe('A plate', () => {
  const suite = useWorkbench({
    theme: 'dark',
    prepare: placeSampleImages,
    settings: { 'imageAnalysis.jobs.pollingInterval': 1 },
  });

  it('of the sample images is analyzed, mapped, judged by its controls, filtered by wells, and saved', async () => {
    const { workbench } = suite;
    const { page, quickInput } = workbench;
    await workbench.runCommand('Image Analysis: Analyze Sample Plate');
    const table = new TableView(await workbench.panel(/^Objects of Sample plate/));
    await table.showsRows(/^[34]\d\d rows$/);
    await table.button('Plates').click();
    await table.frame.getByText('Which image is of which well?').waitFor();
    await table.button('Use Wells of Names').click();
    const map = table.frame.locator('.plates-map .plot-stage');
    await map.waitFor();
    await workbench.screenshot('plates-01-map');

    // Controls by their condition, and by a drag over a column of wells.
    await table.button('Negative control').click();
    await table.frame.getByRole('menuitemradio', { name: 'DMSO' }).click();
    await table.button('Positive control').click();
    await table.frame.getByRole('menuitemradio', { name: 'Mark Wells by Click' }).click();
    const label = async (name: string) => {
      const shown = table.frame.locator('.plot-drawing text').getByText(name, { exact: true }).first();
      // The map is drawn anew where what stands above it takes more room, or less.
      let place = { x: 0, y: 0 };
      await until(async () => {
        const box = await shown.boundingBox();
        const before = place;
        if (box) place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
        return box !== null && place.x === before.x && place.y === before.y;
      });
      return place;
    };
    await table.button('Done').waitFor();
    const [first, last, column] = [await label('A'), await label('D'), await label('6')];
    await page.mouse.move(column.x, first.y);
    await page.mouse.down();
    await page.mouse.move(column.x + 3, (first.y + last.y) / 2);
    await page.mouse.move(column.x + 6, last.y);
    await page.mouse.up();
    await table.button('Done').click();
    await table.button('Done').waitFor({ state: 'hidden' });
    const line = table.frame.locator('.plates-lines tbody tr');
    await line.getByText('staurosporine').waitFor();
    // Nothing is left in one of its wells: the median area is of the other three.
    assert.deepEqual((await line.locator('td').allTextContents()).slice(4), ['4', '3', '']);

    // A click filters to a well, one with Shift adds another, Space takes one away.
    const well = async (row: string, number: string) => ({
      x: (await label(number)).x,
      y: (await label(row)).y,
    });
    const click = async (row: string, number: string, modifiers: 'Shift'[] = []) => {
      const { x, y } = await well(row, number);
      for (const key of modifiers) await page.keyboard.down(key);
      await page.mouse.click(x, y);
      for (const key of modifiers) await page.keyboard.up(key);
    };
    await click('B', '2');
    await table.frame.locator('.filter-row').getByText('B02').waitFor();
    await click('C', '2', ['Shift']);
    await table.frame
      .locator('.filter-row')
      .getByText(/B02.*C02/)
      .waitFor();
    await map.focus();
    // Keys go on from what the pointer is at.
    for (const key of ['ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
    await table.frame.locator('.plot-tip').getByText('C2').waitFor();
    await page.keyboard.press('Shift+Space');
    await table.frame.locator('.filter-row').getByText(/B02$/).waitFor();
    await workbench.screenshot('plates-02-controls');

    await table.button('Save Plates').click();
    await table.frame.getByRole('menuitem', { name: 'Save Numbers of Wells' }).click();
    const place = async () => {
      await quickInput.widget.locator('.monaco-list-row').first().waitFor();
      await quickInput.widget.getByRole('button', { name: /^(OK|Save)$/ }).click();
    };
    const csvFiles = async (isWanted: (name: string) => boolean) =>
      (await readdir(suite.folder)).filter(each => each.endsWith('.csv') && isWanted(each));
    const saved = () => csvFiles(each => each.endsWith('-wells.csv'));
    await place();
    await until(async () => (await saved()).length === 1);
    const [name = ''] = await saved();
    const lines = (await readFile(join(suite.folder, name), 'utf8')).trimEnd().split('\n');
    assert.equal(lines.length, 25);
    assert.match(lines[0] ?? '', /^\ufeff?Well,Condition,Control,Images,Objects,Area.* \(Median\)$/);
    assert.match(lines[1] ?? '', /^A1,DMSO,negative,1,\d\d,[\d.]+$/);
    assert.match(lines[18] ?? '', /^C6,staurosporine,positive,1,0,$/);

    // Enter opens the images of a well.
    await map.focus();
    for (const key of ['ArrowUp', 'ArrowUp', 'Home']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    const masks = new MasksView(page, await workbench.panel(/^Masks of Sample plate/));
    await masks.seeMasks();
    await masks.frame.getByText('A01.png').first().waitFor();
    await workbench.screenshot('plates-03-images');

    // A computed column is one wherever a column is: in plots, comparisons and plates, on masks,
    // and in what is saved.
    await masks.button('Show Table').click();
    const objects = new TableView(await workbench.panel(/^Objects of Sample plate/));
    await objects.button('Back to Table').click();
    await objects.button('fx').click();
    const editor = objects.frame.locator('.formula-editor');
    const [, area = ''] = /Objects,(.*) \(Median\)/.exec(lines[0] ?? '') ?? [];
    await editor.getByRole('textbox', { name: 'Name' }).fill('Half');
    const formula = editor.getByLabel('Formula', { exact: true });
    await formula.fill(`[${area.replaceAll(']', ']]')}] / 2`);
    await formula.press('Enter');
    await objects.notice('Added Half.').waitFor();
    await objects.button('Plots').click();
    await objects.frame.getByLabel('Y axis').first().selectOption('Half');
    await objects.frame.locator('.plot-stage[aria-label*="Half"]').first().waitFor();
    await objects.button('Compare Conditions').click();
    await objects.frame.getByRole('combobox', { name: 'Measure' }).selectOption('Half');
    await objects.frame.locator('.compare[aria-busy="false"] .plot-stage[aria-label*="Half"]').waitFor();
    await workbench.screenshot('plates-04-compared');
    await objects.button('Plates').click();
    await objects.frame.getByRole('combobox', { name: 'Measure' }).selectOption('Half');
    await objects.frame.locator('.plates-map .plot-stage[aria-label*="Half"]').waitFor();
    await objects.button('Back to Table').click();
    await objects.button('Export').click();
    await place();
    await objects.notice(/rows? saved as .*\.csv/).waitFor();
    const [other = ''] = await csvFiles(each => each !== name);
    const [header = '', ...rows] = (await readFile(join(suite.folder, other), 'utf8'))
      .trimEnd()
      .split(/\r?\n/);
    const names = header.replace('\ufeff', '').split(',');
    assert.ok(rows.length > 0);
    for (const row of rows) {
      const cells = row.split(',');
      assert.equal(Number(cells[names.indexOf('Half')]), Number(cells[names.indexOf(area)]) / 2);
    }
    await objects.button('Show Masks').click();
    await masks.seeMasks();
    const before = await masks.painted();
    await masks.frame.locator('#color-by').selectOption({ label: 'Half' });
    await masks.frame.getByRole('slider', { name: 'Scale maximum' }).waitFor();
    await masks.paintsAnew(before);
    await workbench.screenshot('plates-05-colored');
  });
});
