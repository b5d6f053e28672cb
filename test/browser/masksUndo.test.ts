import * as assert from 'node:assert/strict';
import { accessibilityFaults } from './accessibility';
import { sentMessages } from './preview/previewPages';
import { usePreview } from './usePreview';

describe('Undo in the masks page', () => {
  const suite = usePreview(['masks']);

  it('brings back classes, colors, contrast and pixel sizes by keys, in words, and after a reload', async () => {
    const page = await suite.open({
      page: 'masks',
      options: { images: 3, width: 700, height: 520, cells: 120, backgroundImage: 'fluorescence' },
      size: { width: 1280, height: 900 },
    });
    const says = (words: string) => page.locator('.status-line').getByText(words, { exact: true }).waitFor();
    const undo = async (words: string) => {
      await page.keyboard.press('Control+z');
      await says(`Undid: ${words}`);
    };
    const row = page.locator('.legend-row').first();
    const name = (await row.locator('.legend-name').textContent()) ?? '';
    await page.getByRole('button', { name: `Hide ${name}` }).click();
    const hidden = page.locator('.legend-row.hidden-class');
    await hidden.waitFor();
    const color = row.locator('input[type=color]');
    const before = await color.inputValue();
    await color.fill('#123456');
    await page.getByRole('button', { name: 'Outlines' }).click();
    // A color field has no text to undo: the key undoes what was clicked, from there too.
    await color.focus();
    await undo('Outlines');
    await undo(`Color of ${name}`);
    assert.equal(await color.inputValue(), before);
    assert.deepEqual((await sentMessages(page, 'classColors')).at(-1), { [name]: null });
    const low = page.getByRole('textbox', { name: 'Minimum' }).first();
    const shown = await low.inputValue();
    await low.fill('300');
    await low.press('Enter');
    await page.getByRole('button', { name: 'Change…' }).click();
    await says('Pixel size of 3 images changed');
    await page.locator('canvas.masks-canvas').focus();
    await undo('Set Pixel Size of 3 Images');
    const sizes = (await sentMessages(page, 'setPixelSizes')).at(-1) as Record<string, null>;
    assert.deepEqual([...new Set(Object.values(sizes))], [null]);
    assert.equal(Object.keys(sizes).length, 3);
    await undo('Change Contrast');
    assert.equal(await low.inputValue(), shown);
    // What was undone and what can be are kept over a reload.
    await page.reload();
    await hidden.waitFor();
    await page.keyboard.press('Control+Shift+z');
    await says('Redid: Change Contrast');
    await undo('Change Contrast');
    await undo(`Hide ${name}`);
    await hidden.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await says('Nothing to undo');
    // A text box undoes what was typed.
    await low.focus();
    await page.keyboard.press('Control+z');
    await page.evaluate("panel.endpoint.send('menuCommand', { command: 'redoInMasks' })");
    await says(`Redid: Hide ${name}`);
    await hidden.waitFor();
  });

  it('keeps a selection by its name, finds it again by a click, and brings it back', async () => {
    const page = await suite.open({
      page: 'masks',
      options: { images: 3, width: 700, height: 520, cells: 120, backgroundImage: 'fluorescence' },
      size: { width: 1280, height: 900 },
    });
    const says = (words: string | RegExp) => page.locator('.status-line').getByText(words).waitFor();
    // Shares of the area come once the objects of the image are there.
    await page.locator('.legend-share:not(:empty)').first().waitFor();
    await page.locator('canvas.masks-canvas').press('a');
    await page.getByRole('button', { name: 'Name Selection…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Name Selection' });
    await dialog.getByRole('button', { name: 'Name', exact: true }).click();
    await dialog.getByText('Type a name.').waitFor();
    await page.keyboard.type('In view');
    await page.keyboard.press('Enter');
    await says('Selection named “In view”');
    assert.equal((await sentMessages(page, 'saveSelections')).length, 1);
    assert.deepEqual(await accessibilityFaults(page, 'page-has-heading-one'), []);
    await page.getByRole('button', { name: 'Clear Selection' }).click();
    await page.getByRole('button', { name: 'Next Image' }).click();
    await page.getByRole('button', { name: 'In view', exact: true }).click();
    await says(/objects selected/);
    await page.getByRole('button', { name: 'Filter to Selection' }).waitFor();
    await page.getByRole('button', { name: 'Remove In view' }).click();
    const named = page.getByRole('button', { name: 'In view', exact: true });
    await named.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await says('Undid: Remove In view');
    await named.waitFor();
  });
});
