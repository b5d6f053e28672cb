// Mocha hooks that fail where tests leave a server, a socket, a child process or a thread open. Why
// not wait for the process to end: mocha ends its parallel processes without noticing. In parallel
// mocha calls these hooks for each file, otherwise once for all.
'use strict';

const { WAIT_MS } = require('../patience.mjs');

const INTERVAL_MS = 50;

// Node's list of active resources has no threads.
const threads = new Set();
process.on('worker', worker => {
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
});

/** How many resources of each kind keep this process alive. */
function countOpen() {
  const counts = new Map([['Worker', threads.size]]);
  for (const kind of process.getActiveResourcesInfo()) {
    // A timer may be the deadline of something that ended early; it ends by itself.
    if (kind !== 'Timeout') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** The kinds of which more are open than before. */
function openedSince(before) {
  return [...countOpen()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind);
}

let before = new Map();

module.exports.mochaHooks = {
  beforeAll() {
    before = countOpen();
  },
  async afterAll() {
    this.timeout(0);
    const end = Date.now() + WAIT_MS;
    let open = openedSince(before);
    while (open.length > 0 && Date.now() < end) {
      await new Promise(resolve => setTimeout(resolve, INTERVAL_MS));
      open = openedSince(before);
    }
    const last = this.test.parent.suites.at(-1)?.title;
    if (open.length > 0) throw new Error(`Left open after "${last}": ${open.join(', ')}`);
  },
};
