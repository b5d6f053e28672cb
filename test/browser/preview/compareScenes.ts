import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { sentMessages, waitForMessage } from './previewPages';
import { everyTheme, idle, shown, type Scene } from './scene';
import type { Population } from '../../../src/populations/population';
import type { StudyOptions } from './studyTable';
import type { ThemeName } from './themes';

/** A scene of a table of a study, compared; `act` happens once the comparison is on the screen. */
function compare(
  name: string,
  themes: readonly ThemeName[],
  { size, ...study }: Partial<StudyOptions> & Pick<Scene, 'size'>,
  act?: (page: Page) => Promise<unknown>,
): Scene {
  return {
    name: `compare-${name}`,
    page: 'table',
    options: { rowCount: 0, start: 'respond', study },
    themes,
    ...(size && { size }),
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Compare Conditions' }).click();
      await page.locator('.compare-caption, .over-rows-empty p').first().waitFor();
      await act?.(page);
      await idle(page);
    },
  };
}

/** What the caption says now. */
async function caption(page: Page): Promise<string> {
  return (await page.locator('.compare-caption p').textContent()) ?? '';
}

/** Waits until the figure has a title, and until the caption says something. */
const titled = (page: Page, title: string) =>
  page.locator('.compare-title').getByText(title, { exact: true }).waitFor();
const captioned = (page: Page, words: string | RegExp) =>
  page.locator('.compare-caption', { hasText: words }).waitFor();

/** Pixels of the line above a comparison, or of its lines. */
const headHeight = async (page: Page) => (await page.locator('.compare-head').boundingBox())?.height ?? NaN;

/** Waits until the answer above the plot reads so. */
const headed = (page: Page, words: RegExp) => page.locator('.compare-headline', { hasText: words }).waitFor();

