// Entry of a thread that scans ranges of one file for an engine thread until that terminates it; a bundle of its own, since a
// small one is there sooner.
import { parentPort } from 'node:worker_threads';
import { answerScans } from './scanAnswers';

if (!parentPort) throw new Error('The scanner runs as a worker thread only');
answerScans(parentPort);
