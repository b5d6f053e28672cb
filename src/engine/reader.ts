// Entry of the thread that reads short files for uploads, until it is terminated. It is a separate bundle because a small one
// starts sooner.
import { parentPort, workerData } from 'node:worker_threads';
import type { ReadLimits } from './readThread';
import { runReadTasks } from './readTasks';

if (!parentPort) throw new Error('The reader runs as a worker thread only');
runReadTasks(parentPort, workerData as ReadLimits);
