import { deepEqual, equal, match, ok } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FakeComparisonOptions } from './fakeComparisonPanel';
import { sentMessages, waitForMessage } from './previewPages';
import { everyTheme, idle, shown, type Scene } from './scene';
import type { ThemeName } from './themes';

const plate = { images: 6, width: 700, height: 520, cells: 110 };
const both: readonly ThemeName[] = ['dark', 'light'];

function comparison(
  name: string,
  themes: readonly ThemeName[],
  options: Partial<FakeComparisonOptions>,
  act?: (page: Page) => Promise<unknown>,
  size = { width: 1280, height: 860 },
): Scene {
  return {
    name: `comparison-${name}`,
    page: 'comparison',
    options: { ...plate, ...options },
    themes,
    size,
    async act(page) {
      if (!options.fails) await shown(page);
      await idle(page);
      await act?.(page);
      await idle(page);
    },
  };
}

/** The words of what is in the inspector's list of outcomes, such as "Only A 9". */
async function outcomes(page: Page): Promise<string[]> {
  return await page
    .locator('.outcome')
    .allInnerTexts()
    .then(texts => texts.map(text => text.replace(/\s+/g, ' ')));
}

/** The page of a comparison in its states. */
export const comparisonScenes: Scene[] = [
  comparison('open', everyTheme, {}, async page => {
    equal(await page.locator('h1').innerText(), 'Plate 3/Well B1/nuclei_001.tif');
    match(await page.locator('.threshold-value').innerText(), /^IoU ≥ 0\.50, F1 0\.\d{3}$/);
  }),

  comparison('next-object', both, {}, async page => {
    const before = await outcomes(page);
    ok(!before.includes('Only A 0'), before.join());
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    await idle(page);
    const selected = page.locator('.row-list.objects [aria-selected="true"]');
    equal(await selected.count(), 1);
    match(await selected.innerText(), /^A \d+/);
    match(await page.locator('.object-facts').innerText(), /Only A/);
    const facts = await page.locator('.object-facts').boundingBox();
    ok(facts && facts.y + facts.height < 860, 'The facts of the object are out of view');
    // A list of another outcome, and its first object.
    await page.keyboard.press('4');
    equal(await page.getByRole('button', { name: /^Split/ }).getAttribute('aria-pressed'), 'true');
    await page
      .getByRole('status')
      .getByText(/^Split: \d+$/)
      .waitFor({ state: 'attached' });
    await page.keyboard.press('n');
    await idle(page);
    match(await page.locator('.object-facts').innerText(), /Split/);
    await page.getByRole('button', { name: /^Matched/ }).click();
    await page.keyboard.press('n');
    await page.locator('.object-facts', { hasText: /IoU\s*0\.\d{3}/ }).waitFor();
  }),

  comparison('filtered', both, { filtered: true }, async page => {
    await page.getByText('310 of 620 rows').waitFor();
    const all = Number((await outcomes(page))[0]?.replace(/\D/g, ''));
    ok(all > 0 && all < 80, `${all} pairs are listed`);
    await page.getByRole('button', { name: 'Pairs Table' }).click();
    await waitForMessage(page, 'openPairs');
  }),

  comparison('threshold', both, { ofRuns: true }, async page => {
    const matched = async () => Number((await outcomes(page))[0]?.replace(/\D/g, ''));
    const before = await matched();
    await page.getByRole('slider').focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
    await idle(page);
    match(await page.locator('.threshold-value').innerText(), /^IoU ≥ 0\.75/);
    ok((await matched()) < before);
    await page.getByRole('button', { name: 'Save Plot as SVG' }).first().click();
    await waitForMessage(page, 'saveDrawing');
    const [drawing] = (await sentMessages(page, 'saveDrawing')) as { name: string; text: string }[];
    equal(drawing?.name, 'Nuclei by size vs. Nuclei by shape F1.svg');
    match(drawing?.text ?? '', /<polyline[^>]*points="8,[^>]*stroke="rgb/);
    match(
      await page.locator('.figures').first().innerText(),
      /Share of B matched[^]*Panoptic quality at 0\.75/,
    );
    const [table, inspector] = await Promise.all(
      ['.figures', '.comparison-inspector'].map(each => page.locator(each).first().boundingBox()),
    );
    ok(table && inspector && table.x + table.width <= inspector.x + inspector.width, 'Figures are cut off');
  }),

  comparison('one-side', both, {}, async page => {
    await page.locator('body').press('b');
    await page.locator('body').press('o');
    equal(await page.getByRole('checkbox', { name: 'Show B (B)' }).isChecked(), false);
    equal(await page.getByRole('checkbox', { name: 'Show A (A)' }).isChecked(), true);
    await page.getByRole('button', { name: 'Save View as SVG' }).click();
    await waitForMessage(page, 'saveDrawing');
    const [drawing] = (await sentMessages(page, 'saveDrawing')) as { name: string; text: string }[];
    equal(drawing?.name, 'nuclei_001 comparison.svg');
    match(drawing?.text ?? '', /<path id="A" d="M[\d.]+ /);
    ok(!drawing?.text.includes('id="B"'));
  }),

  comparison('images', both, {}, async page => {
    await page.keyboard.press(']');
    await idle(page);
    equal(await page.locator('h1').innerText(), 'Plate 3/Well B2/nuclei_002.tif');
    await page.getByLabel('Sort images').selectOption('worst');
    await page.locator('.count-point').nth(4).click();
    await idle(page);
    equal(await page.locator('h1').innerText(), 'Plate 3/Well B5/nuclei_005.tif');
    await page.getByRole('button', { name: 'Save Plot as SVG' }).last().click();
    await waitForMessage(page, 'saveDrawing');
  }),

  comparison('other-sizes', both, { unpaired: 2, doubts: 'size' }, async page => {
    await page.getByText('Not Paired, as Their Sizes Differ').scrollIntoViewIfNeeded();
    equal(await page.getByRole('button', { name: 'Pair by Path' }).count(), 0);
  }),

  comparison('pairing', both, { unpaired: 2, doubts: 'hash' }, async page => {
    await page.getByText('Paired by name and path').waitFor();
    await page.getByRole('button', { name: 'Pair by Path' }).click();
    await waitForMessage(page, 'pairDoubtful');
    await page.getByText('All images have a partner.').waitFor();
    await page.getByRole('button', { name: 'Undo Pairing' }).click();
    await page.getByLabel('Partner of annotated_1.png in B').selectOption({ index: 2 });
    await waitForMessage(page, 'pairImages');
    deepEqual(await sentMessages(page, 'pairImages'), [{ a: 6, b: 7 }]);
    await page.getByText('Paired by You').waitFor();
    await page.getByText('Paired by You').scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Undo Pairing' }).click();
    await waitForMessage(page, 'undoPairing');
    await page.getByLabel('Partner of annotated_1.png in B').waitFor();
    await page.getByLabel('Classes').selectOption('each');
    await page.getByLabel('Class of B for "Mitotic"').selectOption({ label: 'None' });
    await idle(page);
    deepEqual((await sentMessages(page, 'compareAgain')).at(-1), {
      classes: 'each',
      classPairs: [{ a: 'Nucleus', b: 'Nucleus' }],
      region: null,
    });
  }),

  comparison('pairing-many', both, { unpaired: 4000 }, async page => {
    const options = async () => await page.locator('option').count();
    ok((await options()) < 500, `${await options()} options are made before anyone turns to a list`);
    // All can be reached.
    const search = page.getByRole('searchbox', { name: 'Filter images without a partner' });
    await search.scrollIntoViewIfNeeded();
    await search.fill('ANNOTATED_39');
    await page.getByText('and 61 more').waitFor();
    await search.press('Tab');
    const partner = page.getByLabel('Partner of annotated_39.png in B');
    await partner.and(page.locator(':focus')).waitFor();
    equal(await partner.locator('option').count(), 4001);
    // Arrows go through the list; only Enter selects.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    equal(await partner.inputValue(), '-1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByText('Press Enter to compare.').waitFor();
    deepEqual(await sentMessages(page, 'pairImages'), []);
    await page.keyboard.press('Enter');
    await waitForMessage(page, 'pairImages');
    deepEqual(await sentMessages(page, 'pairImages'), [{ a: 44, b: 7 }]);
    // The next image is the next one to be paired.
    await page.getByLabel('Partner of annotated_390.png in B').and(page.locator(':focus')).waitFor();
    // In the open list, too.
    for (const key of ['Space', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.getByLabel('Partner of annotated_391.png in B').and(page.locator(':focus')).waitFor();
    deepEqual((await sentMessages(page, 'pairImages')).at(-1), { a: 395, b: 6 });
    await page.getByText('Paired by You').waitFor();
    ok((await options()) < 4500, `${await options()} options are made while one list is in use`);
    await search.press('Escape');
    equal(await search.inputValue(), '');

    ok((await options()) < 500, `${await options()} options are left`);
  }),

  comparison('without-class', both, { isWithoutClass: true }, async page => {
    await page.keyboard.press('n');
    await page.locator('.object-facts').waitFor();
    match(await page.locator('.object-facts').innerText(), /^A \d+\n+\d+ px²$/m);
    await page.getByLabel('Classes').selectOption('each');
    // Objects without a class can't be within several.
    await page.getByText('Objects of A have no class, so they are matched whatever the class.').waitFor();
    await page.getByText('Class of A → class of B').waitFor();
    await page.getByLabel('Class of B for "No class"').selectOption({ label: 'Nucleus' });
    await page.getByText('counted as only A or only B: B: Mitotic').waitFor();
    await page.getByRole('rowheader', { name: 'No class – Nucleus' }).scrollIntoViewIfNeeded();
  }),

  comparison('classes-alone', both, { hasUnknownClasses: true }, async page => {
    await page.getByLabel('Classes').selectOption('each');
    await page.getByText('counted as only A or only B: A: Apoptotic, B: Debris').scrollIntoViewIfNeeded();
    equal(await page.getByLabel('Class of B for "Apoptotic"').inputValue(), '-1');
  }),

  comparison('labels', both, { isWithoutClass: true }, async page => {
    await page.getByLabel('Classes').selectOption('each');
    await page.getByText('Objects of A have no class').waitFor();
    await page.getByRole('button', { name: 'Make Each Area an Object' }).click();
    await waitForMessage(page, 'separateAreas');
    deepEqual(await sentMessages(page, 'separateAreas'), [{ separates: true }]);
  }),

  // Its outline is white.
  comparison('hovered', both, { isHovered: true }),

  comparison('image', both, { suggested: true }, async page => {
    await page.getByRole('button', { name: 'Use as Background' }).click();
    await page.getByText('nuclei_001.tif: Uploaded from this file').waitFor();
    await page.keyboard.press('i');
    equal(await page.getByRole('checkbox', { name: 'Image (I)' }).isChecked(), false);
    equal(await page.getByText('Uploaded from this file').count(), 0);
    await page.keyboard.press('i');
    await page.getByRole('button', { name: 'Use as Background' }).click();
    await page.getByText('Uploaded from this file').waitFor();
    deepEqual(
      (await sentMessages(page, 'imageBeneath')).map(sent => (sent as { by: string }).by),
      ['find', 'confirm', 'find', 'confirm'],
    );
    await page.keyboard.press('o');
  }),

  comparison('region', both, {}, async page => {
    await page.keyboard.press('l');
    const box = await page.locator('canvas').boundingBox();
    if (!box) throw new Error('No image');
    const at = (x: number, y: number): [number, number] => [box.x + x * box.width, box.y + y * box.height];
    await page.mouse.move(...at(0.2, 0.3));
    await page.mouse.down();
    for (const [x, y] of [
      [0.7, 0.25],
      [0.75, 0.7],
      [0.3, 0.75],
    ] as const)
      await page.mouse.move(...at(x, y), { steps: 8 });
    await page.mouse.up();
    await waitForMessage(page, 'compareAgain');
    await page.getByText('Only the region is judged, in every image').waitFor();
  }),

  comparison(
    'narrow',
    both,
    { unpaired: 2 },
    async page => {
      await page.keyboard.press('n');
      await page.locator('.object-facts').waitFor();
      for (const name of ['Save Comparison…', 'Pairs Table', 'Keyboard Shortcuts'])
        await page.getByRole('button', { name }).click({ trial: true });
    },
    { width: 540, height: 800 },
  ),

  comparison('empty', both, { images: 0, unpaired: 2 }, async page => {
    await page.getByRole('heading', { name: 'No image was compared' }).waitFor();
    await page.getByLabel('Partner of annotated_1.png in B').click({ trial: true });
  }),

  comparison('failed', ['dark'], { fails: true }, async page => {
    await page.getByRole('button', { name: 'Try Again' }).waitFor();
  }),
];
