// Required by mocha where IA_TIMES is set: appends to the file that IA_FILE_TIMES names a line of
// JSON for each test file, with the seconds of a processor since the last one in this process, and
// with its title.
'use strict';

const { appendFileSync, readFileSync } = require('node:fs');

/**
 * What /proc says of the ended children of this process, in seconds; 0 on other systems than Linux.
 */
function ofChildren() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return 0;
  }
}

function used() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + ofChildren();
}

let before = 0;

module.exports.mochaHooks = {
  afterAll() {
    const now = used();
    const suite = this.test.parent.suites.at(-1);
    const name = suite?.file ?? suite?.title ?? '';
    appendFileSync(process.env.IA_FILE_TIMES, `${JSON.stringify({ name, seconds: now - before })}\n`);
    before = now;
  },
};
