import assert from 'node:assert/strict';
import { folderToSaveIn, proposedFileName } from '../../../../src/results/node/saveFile';

describe('The name that is proposed for a file', () => {
  const proposed = (names: Record<string, string>) => {
    for (const [name, expected] of Object.entries(names)) assert.equal(proposedFileName(name), expected);
  };

  it('is that of the result where that is plain', () => {
    for (const name of ['plate_7-filtered.csv', 'a.ome.png', 's1+s2.csv'])
      assert.equal(proposedFileName(name), name);
  });

  it('has no spaces, dashes and signs, which scripts and shells take for something else', () => {
    proposed({
      'control, treated_objects.csv': 'control_treated_objects.csv',
      'nuclei-touching – Bright objects-filtered.csv': 'nuclei-touching_Bright_objects-filtered.csv',
      'A vs. B & "C" (1).png': 'A_vs._B_C_1.png',
      "it's $HOME; 100 %.csv": 'it_s_HOME_100.csv',
      'a – b.csv': 'a_b.csv',
      'p7–p9.csv': 'p7-p9.csv',
    });
  });

  it('is ASCII as far as its letters have a spelling there, and keeps letters of other scripts', () => {
    proposed({
      'Größe µm².png': 'Grosse_um2.png',
      'Ærø Łódź naïve.csv': 'AEro_Lodz_naive.csv',
      // Decomposed, as macOS names files.
      'e\u0301te\u0301.csv': 'ete.csv',
      'نامه‌ها.csv': 'نامه‌ها.csv',
      '細胞 が.csv': '細胞_が.csv',
      '한국 셀.csv': '한국_셀.csv',
      '👩‍🔬 view.png': 'view.png',
    });
  });

  it('looks like what it is', () => {
    // With the control of direction it would be shown as "gnp.vsc-view.png".
    proposed({
      '\u202egnp.view-csv.png': 'gnp.view-csv.png',
      'a\u200b\u2066b\u2069\ufeff\u00ad.csv': 'ab.csv',
      '\u{e0061}\u{e0062}.csv': '_.csv',
    });
  });

  it('names no folder and nothing that a system refuses', () => {
    proposed({
      '../a/b:c*?.csv': 'a_b_c.csv',
      '=cmd.csv': 'cmd.csv',
      '+cmd.csv': '_+cmd.csv',
      '-rf.csv': 'rf.csv',
      'line\nbreak\u0000.csv': 'line_break.csv',
      'nul.csv': '_nul.csv',
      '.csv': '_.csv',
    });
  });

  it('has its extension however long it is', () => {
    const name = proposedFileName(`${'漢'.repeat(300)}.csv`);
    assert.match(name, /^漢+\.csv$/);
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
