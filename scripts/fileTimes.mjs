// Where the processor time of a suite goes: with IA_TIMES set, a suite ends with that of its files,
// the most first.

/** Prints seconds of a processor by file. */
export function printFileTimes(times) {
  const sorted = times.toSorted((one, other) => other.seconds - one.seconds);
  const sum = sorted.reduce((all, { seconds }) => all + seconds, 0);
  const lines = sorted.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)}  ${name}`);
  console.log(`\nSeconds of a processor, by file: ${sum.toFixed(1)}\n${lines.join('\n')}`);
}
