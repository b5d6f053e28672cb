import { equal, ok, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenTables } from '../../../../src/columns/engine/openTables';

describe('A table that is shown while it is read', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-open-tables-test-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is not read once it was canceled before its first rows', async () => {
    const path = join(folder, 'small.csv');
    await writeFile(path, 'a\n1\n');
    let canceled = 0;
    // The number of microtasks decides which step the cancel falls into.
    for (let microtasks = 0; microtasks < 10; microtasks++) {
      let isOpened = false;
      const tables = new OpenTables({
        startProgress: () => () => undefined,
        onOpened: () => undefined,
        onChanged: () => undefined,
        onGrowth: () => (isOpened = true),
      });
      const controller = new AbortController();
      const options = { memory: 1, progressive: true };
      const opening = tables.open('objects', path, options, controller.signal);
      for (let count = 0; count < microtasks; count++) await Promise.resolve();
      const isRead = isOpen(tables);
      controller.abort();
      if (isRead) equal((await opening).rowCount, 1);
      else {
        canceled += 1;
        await rejects(opening, { code: 'cancelled' }, `after ${microtasks} microtasks`);
        ok(!isOpened && !isOpen(tables));
      }
      tables.dispose();
    }
    ok(canceled > 1);
  });
});

function isOpen(tables: OpenTables): boolean {
  try {
    return tables.summary('objects').rowCount > 0;
  } catch {
    return false;
  }
}
