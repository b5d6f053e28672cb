import * as assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { accessibilityFaults } from './accessibility';
import { TableView } from './views/tableView';
import type { Suite } from './useWorkbench';

const ROWS = 1200;
const BIG = 9_007_199_254_740_993n;
const areas = Array.from({ length: ROWS }, (_, row) => (row % 11 === 3 ? null : ((row * 37) % 400) / 8));
const plate = [
  'Image,Object ID,Area',
  ...areas.map((area, row) => `w${row % 6}.tif,${row + 1},${area ?? ''}`),
  '',
];
/** Columns of the grid. */
const [IMAGE, ID, LIST] = [0, 2, 3] as const;

/** Writes tables of other formats than text into a workspace. */
export async function prepareOtherFormats(folder: string): Promise<void> {
  await mkdir(join(folder, 'exports'));
  await writeFile(join(folder, 'wells.csv'), plate.join('\n'));
  await writeFile(join(folder, 'packed.csv.gz'), gzipSync(plate.join('\n')));
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'Image', data: areas.map((_, row) => `w${row % 6}.tif`) },
      { name: 'Area', data: areas },
      { name: 'Object ID', data: areas.map((_, row) => BIG + BigInt(row)) },
      { name: 'List', data: areas.map((_, row) => [row, null]) },
    ],
    schema: [
      { name: 'root', num_children: 4 },
      { name: 'Image', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
      { name: 'Area', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
      { name: 'Object ID', type: 'INT64', repetition_type: 'OPTIONAL' },
      { name: 'List', repetition_type: 'OPTIONAL', converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', type: 'DOUBLE' },
    ],
    rowGroupSize: 500,
  });
  await writeFile(join(folder, 'objects.parquet'), new Uint8Array(buffer));
  await writeFile(join(folder, 'damaged.parquet'), new Uint8Array(buffer).subarray(0, -20));
}

/** Tests of them, in a window that has them in its workspace. */
export function testOtherFormats(suite: Suite): void {
  const exports = () => join(suite.folder, 'exports');
  /** One page is on the screen at a time. */
  const onScreen = async () => new TableView(await suite.workbench.panel(/./));
  const openByClick = async (file: string) => {
    await suite.workbench.openByClick(file);
    return onScreen();
  };

  it('open with a click: Parquet, with all digits, lists and a filter', async () => {
    const { workbench } = suite;
    for (const title of ['plate.csv', 'objects.csv', 'small.tsv']) await workbench.closeTab(title);
    const table = await openByClick('objects.parquet');
    await table.showsRows('1,200 rows');
    await table.frame.getByText('Parquet').first().waitFor();
    await table.reads(0, ID, String(BIG));
    await table.reads(1, LIST, '[1,null]');
    await table.goToRow(ROWS);
    await table.reads(ROWS - 1, IMAGE, 'w5.tif');
    await table.reads(ROWS - 1, ID, String(BIG + BigInt(ROWS - 1)));
    await workbench.screenshot('parquet-table');
    assert.deepEqual(await accessibilityFaults(table.frame), []);
  });

  it('are saved as Parquet where the name says so', async () => {
    const { workbench } = suite;
    const table = await onScreen();
    const saved = join(suite.folder, 'saved.parquet');
    await table.button('Export').click();
    await workbench.quickInput.namePlace('objects-copy.csv', saved);
    await table.notice('1,200 rows saved as saved.parquet').waitFor();
    // The file that was written aside is no longer listed then.
    await workbench.openContainer('Explorer');
    await workbench.explorer.waitForItem('saved.parquet');
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(saved) });
    assert.equal(rows.length, ROWS);
    assert.deepEqual(rows[0], { Image: 'w0.tif', Area: areas[0], 'Object ID': BIG, List: '[0,null]' });
    await workbench.closeTab('objects.parquet');
  });

  it('open with a click: CSV in gzip', async () => {
    const table = await openByClick('packed.csv.gz');
    await table.showsRows('1,200 rows');
    await table.reads(0, IMAGE, 'w0.tif');
    await table.frame.getByText('Separated by commas').waitFor();
    await suite.workbench.closeTab('packed.csv.gz');
  });

  it('say why a damaged one does not open', async () => {
    const { workbench } = suite;
    const { frame } = await openByClick('damaged.parquet');
    await frame
      .getByText(/isn’t a Parquet file, or it is cut off/)
      .first()
      .waitFor();
    await workbench.screenshot('parquet-damaged');
    await workbench.closeTab('damaged.parquet');
  });

  it('are exported from the Explorer as one dataset, and replaced only after a question', async () => {
    const { workbench } = suite;
    const { quickInput } = workbench;
    const choose = async () => {
      await workbench.explorerMenu(['wells.csv', 'packed.csv.gz'], 'Image Analysis', 'Export Tables…');
      await quickInput.titled('Export Tables of 2 Results');
      await workbench.screenshot('export-tables');
      await quickInput.choose('Parquet');
      await quickInput.titled('Choose an export folder');
      await quickInput.selectFolder(exports(), 'Export Here');
    };
    await choose();
    await workbench.readNotification('Exported 2,400 rows into 2 files.');
    await workbench.clearNotifications();
    const partitions = (await readdir(join(exports(), 'objects'))).sort();
    assert.deepEqual(partitions, ['job_id=packed', 'job_id=wells']);
    const part = join(exports(), 'objects', 'job_id=wells', 'part-0.parquet');
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(part) });
    assert.deepEqual(rows[3], { Image: 'w3.tif', 'Object ID': 4n, Area: null });
    const before = await readFile(part);
    await choose();
    await workbench.clickInDialog('Replace');
    await workbench.readNotification('Exported 2,400 rows into 2 files.');
    await workbench.clearNotifications();
    assert.deepEqual(await readFile(part), before);
    assert.deepEqual(await readdir(exports()), ['objects']);
  });
}
