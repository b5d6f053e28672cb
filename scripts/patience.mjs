// How long anything in the tests may take until it counts as hanging. Far beyond what a slow
// machine needs, where each of these took at most a tenth (`node scripts/slowMachine.mjs 4 npm
// test`): nothing that is tested depends on them.

/**
 * One wait: for an element, a message, a response, a program to start or end. In seconds,
 * IA_PATIENCE makes it shorter.
 */
export const WAIT_MS = (Number(process.env.IA_PATIENCE) || 300) * 1000;

/** A whole test, with all that it waits for, and a hook; for mocha. */
export const TEST_MS = 4 * WAIT_MS;

/** A run of all suites, its builds too; CI ends it without a word after 90 minutes. */
export const RUN_MS = 85 * 60_000;