/** How many pairs of labels in the plot lie over each other. */
async function overlapping(page: Page, words: RegExp): Promise<number> {
  const labels = page.locator('.compare-plot text').filter({ hasText: words });
  // The plot is drawn after the words around it.
  await labels.nth(1).waitFor();
  const boxes = await labels.evaluateAll(all =>
    all.map(label => label.getBoundingClientRect().toJSON() as DOMRect),
  );
  const meet = (a: DOMRect, b: DOMRect) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes.flatMap((box, at) => boxes.slice(at + 1).filter(other => meet(box, other))).length;
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`);

/**
 * Saves the plot as a figure, and shows it in place of the page. Resolves with its text, where it
 * has one.
 */
async function saveFigure(page: Page, type: 'PNG' | 'SVG'): Promise<string> {
  await page.evaluate('delete globalThis.savedPlot');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('menuitem', { name: `Save as ${type}` }).click();
  await page.waitForFunction(() => 'savedPlot' in globalThis);
  await page.evaluate(`(async () => {
    const image = new Image();
    image.alt = 'The saved figure';
    image.src = URL.createObjectURL(savedPlot);
    Object.assign(image.style, { position: 'fixed', top: '0', left: '0', zIndex: '99', maxWidth: '100%' });
    document.querySelector('main.compare').append(image);
    await image.decode();
  })()`);
  return String(await page.evaluate('savedPlot.text()'));
}

const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const NAME = 'Ki67+ and large';

/** Filters the table by two columns of numbers, and makes a population of the filters. */
async function addPopulation(page: Page): Promise<void> {
  for (const [column, from] of [
    [4, '95'],
    [3, '150'],
  ] as const) {
    await page.locator(`.ag-header-cell[col-id="column-${column}"]`).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('textbox', { name: 'From' }).fill(from);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
  }
  await page.locator('.chip').nth(1).waitFor();
  await page.getByRole('button', { name: 'Populations' }).click();
  await page.getByRole('button', { name: 'New Population from Filters…' }).click();
  await page.getByLabel('Name of the population').fill(NAME);
  await page.keyboard.press('Enter');
  await page.getByRole('treeitem', { name: NAME, selected: true }).waitFor();
  await page.getByRole('button', { name: 'Close Populations' }).click();
}

/** Groups with measures of images, and the window that they are chosen in. */
function measuresScene(name: string, { size }: Pick<Scene, 'size'>): Scene {
  return {
    ...compare(name, ['dark', 'light'], { size }),
    async act(page) {
      await shown(page);
      await addPopulation(page);
      await page.locator('.chip input').last().uncheck();
      await page.getByRole('button', { name: 'Groups', exact: true }).click();
      await page.getByLabel('Group by').selectOption({ label: 'Treatment' });
      await page.getByRole('button', { name: 'Columns and Statistics' }).click();
      // Single objects have no number per image.
      ok(await page.getByLabel('Objects per image').isDisabled());
      await page.keyboard.press('Escape');
      await page.getByLabel('Statistics of').selectOption('Replicate Means');
      await page.getByRole('button', { name: 'Columns and Statistics' }).click();
      await page.getByLabel('Ki67', { exact: true }).uncheck();
      for (const measure of ['Objects per image', 'Share of Mitotic', `Share of ${NAME}`])
        await page.getByLabel(measure).check();
      await page.getByRole('spinbutton', { name: 'To' }).fill('80');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByLabel('Share of Area ≤ 80').waitFor();
      // Where there is room for the columns.
      if (!size) await page.locator('.group-measure', { hasText: `Share of ${NAME}` }).waitFor();
      await idle(page);
    },
  };
}

/** Plots of a share by group, of rows that filters leave and of all. */
function plotsScene(name: string): Scene {
  return {
    ...compare(name, ['dark', 'light'], {}),
    async act(page) {
      await shown(page);
      await addPopulation(page);
      await page.getByRole('button', { name: 'Plots', exact: true }).click();
      for (const [kind, measure] of [
        ['Bar chart', 'Share of Mitotic'],
        ['Box plot', `Share of ${NAME} (population)`],
      ] as const) {
        await page.getByRole('button', { name: 'Add Plot' }).click();
        await page.getByRole('menuitem', { name: kind }).click();
        const card = page.locator('.plot-card').last();
        await card.getByLabel('Measure').selectOption({ label: measure });
        await card.getByLabel('Group by').selectOption({ label: 'Treatment' });
        await page.locator(`.plot-card[aria-label="${kind}: ${measure} by Treatment"]`).waitFor();
      }
      await page.locator('.chip input').last().uncheck();
      await page.getByRole('button', { name: 'Remove Plot' }).first().click();
      await idle(page);
    },
  };
}

/** Conditions compared, in their states. */
export const compareScenes: Scene[] = [
  compare('points', everyTheme, {}, async page => {
    // Equal names may be a coincidence: no answer is chosen, and there is no test.
    equal(await page.locator('.compare-question [aria-pressed="true"]').count(), 0);
    match(await caption(page), /Not tested yet/);
    await answer(page, 'No');
    await captioned(page, 'Welch’s t test');
    await page.getByRole('button', { name: 'Copy Caption' }).click();
    await waitForMessage(page, 'copy');
    deepEqual(await sentMessages(page, 'copy'), [await caption(page)]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as SVG' }).click();
    await waitForMessage(page, 'savePlot');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save Values, One Row per Image…' }).click();
    await waitForMessage(page, 'saveValues');
  }),
  compare('paired', ['dark', 'light'], {}, async page => {
    await answer(page, 'Yes, Pair Them');
    await captioned(page, 'Paired t test of 4 pairs');
    // The mean of a replicate, pointed at by keys.
    const plot = page.getByRole('application');
    await plot.focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight']) await plot.press(key);
    await page.locator('.plot-tip', { hasText: 'control · d1' }).waitFor();
  }),
  compare('violins', everyTheme, { perImage: 400, conditions: ['0', '1', '5', '10'] }, async page => {
    await answer(page, 'No');
    await captioned(page, 'Welch’s ANOVA');
    equal(await page.locator('.compare-pairs tbody tr').count(), 6);
    match(await caption(page), /10 − 5: .+ \(95 % CI .+ to .+\), adjusted p = /);
    equal(await overlapping(page, /^0\.\d+$/), 0);
  }),
  compare('reference', ['dark'], { conditions: ['DMSO', '+IL2', '-Dox'] }, async page => {
    await answer(page, 'No');
    await page.getByLabel('Compared with').selectOption('DMSO');
    // All pairs, which were there before, are three.
    await page.locator('.compare-pairs tbody tr').nth(2).waitFor({ state: 'detached' });
    equal(await page.locator('.compare-pairs tbody tr').count(), 2);
    await page.getByLabel('Difference or ratio').selectOption('ratio');
    await page.locator('.compare-pairs th', { hasText: 'Ratio' }).waitFor();
    match(await caption(page), /-Dox \/ DMSO: .+ of geometric means\), adjusted p = /);
    match(await caption(page), /Bars: geometric mean .+ intervals are unadjusted/);
    await page.getByLabel('Intervals').selectOption('simultaneous');
    await page.locator('.compare-pairs th', { hasText: '95 % CI, simultaneous' }).waitFor();
    match(await caption(page), /intervals are simultaneous/);
    // No line of the caption ends after the hyphen of "-Dox".
    for (const word of await page.locator('.compare-caption p span').all())
      equal(await word.evaluate(element => element.getClientRects().length), 1);
  }),
  compare('pixels', ['dark', 'light'], { microns: true }, async page => {
    const warning = page.getByRole('status').filter({ hasText: 'Pixels of the images' });
    await warning.waitFor();
    match(await caption(page), /“Area” is in pixels, and doesn’t compare/);
    await answer(page, 'Use Area (µm²)');
    await titled(page, 'Area (µm²) by Treatment');
    equal(await warning.count(), 0);
    doesNotMatch(await caption(page), /pixels/);
    await page.getByLabel('Measure', { exact: true }).selectOption({ label: 'Area' });
    await warning.waitFor();
  }),
  compare('few', ['light'], { donors: 2 }, async page => {
    await answer(page, 'No');
    await captioned(page, 'fewer than 3 replicates');
  }),
  compare('share', ['dark', 'light'], {}, async page => {
    await answer(page, 'No');
    await page.getByLabel('Measure').selectOption({ label: 'Share of Mitotic' });
    await titled(page, 'Share of Mitotic by Treatment');
    await page.getByLabel('Measure').selectOption({ label: 'Share in a Range…' });
    await page.getByLabel('From').fill('120');
    await page.getByLabel('From').press('Enter');
    await titled(page, 'Share of Area ≥ 120 px² by Treatment');
    // Nothing is in such a range: shares of 0 would not say so.
    await page.getByLabel('To', { exact: true }).fill('50');
    await page.getByLabel('To', { exact: true }).press('Enter');
    await page.getByText('A range begins above its end').waitFor();
    equal(await page.locator('.compare-range [aria-invalid=true]').count(), 2);
    await page.getByLabel('To', { exact: true }).fill('');
    await page.getByLabel('To', { exact: true }).press('Enter');
    await titled(page, 'Share of Area ≥ 120 px² by Treatment');
    await page.getByLabel('Difference or ratio').selectOption({ label: 'Odds Ratio' });
    await captioned(page, 'odds need shares above 0 and below 1');
    await page.getByLabel('From').fill('180');
    await page.getByLabel('From').press('Enter');
    await captioned(page, /odds ratio .+ tested on logits/);
  }),
  {
    ...compare('named', ['dark', 'light'], {}),
    async act(page) {
      await shown(page);
      await addPopulation(page);
      await page.locator('.chip input').last().uncheck();
      await page.getByRole('button', { name: 'Compare Conditions' }).click();
      await answer(page, 'No');
      await page.getByLabel('Measure').selectOption({ label: 'Share of Ki67+ and large (population)' });
      await titled(page, 'Share of Ki67+ and large (population) by Treatment');
    },
  },
  compare('levels', ['dark', 'light'], { days: true }, async page => {
    await page.getByText('Several columns multiply the replicates').waitFor();
    const words = await caption(page);
    match(words, /Not tested yet: say which of Donor, Day is a replicate/);
    doesNotMatch(words, /n counts/);
  }),
  compare('technical', ['dark', 'light'], { days: true }, async page => {
    await page.getByRole('button', { name: 'Donor', exact: true }).click();
    await answer(page, 'No');
    await captioned(page, 'Welch’s t test');
    const words = await caption(page);
    match(words, /n counts replicates \(Donor\): control: 4, treated: 4/);
    match(words, /With technical replicates \(Day\)/);
  }),
  compare('narrow', ['dark', 'light'], { size: { width: 420, height: 640 } }, async page => {
    await answer(page, 'Yes, Pair Them');
    await captioned(page, 'Paired t test');
    ok((await headHeight(page)) <= 76);
  }),
  compare('middle', ['dark', 'light'], { size: { width: 670, height: 700 } }, async page => {
    await answer(page, 'Yes, Pair Them');
    await captioned(page, 'Paired t test');
    // Two lines, and nothing beneath the status line.
    ok((await headHeight(page)) <= 76);
    const body = await page.locator('.compare-body').boundingBox();
    const footer = await page.locator('.status-line').boundingBox();
    ok(body && footer && body.y + body.height <= footer.y + 1);
  }),
  compare('wide', ['light'], { size: { width: 1440, height: 800 } }, async page => {
    await answer(page, 'Yes, Pair Them');
    await captioned(page, 'Paired t test');
    ok((await headHeight(page)) <= 44);
  }),
  // A click selects, and never filters: that is an action with a name, which undo takes back.
  compare('filtered', ['dark', 'light'], { spellings: true }, async page => {
    await answer(page, 'No');
    await captioned(page, 'Welch’s t test');
    const all = await caption(page);
    const rows = page.locator('.status-item.rows');
    const before = await rows.textContent();
    const plot = page.getByRole('application');
    // Until it is drawn as high as it is now.
    await idle(page);
    const box = await page.locator('.compare-plot').boundingBox();
    ok(box);
    await page.mouse.click(box.x + 90, box.y + box.height - 80);
    await page.getByRole('group', { name: 'Selected: control' }).waitFor();
    equal(await rows.textContent(), before);
    equal(await page.locator('.chip').count(), 0);
    await answer(page, 'Filter Table to control');
    // All ways to write the condition are in it, and the plot says that it doesn't follow.
    await page.locator('.status-item.rows', { hasText: '192 of 384' }).waitFor();
    await page.getByText('This plot ignores a filter').waitFor();
    equal(await caption(page), all);
    // A replicate by keys, and a range by a drag.
    await plot.focus();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'Enter']) await plot.press(key);
    await page.getByRole('button', { name: 'Filter Table to control · d1' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: /^Selected/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.locator('.chip').waitFor({ state: 'detached' });
    await page.getByText('This plot ignores a filter').waitFor({ state: 'detached' });
    const lower = await page.locator('.compare-plot').boundingBox();
    ok(lower);
    await page.mouse.move(lower.x + 120, lower.y + 60);
    await page.mouse.down();
    await page.mouse.move(lower.x + 130, lower.y + 120);
    await page.mouse.move(lower.x + 130, lower.y + 180);
    await page.mouse.up();
    await page.getByRole('group', { name: /^Selected: Area \(px²\) / }).waitFor();
    equal(await caption(page), all);
    await page.getByRole('button', { name: /^Filter Table to Area/ }).click();
    await page.locator('.compare-caption p').filter({ hasNotText: all }).waitFor();
    await page.keyboard.press('Control+z');
    await page.locator('.chip').waitFor({ state: 'detached' });
    await page.locator('.compare-caption p', { hasText: all }).waitFor();
    const press = async (...keys: string[]) => {
      await plot.focus();
      for (const key of keys) await plot.press(key);
    };
    await press('Home', 'Enter');
    await answer(page, 'Filter Table to control');
    await page.getByText('This plot ignores a filter').waitFor();
    await answer(page, 'Remove Filter');
    await page.locator('.chip').waitFor({ state: 'detached' });
    await press('Home', 'Enter');
    await answer(page, 'Filter Table to control');
    await page.getByText('This plot ignores a filter').waitFor();
    await press('Home', 'ArrowRight', 'Enter');
    await page.getByRole('button', { name: 'Filter Table to treated' }).waitFor();
    deepEqual(await sentMessages(page, 'failure'), []);
  }),
  // What folders and names tell is proposed, and three clicks give the answer.
  compare('proposal', ['dark', 'light'], { onlyPaths: true }, async page => {
    await page.getByText('Compare control and treated').waitFor();
    await page.getByText('Replicates: Donor (d1, d2, d3, d4)').waitFor();
    // Edit leads to the sheet, and back to where one came from.
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByRole('button', { name: 'Add Columns' }).waitFor();
    await page.getByRole('button', { name: 'Back to Compare Conditions' }).click();
    await page.getByText('Compare control and treated').waitFor();
  }),
  compare('proposed', ['dark', 'light'], { onlyPaths: true }, async page => {
    await answer(page, 'Compare');
    await answer(page, 'Yes, Pair Them');
    // The donors differ more than the conditions do.
    await headed(
      page,
      /^Area doesn’t clearly differ: treated − control is [\d.]+ px² \(95 % CI −[\d.]+ to [\d.]+; paired t test, n = 4, p = 0\.\d+\)\.$/,
    );
    await titled(page, 'Area (px²) by Condition');
    // The question collapsed, and opens again.
    equal(await page.locator('.compare-question').count(), 0);
    await page.getByRole('button', { name: 'Change: Paired' }).click();
    await page.getByRole('button', { name: 'Yes, Pair Them', pressed: true }).waitFor();
    await answer(page, 'No');
    await headed(page, /^Area is [\d.]+ px² \(\d+ %\) larger in treated .*Welch’s t test, n = 4 and 4/);
    await page.getByRole('button', { name: 'Change: Not paired' }).waitFor();
  }),
  // Each dose is ten times the one before; names are as long as values can be.
  compare('doses', ['dark'], { conditions: ['0', '0.1', '1', '10', '100'] }, async page => {
    await answer(page, 'No');
    await page.getByText('Conditions are on a logarithmic axis.').waitFor();
    equal(await overlapping(page, /^n = 4$/), 0);
  }),
  compare(
    'many',
    ['light'],
    { conditions: ['a', 'b'].map(name => name.repeat(1000)).concat(numbered(38)), perImage: 2 },
    async page => {
      await answer(page, 'No');
      await page.getByText('280 more: compare with one condition').waitFor();
      equal(await overlapping(page, /^(c\d+|n = 4)$/), 0);
      const list = page.locator('.compare-pairs');
      ok(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
    },
  ),
  ...(['One Column (85 mm)', 'Slide (16:9)'] as const).map(size =>
    compare(`figure-${size === 'Slide (16:9)' ? 'slide' : 'column'}`, ['light'], {}, async page => {
      await answer(page, 'Yes, Pair Them');
      await captioned(page, 'Paired t test');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('menuitemradio', { name: size }).click();
      await saveFigure(page, 'PNG');
    }),
  ),
  // Words, order and colors are changed by a click on them, and kept; undo takes each back.
  compare('edited', ['dark', 'light'], {}, async page => {
    await answer(page, 'No');
    await headed(page, /Welch’s t test/);
    const plot = page.getByRole('application');
    const texts = page.locator('.compare-plot .plot-drawing text');
    const label = (words: string) => texts.filter({ hasText: new RegExp(`^${words}$`) });
    const retype = async (name: string, words: string) => {
      await page.getByRole('textbox', { name }).fill(words);
      await page.keyboard.press('Enter');
      await page.locator('.figure-editor').waitFor({ state: 'detached' });
    };
    await page.locator('.compare-title button').click();
    await retype('Title', 'Nuclei grow');
    await titled(page, 'Nuclei grow');
    await label('Treatment').click();
    await retype('Name of the axis', 'Drug');
    await label('Drug').waitFor();
    await label('treated').first().click();
    await page.getByRole('textbox', { name: 'Name of the condition' }).fill('10 µM');
    const leftOf = async (words: string) => (await label(words).first().boundingBox())?.x ?? NaN;
    const before = await leftOf('control');
    await page.getByRole('button', { name: 'Move Left' }).click();
    await page.getByRole('button', { name: 'Move Left', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    // What was typed doesn't hold after Esc, the order does.
    equal(await label('10 µM').count(), 0);
    await page.waitForFunction(
      at =>
        [...document.querySelectorAll('.compare-plot .plot-drawing text')].some(
          each => each.textContent === 'control' && each.getBoundingClientRect().x > at + 20,
        ),
      before,
    );
    await label('treated').first().click();
    await retype('Name of the condition', '10 µM');
    await headed(page, /larger in 10 µM/);
    await label('d1').click();
    const swatch = page.getByRole('button', { name: /^Color of d1: #/ }).nth(3);
    const named = (await swatch.getAttribute('aria-label')) ?? (await swatch.getAttribute('title')) ?? '';
    const [color = ''] = /#[0-9a-f]{6}/i.exec(named) ?? [];
    await swatch.click();
    await page.locator(`.compare-plot .plot-drawing circle[fill="${color}"]`).first().waitFor();
    await page.locator('.figure-editor').waitFor({ state: 'detached' });
    // By keys: the last stop has words.
    await plot.focus();
    for (const key of ['End', 'Enter']) await plot.press(key);
    await page.locator('.figure-editor').waitFor();
    await page.keyboard.press('Escape');
    const saved = await saveFigure(page, 'SVG');
    for (const words of ['Nuclei grow', 'Drug', '10 µM', 'control']) ok(saved.includes(`>${words}<`), words);
    ok(color !== '' && saved.includes(color), `${named}: ${color}`);
    match(saved, /<svg [^>]*width="180mm"/);
    await page.locator('img[alt="The saved figure"]').evaluate(image => image.remove());
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('menuitemradio', { name: 'One Column (85 mm)' }).click();
    match(await saveFigure(page, 'SVG'), /<svg [^>]*width="85mm"/);
    await page
      .locator('img[alt="The saved figure"]')
      .last()
      .evaluate(image => image.remove());
    // Steps are undone one by one: size, color, name, order.
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press('Control+z');
      await page.getByText('Undid: Change Figure').first().waitFor();
    }
    await label('treated').first().waitFor();
    await page.waitForFunction(at => {
      const control = [...document.querySelectorAll('.compare-plot .plot-drawing text')].find(
        each => each.textContent === 'control',
      );
      return control !== undefined && Math.abs(control.getBoundingClientRect().x - at) < 2;
    }, before);
    await titled(page, 'Nuclei grow');
    // A figure of another measure has no words of this one.
    await page.getByLabel('Measure', { exact: true }).selectOption({ label: 'Ki67' });
    await titled(page, 'Ki67 by Treatment');
    await page.getByLabel('Measure', { exact: true }).selectOption({ label: 'Area' });
    await titled(page, 'Nuclei grow');
    await page.evaluate(`Object.assign(navigator.clipboard, {
      write: async ([item]) => { window.copiedImage = await (await item.getType('image/png')).arrayBuffer(); },
    })`);
    await page.getByRole('button', { name: 'Copy Image' }).click();
    await page.getByText('Image copied').first().waitFor();
    // 85 mm at 300 dpi was undone: 180 mm.
    equal(await page.evaluate('new DataView(window.copiedImage).getUint32(16)'), 2126);
  }),
  // What is saved is for paper, whatever the theme, and says all that is needed to read it.
  compare('figure', ['dark', 'light'], { perImage: 60 }, async page => {
    await answer(page, 'Yes, Pair Them');
    await captioned(page, 'Paired t test of 4 pairs');
    const said = await caption(page);
    const saved = await saveFigure(page, 'SVG');
    const texts = [...saved.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);
    for (const text of [
      'Area (px²) by Treatment',
      'Area (px²)',
      'Treatment',
      'control',
      'treated',
      'n = 4',
      'Donor',
      'd1',
      'd4',
    ])
      ok(texts.includes(text), text);
    ok(texts.join(' ').includes(said.replace('Area (px²) by Treatment. ', '')));
    match(saved, /<rect[^>]*fill="#ffffff"/);
  }),
  compare(
    'figure-many',
    ['dark'],
    { donors: 120, perImage: 2, conditions: ['0', '0.1', '1', '10'], size: { width: 700, height: 900 } },
    async page => {
      await answer(page, 'No');
      await captioned(page, 'Welch’s ANOVA');
      // The legend on the screen says how many more there are; that of the figure has all of them.
      await page
        .locator('.compare-plot text')
        .filter({ hasText: /^and \d+ more$/ })
        .waitFor();
      await saveFigure(page, 'PNG');
    },
  ),
  compare('failed', ['dark', 'light'], {}, async page => {
    await answer(page, 'No');
    await page.getByLabel('Measure', { exact: true }).selectOption({ label: 'Objects per mm²' });
    // Nothing here knows how large images are.
    await page.getByRole('alert').filter({ hasText: 'compare the conditions' }).waitFor();
    await page.locator('.over-rows-empty').getByRole('button', { name: 'Try Again' }).waitFor();
    await page.getByLabel('Measure', { exact: true }).selectOption({ label: 'Area' });
    await captioned(page, 'Welch’s t test');
    await page.getByLabel('Measure', { exact: true }).selectOption({ label: 'Objects per mm²' });
    await page.getByRole('alert').filter({ hasText: 'compare the conditions' }).waitFor();
  }),
  compare('none', ['dark', 'light'], { conditions: [] }, async page => {
    await page.locator('.over-rows-empty').getByRole('button', { name: 'Image Columns' }).waitFor();
  }),
  compare('population', ['dark', 'light'], {}, async page => {
    const populations: Population[] = [
      { name: 'Large', gate: { kind: 'range', column: 'Area', from: 150 } },
      {
        ...{ name: 'Brightest', parent: 'Large' },
        gate: { kind: 'percentile', column: 'Ki67', of: 'image', percent: 75, side: 'above' },
      },
    ];
    await page.evaluate(`panel.changePopulations(${JSON.stringify(populations)})`);
    await page.getByLabel('Objects that are measured').selectOption('In Large');
    await titled(page, 'Area (px²) in Large by Treatment');
    await captioned(page, 'A replicate is the mean over its objects in Large.');
    await page.getByLabel('Measure', { exact: true }).selectOption('Objects per image');
    await titled(page, 'Large per image by Treatment');
    await page.getByLabel('Measure', { exact: true }).selectOption('Share of Brightest (population)');
    await captioned(page, 'the threshold of each image makes this share about the same in all images');
    await page.getByRole('status').filter({ hasText: 'makes this share about the same' }).waitFor();
  }),
  {
    ...compare('population-groups', ['dark', 'light'], {}),
    async act(page) {
      await shown(page);
      const populations: Population[] = [
        { name: 'Large', gate: { kind: 'range', column: 'Area', from: 150 } },
      ];
      await page.evaluate(`panel.changePopulations(${JSON.stringify(populations)})`);
      await page.getByRole('button', { name: 'Groups', exact: true }).click();
      await page.getByLabel('Group by').selectOption({ label: 'Treatment' });
      await page.getByLabel('Statistics of').selectOption('Image Means');
      await page.getByRole('button', { name: 'Columns and Statistics' }).click();
      await page.getByLabel('Large per image').check();
      const mean = page.locator('form', { hasText: 'The mean of a column in a population:' });
      await mean.getByRole('button', { name: 'Add' }).click();
      await page.getByLabel('Area in Large').waitFor();
    },
  },
  plotsScene('plots'),
  measuresScene('measures', {}),
  measuresScene('measures-narrow', { size: { width: 400, height: 640 } }),
  {
    ...compare('groups', ['dark', 'light'], {}),
    async act(page) {
      await shown(page);
      await page.getByRole('button', { name: 'Groups', exact: true }).click();
      await page.getByLabel('Group by').selectOption({ label: 'Treatment' });
      await page.getByLabel('Statistics of').selectOption('Replicate Means');
      await page.getByRole('button', { name: 'Columns and Statistics' }).click();
      for (const name of ['SEM', 'CI95 low', 'CI95 high']) await page.getByLabel(name).check();
      await page.keyboard.press('Escape');
      await page.locator('.groups-part [col-id="value-4"]', { hasText: 'CI95 high' }).first().waitFor();
      await page.getByRole('button', { name: 'Save Groups as CSV…' }).click();
      await waitForMessage(page, 'saveUnitGroups');
      const [saved] = (await sentMessages(page, 'saveUnitGroups')) as [{ of: string; statistics: string[] }];
      deepEqual(saved.of, 'replicates');
      ok(saved.statistics.includes('sem'));
    },
  },
];
