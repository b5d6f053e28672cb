// Mocha's spec reporter, which also writes how many tests passed, failed and were skipped to the file named in IA_COUNTS.
// With the option mustExit=true a run whose tests left something open is ended as failed instead of hanging.
const { writeFileSync } = require('node:fs');
const Mocha = require('mocha');

const graceMs = 10_000;

/** Unref'd, so that it runs only where something else keeps the process alive. */
function endIfStillOpen() {
  const timer = setTimeout(() => {
    console.error(`The tests left something open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit(1);
  }, graceMs);
  timer.unref();
}

module.exports = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.IA_COUNTS;
    runner.once('end', () => {
      const { passes, failures, pending } = runner.stats;
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
      if (options?.reporterOptions?.mustExit) endIfStillOpen();
    });
  }
};
