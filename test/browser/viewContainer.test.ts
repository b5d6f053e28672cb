import * as assert from 'node:assert/strict';
import { inThemes, useWorkbench } from './useWorkbench';

inThemes(['light', 'dark'], 'The Image Analysis container', theme => {
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
});
