/**
 * Runs work with a clock of the machine that the work can set: `setBack` moves it by milliseconds.
 */
export async function withMachineClock(
  work: (setBack: (by: number) => void) => Promise<void>,
): Promise<void> {
  const { now } = Date;
  let behind = 0;
  Date.now = () => now() - behind;
  try {
    await work(by => (behind += by));
  } finally {
    Date.now = now;
  }
}
