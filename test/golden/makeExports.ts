// Exports the golden masks into test/golden/export; see README.md beside.
import { rm } from 'node:fs/promises';
import { makeGoldenExports } from '../unit/export/engine/goldenExports';

const folder = 'test/golden/export';
await rm(folder, { recursive: true, force: true });
for (const [name, report] of Object.entries(await makeGoldenExports(folder))) {
  const { files, objects, overlapped, unreadable } = report;
  console.log(
    `${name}: ${files.length} files, ${objects} objects, ${overlapped} px overlapped, ${unreadable.length} left out`,
  );
}
