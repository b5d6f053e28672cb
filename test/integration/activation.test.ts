import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('The extension in a real VS Code', () => {
  const extension = () => vscode.extensions.getExtension('image-analysis.image-analysis');

  it('is present', () => {
    assert.ok(extension());
  });

  it('activates without an error', async () => {
    await extension()?.activate();
    assert.equal(extension()?.isActive, true);
  });

  it('registers every command of its manifest', async () => {
    await extension()?.activate();
    const manifest = extension()?.packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands
      .map(({ command }) => command)
      .filter(id => !registered.has(id));
    assert.deepEqual(missing, []);
  });

  it('knows a command by its earlier name, as a program may call it', async () => {
    const run = (name: string) =>
      vscode.commands.executeCommand<{ path: string }>(`imageAnalysis.${name}`, {});
    assert.deepEqual(await run('openSamplePictures'), await run('openSampleImages'));
  });
});
