import * as assert from 'node:assert/strict';
import { inThemes, useWorkbench } from './useWorkbench';

inThemes(['light', 'dark'], 'The Image Analysis container', theme => {
  const suite = useWorkbench({ theme });

  it('opens from the activity bar with its three views', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    for (const view of ['Files', 'Pipelines', 'Jobs']) await workbench.tree(view).root.waitFor();
    await workbench.screenshot('container');
  });

  it('shows no unrequested notification', async () => {
    assert.deepEqual(await suite.workbench.notifications(), []);
  });
});
