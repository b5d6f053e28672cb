// Entry of the thread that scans ranges of a file for an engine thread, until it is terminated. It is a separate bundle because a
// small one starts sooner.
import { parentPort } from 'node:worker_threads';
import { runScanTasks } from './scanTasks';

if (!parentPort) throw new Error('The scanner runs as a worker thread only');
runScanTasks(parentPort);
