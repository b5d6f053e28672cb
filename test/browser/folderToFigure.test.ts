import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { writeImages } from '../../src/sample/node/images/writeImages';
import { decodePng } from '../../src/images/decodePng';
import { placeSampleImages, signInToSample } from './sampleFiles';
import { prepareSlides, testSlides } from './slides';
import { until } from './until';
import { useWorkbench } from './useWorkbench';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';

const STUDY = 'study';
const MAX = { clicks: 9, enters: 2 };

describe('From a folder to the figure', () => {
  // Figures are proposed among documents, which are the test's own.
  const home = mkdtempSync(join(tmpdir(), 'home-'));
  const documents = join(home, 'Documents');
  mkdirSync(documents);
  after(() => rm(home, { recursive: true, force: true }));
  const suite = useWorkbench({
    theme: 'light',
    prepare: async folder => {
      // Control and treated of three donors, four images each.
      await writeImages(join(folder, STUDY), 'study');
      await placeSampleImages(folder);
      await prepareSlides(folder);
    },
    settings: { 'imageAnalysis.jobs.pollingInterval': 1 },
    environment: { HOME: home, USERPROFILE: home },
  });

  it(`are at most ${MAX.clicks} clicks and ${MAX.enters} Enters`, async () => {
    const { workbench } = suite;
    const { page, quickInput } = workbench;
    await signInToSample(workbench);
    await workbench.openContainer('Explorer');
    await workbench.explorer.waitForItem(STUDY);
    const done = { clicks: 0, enters: 0 };
    const click = async (target: Locator, options?: { button: 'right' }) => {
      done.clicks++;
      await target.click(options);
    };
    const enter = async () => {
      done.enters++;
      await page.keyboard.press('Enter');
    };

    await click(workbench.explorer.item(STUDY), { button: 'right' });
    done.clicks++;
    await workbench.chooseInMenu('Analyze…');
    await quickInput.option('Bright objects').waitFor();
    await page
      .locator('.quick-input-widget .monaco-list-row.focused', { hasText: 'Bright objects' })
      .waitFor();
    await enter();
    await quickInput.toggle('Also Generate Masks', true).waitFor();
    await workbench.screenshot('figure-01-name');
    await enter();

    const masks = new MasksView(page, await workbench.panel(/^Masks of study/));
    await masks.seeMasks();
    await workbench.screenshot('figure-02-masks');
    // The first image of the list, which is by path.
    await masks.frame.getByText('1 of 24').waitFor();
    await click(masks.button('Show Table'));
    const table = new TableView(await workbench.panel(/^Objects of study/));
    await table.showsRows(/^[45]\d\d rows$/);
    await workbench.screenshot('figure-03-table');
    await click(table.button('Compare Conditions'));
    await table.frame.getByText('Compare control and treated').waitFor();
    await workbench.screenshot('figure-04-proposal');
    await click(table.frame.getByRole('button', { name: 'Compare', exact: true }));
    await click(table.button('Yes, Pair Them'));
    await table.frame.getByText(/^Area is [\d.]+ px² \(\d+ %\) larger in treated/).waitFor();
    await workbench.screenshot('figure-05-compared');

    await click(table.frame.getByRole('button', { name: 'Save', exact: true }));
    await click(table.frame.getByRole('menuitem', { name: 'Save as PNG' }));
    await quickInput.widget.locator('.monaco-list-row').first().waitFor();
    await workbench.screenshot('figure-06-place');
    await click(quickInput.widget.getByRole('button', { name: /^(OK|Save)$/ }));
    const saved = () => readdir(documents);
    await until(async () => (await saved()).length === 1);
    await workbench.screenshot('figure-07-saved');
    await workbench.readNotification('Saved Area_px2_by_Condition.png');
    // With a name that scripts take.
    const [figure = ''] = await saved();
    assert.match(figure, /^[\w.-]+$/);
    const { width, height } = decodePng(await readFile(join(documents, figure)), figure, 1e9);
    assert.ok(width > 500 && height > 200, `${width} × ${height}`);
    assert.ok(done.clicks <= MAX.clicks && done.enters <= MAX.enters, JSON.stringify(done));
  });

  // In the same window, which is signed in now.
  describe('then a slide of a scanner', () => testSlides(suite));
});
