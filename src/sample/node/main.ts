import { isMainThread, parentPort } from 'node:worker_threads';
import { runCommandLine } from './commandLine';
import { runThread } from './analysisThread';

// One bundle, two parts: the service's process, and the thread it starts from the same file.
if (isMainThread) void runCommandLine(process.argv.slice(2), __filename);
else if (parentPort) runThread(parentPort);
