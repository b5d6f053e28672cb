import { isMainThread, parentPort } from 'node:worker_threads';
import { runCommandLine } from './commandLine';
import { runThread } from './analysisThread';

// The service's process and its worker threads run the same bundle.
if (isMainThread) void runCommandLine(process.argv.slice(2), __filename);
else if (parentPort) runThread(parentPort);
