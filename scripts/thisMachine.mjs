// How much a run does at a time: as much as this machine can, by its cores and by how long a fixed
// loop takes on one of them at the moment. On a slow machine, or beside other work, what runs at
// the same time is in each other's way.
import { availableParallelism, totalmem } from 'node:os';

/**
 * What the loop takes on the machine on which the numbers below were found, with nothing else
 * running.
 */
const USUAL_MS = 165;
/** A browser and a VS Code take some 1.3 GB together. */
const BYTES_OF_FILE = 1.3e9;
const MAX_FILES = 6;

function runLoop() {
  let value = 1;
  for (let step = 0; step < 120_000_000; step++) {
    value = (Math.imul(value, 1664525) + 1013904223) | 0;
    value ^= value >>> 13;
  }
  return value;
}

/**
 * How many stages of scripts/test.mjs, and files of the browser suite, run at a time; and how long
 * the loop took.
 */
export function measureMachine() {
  const started = performance.now();
  runLoop();
  const milliseconds = performance.now() - started;
  return { milliseconds: Math.round(milliseconds), ...atATime(USUAL_MS / milliseconds) };
}

/**
 * The same for a speed in multiples of the usual one. At the usual speed, two cores have three
 * files at a time: one waits.
 */
export function atATime(speed, cores = availableParallelism(), memory = totalmem()) {
  const share = Math.min(1, 1.5 * speed);
  const most = Math.min(MAX_FILES, cores + 1, Math.floor(memory / BYTES_OF_FILE));
  const files = Math.max(1, Math.round(most * share));
  // Unit and browser tests alone keep two cores busy, the others wait much.
  const stages = Math.max(1, Math.min(2, Math.round(2 * share)));
  return { files, stages };
}
