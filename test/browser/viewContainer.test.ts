import * as assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { MAX_PACKAGE_BYTES } from '../../scripts/packageExtension.mjs';
import { until } from './until';
import { inThemes, useWorkbench } from './useWorkbench';

inThemes(['dark', 'light'], 'The Image Analysis container', theme => {
  const suite = useWorkbench({ theme });

  it('opens from the activity bar, and offers to sign in or to try the sample service', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    const welcome = workbench.page.locator('.part.sidebar .welcome-view-content');
    await welcome.first().waitFor();
    // Both are buttons to a screen reader; one of them is a link to the eye.
    assert.deepEqual(await welcome.locator('.monaco-button').allInnerTexts(), ['Sign In']);
    assert.deepEqual(await welcome.locator('.monaco-link').allInnerTexts(), ['Try the sample service']);
    for (const view of ['Pipelines', 'Jobs']) await workbench.tree(view).root.waitFor({ state: 'hidden' });
    await workbench.screenshot('container');
  });

  it('shows no unrequested notification', async () => {
    assert.deepEqual(await suite.workbench.notifications(), []);
  });

  it('is a package of at most 2.6 MB', async () => {
    const { size } = await stat(process.env['IA_VSIX'] ?? '');
    assert.ok(size <= MAX_PACKAGE_BYTES, `${size} bytes`);
  });

  it('has a README in the view of extensions whose links lead somewhere', async () => {
    const { workbench } = suite;
    await workbench.runCommand('Extensions: Show Installed Extensions');
    await workbench.page
      .locator('.extensions-viewlet .extension-list-item', { hasText: 'Image Analysis' })
      .click();
    const readme = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await readme.getByRole('heading', { name: 'Image Analysis for VS Code' }).waitFor();
    const links = readme.getByRole('link');
    const targets = await links.evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''));
    assert.ok(targets.length > 7);
    for (const target of targets) {
      if (target.startsWith('https:')) continue;
      assert.match(target, /^#/);
      // VS Code drops the anchors of headings that are called like something of every page, such as "Images".
      assert.equal(await readme.locator(`[id="${target.slice(1)}"]`).count(), 1, target);
    }
    assert.equal(await readme.locator('img').count(), 0);
    await workbench.screenshot('readme');
    // The list of pages has it first; other pages link to parts of it.
    await readme.getByRole('link', { name: 'Automation' }).first().click();
    const top = () => readme.locator('#automation').evaluate(heading => heading.getBoundingClientRect().top);
    await until(async () => Math.abs(await top()) < 100);
    await workbench.screenshot('readme-automation');
  });
});
