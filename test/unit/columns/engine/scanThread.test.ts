import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { NUMBER } from '../../../../src/columns/csv/csvScan';
import { startScanThread } from '../../../../src/columns/engine/scanThread';
import { TableFile } from '../../../../src/columns/engine/read/tableFile';
import { itWith } from '../../capabilities';
import { useEngineThreads } from '../../session/node/engineThreads';

/** The priorities of all threads of this process. */
async function threadPriorities(): Promise<number[]> {
  const stats = await Promise.all(
    (await readdir('/proc/self/task')).map(task =>
      readFile(`/proc/self/task/${task}/stat`, 'utf8').catch(() => ''),
    ),
  );
  // The name of a thread, in parentheses, may have spaces; the priority is the 17th field after it.
  return stats.filter(Boolean).map(stat => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
}

describe('the scanning thread', () => {
  const threads = useEngineThreads();

  itWith('lowerPriority')('has a lower priority than other threads, which keep theirs', async () => {
    const own = getPriority();
    const file = await TableFile.open(await threads.file('numbers.csv', 'a\n1\n2\n'));
    const worker = startScanThread(join(dirname(threads.script), 'scanner.js'));
    try {
      const range = { start: 2, until: file.size, exact: true };
      const plan = { delimiter: 44, decimalComma: false, modes: Uint8Array.of(NUMBER) };
      const { blocks } = await worker.scan(file, range, plan, []);
      assert.equal(blocks[0]?.rows, 2);
      assert.ok((await threadPriorities()).includes(constants.priority.PRIORITY_BELOW_NORMAL));
      assert.equal(getPriority(), own);
    } finally {
      worker.dispose();
      file.close();
    }
  });
});
