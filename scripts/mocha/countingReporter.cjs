// Mocha's spec reporter, which also writes how many tests passed, failed and were skipped, and
// which failed, to the file named in IA_COUNTS.
'use strict';

const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.IA_COUNTS;
    if (!file) return;
    const failed = [];
    // Not run for a reason that stands in the title, or that of a describe (see
    // test/unit/capabilities.ts).
    let excused = 0;
    runner.on('pending', test => {
      if (test.fullTitle().includes('(not here: ')) excused++;
    });
    runner.on('fail', (test, error) => {
      const [why] = String(error?.message ?? error).split('\n', 1);
      failed.push(`${test.fullTitle()}: ${why}`);
    });
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      writeFileSync(
        file,
        JSON.stringify({ passed: passes, failed: failures, skipped: pending, excused, failures: failed }),
      );
    });
  }
};
