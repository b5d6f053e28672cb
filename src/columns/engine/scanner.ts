// Entry of the thread that scans ranges of a file for an engine thread, until it is terminated. It
// is a separate bundle because a small one starts sooner.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { runScanTasks } from './scanThread';

if (!parentPort) throw new Error('The scanner runs as a worker thread only');
// With few processors, the page that shows the first rows takes precedence over the rest of the
// file. Only on Linux does a thread have a priority; elsewhere this would slow down the whole
// extension host.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
runScanTasks(parentPort);
