import * as assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import { hostElsewhere } from '../host/hostElsewhere';
import { image, index, rectangle, writeArchive } from '../unit/archives/engine/archives';
import { addressed } from '../host/servedHost';
import { attempts } from './attempts';
import { signInToSample, writeSampleImages } from './sampleFiles';
import { until } from './until';
import { useWorkbench } from './useWorkbench';
import { MasksView } from './views/masksView';
import { TableView } from './views/tableView';
import type { Workbench } from './workbench';

/*
 * The walk of somebody whose files have names as on Windows. On any host, and on one that IA_HOST
 * names, which may be on Windows itself (test/host/hostElsewhere.ts).
 */

const elsewhere = hostElsewhere();
const isWanted = elsewhere !== undefined || process.env['IA_FULL'] === '1';

/** Makes the path of the folder 200 characters long. */
const LONG = 'Größenänderung über Nacht, 2. Versuch ';
const longName = (folder: string) => LONG.padEnd(200 - folder.length - 2, 'und so weiter ').trimEnd() + 'ß';

/** In the folder of exports from the beginning. */
const LISTED = 'listed.csv';
const CRLF = 'Bild,Fläche\r\na.tif,1\r\nb.tif,2\r\n';
/** The same rows as they are saved on every system. */
const SAVED = CRLF.replaceAll('\r\n', '\n');

/** Names that Windows reserves, or cuts, of images in an archive. */
const RESERVED = ['con.csv', 'aux.tif', 'dot.tif.', 'space.tif ', 'Größe.tif', 'GRÖSSE.tif', 'größe.TIF'];

const MADE = ['exports', 'unfinished', 'by uri ä.csv', 'crlf.csv', 'utf-16.csv', 'reserved.zip', '.vscode'];

async function prepare(folder: string): Promise<void> {
  // What an earlier run left on a host that goes on, and nothing else that is there.
  for (const name of MADE) await rm(join(folder, name), { recursive: true, force: true });
  await rm(join(folder, longName(folder)), { recursive: true, force: true });
  assert.deepEqual(await readdir(folder), [], 'the folder of the host is for this test alone');
  await writeSampleImages(join(folder, longName(folder)), ['nuclei.png', 'nuclei-touching.png']);
  await mkdir(join(folder, 'exports'));
  await writeFile(join(folder, 'exports', LISTED), 'a\n1\n');
  await mkdir(join(folder, 'unfinished'));
  await writeFile(join(folder, 'unfinished', 'a Zelle ä.raw'), 'a');
  await writeFile(join(folder, 'unfinished', 'b.raw'), '');
  await truncate(join(folder, 'unfinished', 'b.raw'), 2 * 1024 ** 3);
  for (const name of ['crlf.csv', 'by uri ä.csv']) await writeFile(join(folder, name), CRLF);
  await writeFile(join(folder, 'utf-16.csv'), Buffer.from(`\ufeff${CRLF}`, 'utf16le'));
  const archive = await writeArchive({
    'index.json': index('Zelle'),
    ...Object.fromEntries(
      RESERVED.map((name, at) => [
        `${at}_objects.json`,
        image(String(at), 40, 30, [rectangle(1, 2, 2, 12, 12, 'Zelle')], name),
      ]),
    ),
  });
  await writeFile(join(folder, 'reserved.zip'), await readFile(archive.path));
  await archive.remove();
  await mkdir(join(folder, '.vscode'));
  await writeFile(
    join(folder, '.vscode', 'settings.json'),
    JSON.stringify({ 'imageAnalysis.uploads.concurrency': 1, 'imageAnalysis.jobs.pollingInterval': 1 }),
  );
}

const isShare = (path: string) => path.startsWith('\\\\');
/** Of a share, as \\server\share. */
const shareUri = (path: string) => `file:${encodeURI(path.replaceAll('\\', '/').replace(/\/$/, ''))}`;

/**
 * Has Ctrl+Shift with each key run a command of ours with an argument, as a person writes it into
 * VS Code's file of keys.
 */
