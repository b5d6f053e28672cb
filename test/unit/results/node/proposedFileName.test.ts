import assert from 'node:assert/strict';
import { folderToSaveIn, proposedFileName } from '../../../../src/results/node/saveFile';

describe('The name that is proposed for a file', () => {
  it('is that of the result where it is a valid one', () => {
    for (const name of ['Plate 7 objects.csv', 'Größe µm².png', 'نامه‌ها.csv', '👩‍🔬 view.png'])
      assert.equal(proposedFileName(name), name);
  });

  it('looks like what it is', () => {
    // With the control of direction it would be shown as "gnp.vsc-view.png".
    assert.equal(proposedFileName('\u202egnp.view-csv.png'), 'gnp.view-csv.png');
    assert.equal(proposedFileName('a\u200b\u2066b\u2069\ufeff\u00ad.csv'), 'ab.csv');
    assert.equal(proposedFileName('\u{e0061}\u{e0062}.csv'), '_.csv');
  });

  it('names no folder and nothing that a system refuses', () => {
    assert.equal(proposedFileName('../a/b:c*?.csv'), '_-a-b-c-.csv');
    assert.equal(proposedFileName('=cmd.csv'), '_=cmd.csv');
    assert.equal(proposedFileName('line\nbreak\u0000.csv'), 'line-break-.csv');
    assert.equal(proposedFileName('nul.csv'), '_nul.csv');
    assert.equal(proposedFileName('.csv'), '_.csv');
  });

  it('has its extension however long it is', () => {
    const name = proposedFileName(`${'ä'.repeat(300)}.csv`);
    assert.match(name, /^ä+\.csv$/);
    assert.ok(Buffer.byteLength(name) < 200);
  });
});

describe('The folder that is proposed for a file', () => {
  const folder = (scheme: string) => ({ uri: { scheme } });

  it('is the first of the workspace that is on a disk', () => {
    const disk = folder('file');
    assert.equal(folderToSaveIn([folder('vscode-vfs'), disk, folder('file')]), disk.uri);
  });

  it('is none where nothing could be written', () => {
    assert.equal(folderToSaveIn([folder('vscode-vfs')]), undefined);
    assert.equal(folderToSaveIn(undefined), undefined);
  });
});
