import * as assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { decodePng } from '../../src/images/decodePng';
import type { FakeMasksOptions } from './preview/fakeMasksPanel';
import { sentMessages, waitForMessage } from './preview/previewPages';
import { everyTheme } from './preview/scene';
import type { ThemeName } from './preview/themes';
import { until } from './until';
import { usePreview } from './usePreview';

/** Small, as painting images is most of what these tests cost. */
const plate = { images: 4, width: 696, height: 520, cells: 250, backgroundImage: 'fluorescence' } as const;
/** Larger than the panel that shows it. */
const large = { width: 1392, height: 1040, cells: 500 } as const;
const wide = { width: 1280, height: 800 };

describe('The masks page', () => {
  const suite = usePreview(['masks', 'table'], { scrollBars: true });

  const open = async (
    options: Partial<FakeMasksOptions> = {},
    size: { width: number; height: number } = wide,
    theme: ThemeName = 'dark',
  ): Promise<Page> => {
    return await suite.open({ page: 'masks', options: { ...plate, ...options }, size }, theme);
  };
  const boxOf = async (of: Locator) => {
    const box = await of.boundingBox();
    assert.ok(box);
    return { ...box, right: box.x + box.width, bottom: box.y + box.height };
  };
  const select = async (page: Page) => {
    await page.evaluate("panel.endpoint.send('selected', { image: 0, object: 210 })");
    await page.getByRole('heading', { name: 'Selected object' }).waitFor();
  };
  const resizer = (page: Page) => page.getByRole('separator', { name: 'Resize Details' });

  it('has its inspector where it leaves the larger image, and remembers where the divider was', async () => {
    const page = await open();
    const [stage, inspector] = [page.locator('.stage'), page.locator('.inspector')];
    assert.ok((await boxOf(inspector)).x >= (await boxOf(stage)).right);
    const { width } = await boxOf(inspector);
    await resizer(page).press('Shift+ArrowLeft');
    assert.equal((await boxOf(inspector)).width, width + 80);
    await page.setViewportSize({ width: 500, height: 900 });
    await page.locator('.masks-split.below').waitFor();
    assert.ok((await boxOf(inspector)).y >= (await boxOf(stage)).bottom);
    const { height } = await boxOf(inspector);
    await resizer(page).press('ArrowUp');
    assert.equal((await boxOf(inspector)).height, height + 16);

    await page.reload();
    await waitForMessage(page, 'shown');
    assert.equal((await boxOf(inspector)).height, height + 16);
    await page.setViewportSize(wide);
    await page.locator('.masks-split:not(.below)').waitFor();
    assert.equal((await boxOf(inspector)).width, width + 80);
  });

  it('shows images that cannot be told apart beside the paths of the table, and links each by one click, which is undone', async () => {
    const page = await open({ images: 12, sameNames: true });
    await page.getByRole('button', { name: 'Link Images…' }).click();
    const masks = page.locator('.image-link-masks canvas');
    await until(async () => (await masks.count()) === 2);
    await page.getByRole('button', { name: 'Show nuclei_006.tif' }).last().click();
    await page.getByText('12 of 12').waitFor();
    const sent = async () => (await sentMessages(page, 'linkImages')).at(-1);
    const name = 'Link nuclei_006.tif to Plate 3/washed/nuclei_006.tif';
    await page.getByRole('button', { name }).last().click();
    const linked = { image: 'image-11', path: 'Plate 3/washed/nuclei_006.tif' };
    await page.getByRole('heading', { name: '2 images not linked' }).waitFor();
    assert.deepEqual(await sent(), [linked]);
    await page.getByRole('button', { name: 'Undo the link of nuclei_006.tif' }).click();
    await page.getByRole('heading', { name: '3 images not linked' }).waitFor();
    assert.deepEqual(await sent(), [{ ...linked, path: null }]);
    await page.getByRole('button', { name: 'Accept All 2 Suggestions' }).click();
    await page.getByRole('heading', { name: '1 image not linked' }).waitFor();
  });

  it('measures an object in one block, with what the table adds, and a warning where it contradicts', async () => {
    const page = await open();
    await select(page);
    await page.getByText('Same in the table: Object ID, Class').waitFor();
    assert.equal(await page.locator('.section.object, .section.row').count(), 2);
    assert.deepEqual(await page.locator('.row-cells dt').allInnerTexts(), [
      'Image origin',
      'Area',
      'Perimeter',
      'Feret Diameter Maximum',
    ]);
    const contradictions = page.locator('.row-cells dd.warning');
    assert.equal(await contradictions.count(), 1);
    assert.match(await contradictions.innerText(), /^314\.25/);
    assert.match((await contradictions.getAttribute('title')) ?? '', /mask/);
  });

  it('has nothing jump below an object that is no longer selected', async () => {
    const page = await open();
    await select(page);
    const object = page.locator('.section.object');
    const { height } = await boxOf(object);
    await page.locator('canvas.masks-canvas').press('Escape');
    await page.getByText('Hover over an object').first().waitFor();
    assert.equal((await boxOf(object)).height, height);
  });

  it('shows the image under the masks in thumbnails', async () => {
    const page = await open({ images: 2 });
    await page.waitForFunction(
      () => {
        // But for the edge, where pixels are covered in part.
        const isCovered = (canvas: HTMLCanvasElement) => {
          const context = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
          context?.drawImage(canvas, 0, 0);
          const { data = [] } = context?.getImageData(4, 4, canvas.width - 8, canvas.height - 8) ?? {};
          return [...data].every((value, at) => at % 4 !== 3 || value === 255);
        };
        const canvases = [...document.querySelectorAll<HTMLCanvasElement>('.strip-thumbnail canvas')];
        return canvases.length === 2 && canvases.every(isCovered);
      },
      undefined,
      { polling: 200 },
    );
  });

  it('sorts and filters the list of images, and the way through it', async () => {
    const page = await open({ images: 12 });
    const listed = () => page.locator('.strip-row .cut-parts').allTextContents();
    await page.getByRole('button', { name: 'Sort Images' }).click();
    await page.getByRole('menuitemradio', { name: 'Fewest Objects First' }).click();
    await page.getByRole('searchbox', { name: 'Filter images' }).fill('00');
    await page.getByText('2 of 9').waitFor();
    const names = ['005', '001', '002', '004', '006', '007', '008', '009', '003'];
    assert.deepEqual(
      await listed(),
      names.map(name => `nuclei_${name}.tif`),
    );
    await page.getByRole('button', { name: 'Next Image' }).click();
    await page.getByRole('heading', { name: 'nuclei_002.tif' }).waitFor();
    await page.getByRole('button', { name: 'Sort Images' }).click();
    await page.getByRole('menuitemradio', { name: 'By Folder and Name' }).click();
    await page.getByRole('searchbox', { name: 'Filter images' }).fill('');
    await page.getByText('2 of 12').waitFor();
    assert.equal((await listed())[0], 'nuclei_001.tif');
  });

  it('has whole counts in the list of images, beside a warning too', async () => {
    const page = await open({ cells: 1200 });
    await page.evaluate('panel.filter(true)');
    await page.locator('.strip-row').first().getByText('600 of 1,200 objects').waitFor();
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.strip-count')].filter(
        count => count.scrollWidth > count.clientWidth || count.scrollHeight > count.clientHeight,
      ),
    );
    assert.deepEqual(cut, []);
  });

  it('has the end of the name of an image, and a list as wide as the panel, in the narrowest one', async () => {
    const page = await open({}, { width: 200, height: 400 });
    const title = page.locator('.toolbar-title');
    assert.equal(await title.locator('.cut-parts').textContent(), 'nuclei_001.tif');
    assert.ok((await boxOf(title.locator('.cut-end'))).right <= (await boxOf(title)).right);
    await page.getByRole('button', { name: 'Images', exact: true }).click();
    assert.ok((await boxOf(page.locator('.strip'))).right <= 200);
  });

  it('has an overview of at most a fifth of the width, off the scale and color bars, and none in narrow panels', async () => {
    const page = await open({ ...large, images: 1 });
    await page.locator('#color-by').selectOption({ label: 'Area' });
    await page.getByRole('button', { name: 'Hide Details' }).click();
    const canvas = page.locator('canvas.masks-canvas');
    const overview = page.locator('canvas.minimap');
    for (const width of [1280, 760, 600, 520, 500]) {
      await page.setViewportSize({ width, height: 500 });
      await canvas.press('1');
      await overview.waitFor();
      // Without its border; it is resized with the next frame of the stage.
      await page.waitForFunction(() => {
        const [box, stage] = ['canvas.minimap', '.stage'].map(name => document.querySelector(name));
        return box && stage && box.clientWidth <= stage.clientWidth / 5 + 0.5;
      });
      const box = await boxOf(overview);
      for (const legend of await page.locator('.stage-legend').all()) {
        const { right, y } = await boxOf(legend);
        assert.ok(right <= box.x || y >= box.bottom, `${width}`);
      }
    }
    await page.setViewportSize({ width: 480, height: 500 });
    await overview.waitFor({ state: 'hidden' });
  });

  it('has an overview that only the primary button moves the view with', async () => {
    const page = await open({ ...large, images: 1 });
    await page.locator('canvas.masks-canvas').press('1');
    const overview = page.locator('canvas.minimap');
    const stage = await boxOf(page.locator('.stage'));
    /** The pixel of the image in the middle of the stage. */
    const middle = async () => {
      await page.mouse.move(stage.x + stage.width / 2, stage.y + stage.height / 2);
      const pointer = page.locator('.status-item.pointer', { hasText: 'x ' });
      return (await pointer.textContent())?.match(/\d+/g)?.map(Number) ?? [];
    };
    const before = await middle();
    const press = async (button: 'left' | 'right' | 'middle') => {
      await overview.click({ button, position: { x: 20, y: 20 } });
      if (button === 'right') await page.keyboard.press('Escape');
    };
    await press('right');
    await press('middle');
    assert.deepEqual(await middle(), before);
    await press('left');
    assert.notDeepEqual(await middle(), before);
  });

  for (const theme of everyTheme) {
    it(`has a line of one pixel between the image and a neutral backdrop: ${theme}`, async () => {
      const page = await open({ images: 1, backgroundImage: 'bright-field' }, wide, theme);
      await page.getByText('Uploaded from this file').waitFor();
      const stage = await boxOf(page.locator('.stage'));
      // From the backdrop into the image, which fits the panel.
      const clip = { x: stage.x, y: stage.y + stage.height / 2, width: 40, height: 1 };
      const { width, samples } = decodePng(await page.screenshot({ clip }), 'edge.png', 1e6);
      const channels = samples.length / width;
      const colors = Array.from({ length: width }, (_, x) =>
        [...samples.slice(x * channels, x * channels + 3)].join(' '),
      );
      const [backdrop = ''] = colors;
      const [red, ...others] = backdrop.split(' ');
      assert.ok(
        others.every(each => each === red),
        backdrop,
      );
      const edge = colors.findIndex(each => each !== backdrop);
      assert.ok(edge > 0);
      assert.notEqual(colors[edge + 1], colors[edge]);
      assert.notEqual(colors[edge + 1], backdrop);
    });
  }

  it('keeps the image in view when it is moved', async () => {
    const page = await open({ ...large, images: 1 });
    const canvas = page.locator('canvas.masks-canvas');
    await canvas.press('1');
    for (let i = 0; i < 40; i++) await canvas.press('Shift+ArrowRight');
    const { x, y, width, height } = await boxOf(canvas);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.locator('.status-item.pointer', { hasText: /x [\d,]+, y [\d,]+/ }).waitFor();
  });

  for (const [gesture, interrupt] of [
    ['zoomed', "dispatchEvent(new KeyboardEvent('keydown', { key: '+', bubbles: true }))"],
    ['resized', "closest('.stage').style.marginRight = '40px'"],
  ] as const)
    it(`brings a selected object into view, also where it is ${gesture} on the way there`, async () => {
      // Shown whole in a small panel the object is tiny: the move zooms to it.
      const page = await open({}, { width: 500, height: 900 });
      await page.evaluate(`new Promise(resolve => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          document.querySelector('canvas.masks-canvas').${interrupt};
          resolve();
        });
        // Its text changes with the first step of the move.
        observer.observe(document.querySelector('.scale-bar'), { subtree: true, childList: true, characterData: true });
        panel.endpoint.send('selected', { image: 0, object: 210 });
      })`);
      const object = page.locator('.section.object');
      await object.getByText('211').first().waitFor();
      const canvas = page.locator('canvas.masks-canvas');
      await canvas.press('Escape');
      await object.getByText('Hover over an object').first().waitFor();
      await canvas.press('Enter');
      await object.getByText('211').first().waitFor();
    });

  it('colors by Viridis, Turbo or Grays, with a bar on the image', async () => {
    const page = await open({ images: 1 });
    await page.locator('#color-by').selectOption({ label: 'Area' });
    await page.locator('#color-map').waitFor();
    assert.deepEqual(await page.locator('#color-map option').allInnerTexts(), ['Viridis', 'Turbo', 'Grays']);
    const bar = page.locator('.color-bar-line');
    const seen = new Set<string>();
    for (const name of ['Viridis', 'Turbo', 'Grays']) {
      await page.locator('#color-map').selectOption({ label: name });
      seen.add(await bar.evaluate(node => getComputedStyle(node).backgroundImage));
    }
    assert.equal(seen.size, 3);
    const [stage, shown] = [await boxOf(page.locator('.stage')), await boxOf(page.locator('.color-bar'))];
    assert.ok(shown.x > stage.x && shown.right < stage.right && shown.bottom < stage.bottom);
  });

  it('colors by class where the values of a column fail to load, and lets the user try again', async () => {
    const page = await open({ images: 1, backgroundImage: 'missing' });
    const [canvas, bar] = [page.locator('canvas.masks-canvas'), page.locator('.color-bar')];
    const choice = page.locator('#color-by');
    const failures = async () => (await sentMessages(page, 'failure')).length;
    await page.locator('.legend-row').first().waitFor();
    const byClass = await canvas.screenshot();
    // Masks have measurements of the same names.
    const ofTable = choice.locator('optgroup[label="Table columns"]');
    const columnNamed = async (name: string) =>
      (await ofTable.locator('option', { hasText: name }).first().getAttribute('value')) ?? '';
    await choice.selectOption(await columnNamed('Area'));
    await bar.getByText('Area').waitFor();
    assert.notDeepEqual(await canvas.screenshot(), byClass);

    await page.evaluate('panel.failValues(true)');
    await choice.selectOption(await columnNamed('Perimeter'));
    const section = page.locator('.section', { has: choice });
    await section.getByRole('alert').getByText("Couldn't load the values: masks.zip is damaged").waitFor();
    assert.equal(await bar.isVisible(), false);
    await until(async () => (await canvas.screenshot()).equals(byClass));
    assert.equal(await failures(), 1);

    const retry = section.getByRole('button', { name: 'Try Again' });
    await retry.focus();
    await retry.press('Enter');
    await until(async () => (await failures()) === 2);
    assert.ok(await retry.evaluate(node => node === document.activeElement));
    await page.evaluate('panel.failValues(false)');
    await retry.press('Enter');
    await bar.getByText('Perimeter').waitFor();
    await retry.waitFor({ state: 'hidden' });
    assert.ok(await choice.evaluate(node => node === document.activeElement));
  });

  it('says where the pointer is in µm too, where pixels have a size', async () => {
    const page = await open({ ...large, images: 1 });
    await page.getByText('0.325 µm per pixel').waitFor();
    await page.locator('canvas.masks-canvas').press('1');
    const canvas = await boxOf(page.locator('canvas.masks-canvas'));
    await page.mouse.move(canvas.x + 100, canvas.y + 100);
    const pointer = page.locator('.status-item.pointer');
    await pointer.getByText('x ').waitFor();
    const [x = 0, y = 0] = ((await pointer.textContent()) ?? '').match(/\d+/g)?.map(Number) ?? [];
    const words = await page.locator('.status-item.pointer + .status-item').textContent();
    const [, across, down] = /^([\d.]+), ([\d.]+) µm$/.exec(words ?? '') ?? [];
    // Within the pixel, and to a tenth of a micron.
    for (const [microns, pixel] of [
      [across, x],
      [down, y],
    ] as const) {
      assert.match(microns ?? '', /\.\d$/);
      assert.ok(Math.abs(Number(microns) / 0.325 - (pixel + 0.5)) <= 0.5 + 0.05 / 0.325, words ?? '');
    }

    const unknown = await open({ ...large, images: 1, backgroundImage: 'missing' });
    await unknown.mouse.move(canvas.x + 400, canvas.y + 400);
    await unknown.locator('.status-item.pointer').getByText('x ').waitFor();
    assert.equal(await unknown.getByText('µm').count(), 0);
    // Without the pointer, which stays where it is.
    await unknown.getByRole('button', { name: 'Set Pixel Size' }).dispatchEvent('click');
    await unknown.locator('.status-item.pointer + .status-item', { hasText: 'µm' }).waitFor();
  });

  it('says how far the image shown was read, not another one', async () => {
    const page = await open({ images: 12, backgroundImage: 'loading' });
    await page.getByText('37%').waitFor();
    await page.locator('canvas.masks-canvas').press(']');
    await page.getByText('2 of 12').waitFor();
    await page.getByText('37%').waitFor();
    const progress = (image: number, done: number) =>
      page.evaluate(
        `panel.endpoint.send('backgroundImageProgress', ${JSON.stringify({ image, done, total: 8 })})`,
      );
    await progress(1, 4);
    await page.getByText('50%').waitFor();
    await progress(0, 7);
    await page.evaluate('panel.filter(true)');
    await page.getByText('Filtered by the table').waitFor();
    assert.equal(await page.getByText('50%').count(), 1);
  });

  it('keeps the contrast of an image while others are shown', async () => {
    const page = await open({ images: 2 });
    const canvas = page.locator('canvas.masks-canvas');
    const low = page.getByRole('textbox', { name: 'Minimum' }).first();
    const shows = (value: string) =>
      page.waitForFunction(
        ([wanted]) => document.querySelector<HTMLInputElement>('.channel .clip-value')?.value === wanted,
        [value],
      );
    await low.waitFor();
    const own = await low.inputValue();
    await low.fill('123');
    await low.press('Enter');
    await canvas.press(']');
    await page.getByText('2 of 2').waitFor();
    await shows(own);
    await canvas.press('[');
    await shows('123');
    // An end beyond the samples moves neither them nor the other end on the histogram.
    const slider = page.getByRole('slider', { name: 'Minimum' }).first();
    const at = await slider.inputValue();
    const high = page.getByRole('textbox', { name: 'Maximum' }).first();
    await high.fill('20000');
    await high.press('Enter');
    await canvas.press(']');
    await shows(own);
    await canvas.press('[');
    await shows('123');
    assert.equal(await slider.inputValue(), at);
  });

  it('shows the row of the selected object once rows are linked', async () => {
    const page = await open({ choosesTable: true });
    await select(page);
    assert.ok(await page.locator('.section.row').isHidden());
    await page.evaluate('panel.link()');
    await page.getByText('Same in the table: Object ID, Class').waitFor();
  });

  it('comes back as it was left: with its view, its contrast, and its masks hidden', async () => {
    const page = await open({ ...large, images: 2 });
    const canvas = page.locator('canvas.masks-canvas');
    const low = page.getByRole('textbox', { name: 'Minimum' }).first();
    const masks = page.getByRole('button', { name: /^(Hide|Show) Masks/ });
    /** What was saved of the view, with what happened until now. */
    const saved = async (): Promise<unknown> => {
      const before = await page.evaluate(() => sessionStorage.getItem('state')?.includes('"minimap":false'));
      await page.keyboard.press('m');
      await page.waitForFunction(
        ([wanted]) => sessionStorage.getItem('state')?.includes(`"minimap":${wanted}`),
        [before ? 'true' : 'false'],
      );
      const state = await page.evaluate(() => sessionStorage.getItem('state') ?? '');
      return (JSON.parse(state) as { view: { view: unknown } }).view.view;
    };
    await select(page);
    await page.evaluate(`sessionStorage.setItem('selected', '{ "image": 0, "object": 210 }')`);
    await low.fill('123');
    await low.press('Enter');
    const shown = await masks.getAttribute('aria-label');
    await masks.click();
    const hidden = await masks.getAttribute('aria-label');
    assert.notEqual(hidden, shown);
    for (const key of ['1', '+', '+']) await canvas.press(key);
    for (let step = 0; step < 20; step++)
      for (const key of ['Right', 'Down']) await canvas.press(`Shift+Arrow${key}`);
    const left = await saved();
    assert.ok(left);
    await page.reload();
    // Though no mask is painted.
    await waitForMessage(page, 'shown');
    await page.getByRole('heading', { name: 'Selected object' }).waitFor();
    // Where its measurements are, its box is too.
    await page.getByText('Same in the table').waitFor();
    assert.deepEqual(await saved(), left);
    assert.equal(await masks.getAttribute('aria-label'), hidden);
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('.channel .clip-value')?.value === '123',
    );
  });

  it('has the color of its class beside the selected object, also once it is another one', async () => {
    const page = await open();
    await select(page);
    const dot = page.locator('.class-value .dot');
    const before = await dot.evaluate(node => getComputedStyle(node).backgroundColor);
    const name = await page.locator('.class-value').innerText();
    await page.getByLabel(`Color of ${name}`).fill('#123456');
    assert.notEqual(before, 'rgb(18, 52, 86)');
    assert.equal(await dot.evaluate(node => getComputedStyle(node).backgroundColor), 'rgb(18, 52, 86)');
  });

  it('shows the image where its objects fail to load', async () => {
    const page = await open({ images: 1, objectsFail: true });
    await page.getByText("Couldn't load").first().waitFor();
    await page.getByText('0.325 µm per pixel').waitFor();
  });

  it('draws no region that ends with Esc', async () => {
    const page = await open();
    const canvas = await boxOf(page.locator('canvas.masks-canvas'));
    const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 2];
    await page.keyboard.press('r');
    const draw = async (keys: string[]) => {
      await page.mouse.move(x - 150, y - 150);
      await page.mouse.down();
      await page.mouse.move(x + 150, y + 150, { steps: 4 });
      for (const key of keys) await page.keyboard.press(key);
      await page.mouse.move(x + 160, y + 160);
      await page.mouse.up();
    };
    const tool = page.getByRole('button', { name: 'Select Objects with a Rectangle' });
    await draw(['Escape']);
    assert.equal(await tool.getAttribute('aria-pressed'), 'true');
    // It was drawn on the image before.
    await draw([']']);
    await draw([]);
    await page.getByRole('heading', { name: 'objects selected' }).waitFor();
    assert.equal((await sentMessages(page, 'selectRows')).length, 0);
    await page.getByRole('button', { name: 'Filter to Selection' }).click();
    await waitForMessage(page, 'selectRows');
    await page.getByText('Filtered to the selection:').first().waitFor();
  });

  it('takes typed ends of a scale range, also beyond the values, and puts back what is no number', async () => {
    const page = await open({ images: 1 });
    await page.locator('#color-by').selectOption({ label: 'Area' });
    const [low, high] = [
      page.getByRole('textbox', { name: 'Scale minimum' }),
      page.getByRole('textbox', { name: 'Scale maximum' }),
    ];
    await high.fill('5000');
    await high.press('Enter');
    const bar = page.locator('.color-bar-ends');
    await bar.getByText('5,000', { exact: true }).waitFor();
    await low.fill('about 3');
    await low.press('Enter');
    assert.notEqual(await low.inputValue(), 'about 3');
    await low.fill('200.5');
    await low.press('Enter');
    await bar.getByText('≤ 200.5').waitFor();
    // The slider of the other end leaves it as it was typed.
    await page.getByRole('slider', { name: 'Scale minimum' }).press('ArrowRight');
    await bar.getByText('≤ 200.5').waitFor({ state: 'detached' });
    assert.equal(await high.inputValue(), '5000');
    await page.getByRole('button', { name: 'Reset' }).click();
    await bar.getByText('5,000', { exact: true }).waitFor({ state: 'detached' });
  });

  it('leaves a number that is being typed when other values come, and puts back the one that holds on Esc', async () => {
    const page = await open({ images: 1 });
    await page.locator('#color-by').selectOption({ label: 'Area' });
    const high = page.getByRole('textbox', { name: 'Scale maximum' });
    await high.waitFor();
    const before = await high.inputValue();
    await high.fill('50');
    await page.locator('#color-map').evaluate((select: HTMLSelectElement) => {
      // As values do that arrive.
      select.value = 'turbo';
      select.dispatchEvent(new Event('change'));
    });
    assert.equal(await high.inputValue(), '50');
    await high.press('Escape');
    assert.equal(await high.inputValue(), before);
    await high.fill('5000');
    await high.press('Enter');
    assert.equal(await high.inputValue(), '5000');
  });

  it("can't zoom or save what is not there, where an image can't be read", async () => {
    const page = await open({ images: 12 });
    const canvas = page.locator('canvas.masks-canvas');
    await canvas.press(']');
    await canvas.press(']');
    await page.getByText("Couldn't read this image").waitFor();
    for (const name of ['Zoom In (+)', 'Fit to Panel (0 or F)', 'Save View as PNG… (S)', 'Pan (V)'])
      assert.ok(await page.getByRole('button', { name, exact: true }).isDisabled(), name);
    // The image before is no view of this one.
    for (const key of ['s', '+', ']']) await page.keyboard.press(key);
    await page.getByText('4 of 12').waitFor();
    assert.deepEqual(await sentMessages(page, 'saveView'), []);
    assert.ok(await page.getByRole('button', { name: 'Zoom In (+)' }).isEnabled());
    await page.locator('.zoom-level', { hasText: '%' }).waitFor();
  });

  it('calls the channels of an RGB image by their colors', async () => {
    const page = await open({ images: 1, backgroundImage: 'bright-field' });
    for (const name of ['Red', 'Green', 'Blue']) await page.getByRole('checkbox', { name }).waitFor();
  });

  it('has a button for exports with its word, also beside a table, and a lasso that is drawn as one', async () => {
    const masks = await open();
    for (const width of [1280, 560, 400]) {
      await masks.setViewportSize({ width, height: 700 });
      await masks.getByRole('button', { name: 'Export', exact: true }).getByText('Export').waitFor();
      const lasso = masks.getByRole('button', { name: 'Select Objects with a Lasso' });
      assert.equal(await lasso.locator('svg.drawn-icon ellipse').count(), 1);
      assert.equal(await lasso.locator('.codicon').count(), 0);
    }
    const page = await suite.open({
      page: 'table',
      options: { rowCount: 100, start: 'respond' },
      size: wide,
    });
    await page.getByRole('button', { name: 'Export', exact: true }).getByText('Export').waitFor();
  });

  it('shows no icon as a box while their font is on its way', async () => {
    const page = await open();
    const visibility = () =>
      page.evaluate(
        () => getComputedStyle(document.querySelector('.toolbar .codicon') ?? document.body).visibility,
      );
    let release = () => {};
    const released = new Promise<void>(resolve => (release = resolve));
    await page.route('**/codicon.ttf*', async route => {
      await released;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await page.locator('.toolbar .codicon').first().waitFor({ state: 'attached' });
    assert.equal(await visibility(), 'hidden');
    release();
    await page.locator('html.icons-loaded').waitFor({ state: 'attached' });
    assert.equal(await visibility(), 'visible');
  });

  it('has all buttons and all items of its status line within any panel', async () => {
    const page = await open({ ...large });
    await page.evaluate('panel.filter(true)');
    await page.getByText('250 of 500 objects shown').waitFor();
    for (const width of [1280, 761, 760, 640, 561, 560, 481, 480, 400, 341, 340, 300, 200]) {
      await page.setViewportSize({ width, height: 500 });
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll('.toolbar button, .toolbar-title, .status-item')]
          .map(node => node.getBoundingClientRect())
          .filter(box => box.width > 0 && (box.left < 0 || box.right > innerWidth)),
      );
      assert.deepEqual(outside, [], `${width}`);
    }
  });

  it('says how many rows are left whole or not at all', async () => {
    const page = await open({ ...large });
    await page.evaluate('panel.filter(true)');
    const rows = page.getByText('2,006 of 4,012 rows');
    const line = page.locator('.whole-words');
    await rows.waitFor();
    await page.getByText('250 of 500 objects shown').waitFor();
    for (const [width, isShown] of [
      [1280, true],
      [400, false],
    ] as const) {
      await page.setViewportSize({ width, height: 600 });
      const [words, room] = [await boxOf(rows), await boxOf(line)];
      assert.equal(words.y < room.bottom, isShown, `${width}`);
      assert.ok(!isShown || words.right <= room.right);
    }
  });

  it('shows what follows a long list of classes in a low inspector', async () => {
    const page = await open({ classes: 40 }, { width: 400, height: 800 });
    const heading = page.getByRole('heading', { name: 'Color by' });
    assert.ok((await boxOf(heading)).bottom <= (await boxOf(page.locator('.inspector'))).bottom);
  });

  it('keeps the reason why an image could not be read below the toolbar in a small panel', async () => {
    const page = await open({}, { width: 200, height: 300 });
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Next Image' }).click();
    const message = page.locator('.page-message > .codicon');
    await message.waitFor();
    assert.ok((await boxOf(message)).y >= (await boxOf(page.locator('.toolbar'))).bottom);
  });
});