async function bindKeys(
  workbench: Workbench,
  bindings: Record<string, { command: string; args: unknown }>,
): Promise<void> {
  const { page } = workbench;
  const lines = Object.entries(bindings).map(([key, { command, args }]) =>
    JSON.stringify({ key: `ctrl+shift+${key}`, command: `imageAnalysis.${command}`, args }),
  );
  await workbench.runCommand('Preferences: Open Keyboard Shortcuts (JSON)');
  await workbench.editorTab('keybindings.json').waitFor();
  await page.evaluate(text => navigator.clipboard.writeText(text), `[\n${lines.join(',\n')}\n]`);
  await page.locator('.monaco-editor .view-lines').last().click();
  for (const key of ['A', 'V']) await page.keyboard.press(`ControlOrMeta+${key}`);
  await page.locator('.view-line', { hasText: lines.at(-1) ?? '' }).waitFor();
  await page.keyboard.press('ControlOrMeta+S');
  await page.locator('.tab.dirty').waitFor({ state: 'detached' });
  await workbench.closeTab('keybindings.json');
}

function define(this: Mocha.Suite): void {
  // A host elsewhere may be slow.
  if (elsewhere) this.timeout(10 * 60_000);
  const suite = useWorkbench({ theme: 'light', prepare, elsewhere });

  /** A path below the workspace, as a person writes it there. */
  const onHost = (...names: string[]) =>
    elsewhere
      ? elsewhere.path.join(elsewhere.path.normalize(elsewhere.addressed.replace(/^\/(?=\w:)/, '')), ...names)
      : join(suite.folder, ...names);
  /** The URI of the workspace as the host writes it. */
  const folderUri = () => `file://${encodeURI(elsewhere?.addressed ?? addressed(suite.folder))}`;
  /** Whether names that differ only in case are the same to the host. */
  let ignoresCase = elsewhere?.path === win32;
  before(() => (ignoresCase ||= existsSync(join(suite.folder, 'EXPORTS'))));
  const table = async (title: string | RegExp) => new TableView(await suite.workbench.panel(title));
  const openTable = async (name: string) => {
    await suite.workbench.explorerMenu([name], 'Image Analysis', 'Open Table');
    return table(name);
  };
  const exported = async () =>
    (await readdir(join(suite.folder, 'exports'))).filter(name => name !== LISTED).sort();

  it('signs in to the sample service', async () => {
    await signInToSample(suite.workbench);
  });

  it('analyzes a folder with umlauts, spaces and 200 characters in its path', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await workbench.openContainer('Explorer');
    await workbench.explorer.menu(LONG.trim(), 'Analyze…');
    await quickInput.titled(`Analyze ${LONG.trim()}`);
    await quickInput.option('Bright objects').click();
    await quickInput.widget.getByText('Analyze 2 images and generate their masks').waitFor();
    await quickInput.enter('Größe & Fläche');
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of Größe & Fläche'));
    await masks.section('Background image').getByText('px,').waitFor();
    await masks.seeMasks();
  });

  it('sees the masks beside the table, and the object of a row', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    await workbench.tree('Jobs').menu('Größe & Fläche', 'Open Objects Table');
    const objects = await table('Objects of Größe & Fläche');
    await objects.showsRows(/[\d,]+ rows/);
    const masks = new MasksView(workbench.page, await workbench.panel('Masks of Größe & Fläche'));
    await masks.frame
      .getByText(/rows linked to masks/)
      .first()
      .waitFor();
    await objects.cell(4, 1).click();
    await masks.section('Object').getByText('Selected object').waitFor();
    await masks.measure('Table row').getByText('5', { exact: true }).waitFor();
  });

  it('is offered the rest of an upload that a reload interrupted', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Explorer');
    await workbench.explorer.menu('unfinished', 'Image Analysis', 'Upload…');
    await workbench.quickInput.titled('2 files');
    await workbench.quickInput.widget.getByRole('button', { name: 'OK' }).click();
    const uploading = workbench.notification('Uploading 2 files');
    await uploading.getByText('1 of 2 files').waitFor();
    await workbench.reloadWindow();
    await workbench.readNotification("wasn't uploaded because its window closed.");
    await truncate(join(suite.folder, 'unfinished', 'b.raw'), 1000);
    await workbench.clickInNotification("wasn't uploaded", 'Upload Again');
    await workbench.readNotification('Uploaded b.raw.');
    await workbench.clearNotifications();
  });

  for (const name of ['crlf.csv', 'utf-16.csv'])
    it(`opens ${name}, whose cells end before the ends of lines`, async () => {
      const opened = await openTable(name);
      await opened.showsRows('2 rows');
      await opened.reads(1, 0, 'b.tif');
      await opened.reads(1, 1, '2');
      await opened.header(1).getByText('Fläche', { exact: true }).waitFor();
    });

  it('saves rows onto a file whose name has another case, once that is confirmed', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    await writeFile(join(suite.folder, 'exports', 'Zeilen.CSV'), 'mine');
    const opened = await openTable('crlf.csv');
    await opened.button('Export').click();
    await quickInput.namePlace('crlf-copy.csv', onHost('exports', 'zeilen.csv'), LISTED);
    if (ignoresCase) {
      await quickInput.widget.getByText('already exists').waitFor();
      await quickInput.widget.getByRole('button', { name: 'OK' }).click();
    }
    await opened.notice('2 rows saved as zeilen.csv').waitFor();
    const names = await exported();
    assert.deepEqual(
      names.map(one => one.toLowerCase()),
      ignoresCase ? ['zeilen.csv'] : ['zeilen.csv', 'zeilen.csv'],
    );
    for (const one of names) {
      const text = await readFile(join(suite.folder, 'exports', one), 'utf8');
      assert.equal(text, ignoresCase || one === 'zeilen.csv' ? SAVED : 'mine');
    }
    for (const one of names) await rm(join(suite.folder, 'exports', one));
  });

  const other = elsewhere?.otherPaths ?? [];
  // VS Code's own dialog takes no share in a window whose host is elsewhere.
  const drives = other.filter(path => !isShare(path));
  for (const path of drives)
    it(`saves rows at ${path}`, async () => {
      const { workbench } = suite;
      const opened = await openTable('crlf.csv');
      await opened.button('Export').click();
      await workbench.quickInput.namePlace(
        'crlf-copy.csv',
        `${path.replace(/[\\/]$/, '')}\\exports\\there.csv`,
        LISTED,
      );
      await opened.notice('2 rows saved as there.csv').waitFor();
      assert.equal(await readFile(join(suite.folder, 'exports', 'there.csv'), 'utf8'), SAVED);
      await rm(join(suite.folder, 'exports', 'there.csv'));
    });
  if (drives.length === 0) it.skip('saves rows on a mapped drive (not here: IA_HOST_PATHS names none)');

  const exportReserved = async (format: string) => {
    const { quickInput } = suite.workbench;
    await suite.workbench.explorerMenu(['reserved.zip'], 'Image Analysis', 'Export Masks…');
    await quickInput.titled('Export Masks of reserved.zip');
    await quickInput.choose(format);
    await quickInput.option(RESERVED[0] ?? '').waitFor();
    await quickInput.widget.getByRole('button', { name: 'OK' }).click();
    await quickInput.titled('Choose an export folder');
    await quickInput.selectFolder(onHost('exports').replaceAll('\\', posix.sep), 'Export Here');
  };

  it('exports masks onto a file whose name has another case, once that is confirmed', async () => {
    const { workbench } = suite;
    const theirs = join(suite.folder, 'exports', 'Reserved_COCO.json');
    await writeFile(theirs, 'mine');
    await exportReserved('COCO JSON');
    if (ignoresCase) {
      await workbench.dialog.getByText('"reserved_coco.json" already exists. Replace it?').waitFor();
      assert.equal(await readFile(theirs, 'utf8'), 'mine');
      await workbench.clickInDialog('Replace');
    }
    await workbench.readNotification(`Exported ${RESERVED.length} objects to reserved_coco.json.`);
    await workbench.clearNotifications();
    const names = await exported();
    const ours = 'reserved_coco.json';
    assert.deepEqual(names, ignoresCase ? [ours] : ['Reserved_COCO.json', ours]);
    const { annotations } = JSON.parse(await readFile(join(suite.folder, 'exports', ours), 'utf8')) as {
      annotations: unknown[];
    };
    assert.equal(annotations.length, RESERVED.length);
    if (!ignoresCase) assert.equal(await readFile(theirs, 'utf8'), 'mine');
    for (const name of names) await rm(join(suite.folder, 'exports', name));
  });

  it('exports an archive with reserved names under names that any system has', async () => {
    const { workbench } = suite;
    await exportReserved('Label images (TIFF)');
    await workbench.readNotification(`Exported ${RESERVED.length} objects`);
    await workbench.clearNotifications();
    const names = await exported();
    assert.equal(names.length, RESERVED.length + 2, names.join());
    assert.equal(new Set(names.map(name => name.normalize('NFC').toLowerCase())).size, names.length);
    for (const name of names) assert.doesNotMatch(name, /^(con|aux)\b|[. ]$/i);
    for (const name of ['_con_labels.tif', '_aux_labels.tif', 'dot.tif_labels.tif', 'space_labels.tif'])
      assert.ok(names.includes(name), `${name} is not among ${names.join()}`);
    for (const name of names) await rm(join(suite.folder, 'exports', name));
  });

  // Where a share can't be selected, it can still be named to a command, as by a key.
  for (const share of [...other.filter(isShare), undefined])
    it(`opens, saves, exports and uploads by URIs of ${share ?? 'the folder'}`, async () => {
      const { workbench } = suite;
      const root = share === undefined ? folderUri() : shareUri(share);
      const uri = (...names: string[]) => [root, ...names.map(encodeURIComponent)].join('/');
      const uploadedTo = share === undefined ? 'from the folder' : 'from a share';
      await bindKeys(workbench, {
        F7: { command: 'openTableFile', args: uri('by uri ä.csv') },
        F8: {
          command: 'saveTable',
          args: { uri: uri('by uri ä.csv'), destination: uri('exports', 'by uri.csv') },
        },
        F9: {
          command: 'exportMasks',
          args: { uri: uri('reserved.zip'), destination: uri('exports'), format: 'coco' },
        },
        F4: {
          command: 'uploadFiles',
          args: { uris: [uri('unfinished', 'a Zelle ä.raw')], destinationFolder: uploadedTo },
        },
      });
      const press = (key: string) => workbench.page.keyboard.press(`Control+Shift+${key}`);
      // When VS Code knows the keys can't be seen.
      await attempts(async timeout => {
        await press('F7');
        await workbench.editorTab('by uri ä.csv').waitFor({ timeout });
      });
      const seesRows = async () => {
        const opened = await table('by uri ä.csv');
        await opened.showsRows('2 rows');
        await opened.reads(1, 1, '2');
      };
      await seesRows();
      await workbench.openContainer('Image Analysis');
      for (const key of ['F8', 'F9', 'F4']) await press(key);
      await until(async () => (await exported()).filter(name => !name.startsWith('.')).length === 2);
      assert.equal(await readFile(join(suite.folder, 'exports', 'by uri.csv'), 'utf8'), SAVED);
      assert.ok((await exported()).includes('reserved_coco.json'));
      await workbench.tree('Files').waitForItem(uploadedTo);
      assert.deepEqual(await workbench.notifications(), []);
      await workbench.reloadWindow();
      await seesRows();
      await workbench.closeTab('by uri ä.csv');
      for (const name of await exported()) await rm(join(suite.folder, 'exports', name));
    });

  it('signs out', async () => {
    const { workbench } = suite;
    await workbench.openContainer('Image Analysis');
    await workbench.runCommand('Image Analysis: Sign Out');
    await workbench.clickInDialog('Sign Out');
    await workbench.editorTab(/Masks of Größe/).waitFor({ state: 'detached' });
    await workbench.tree('Files').root.getByText('Sign in with the address').waitFor();
  });
}

if (isWanted) describe('Somebody with files as on Windows', define);
else describe.skip('Somebody with files as on Windows (not here: for npm run test:full, or IA_HOST)', define);
