import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux tells times in hundredths of a second. */
const TICK_MS = 10;

/**
 * Processor time of all processes that this one started, and theirs; NaN where the system doesn't
 * tell.
 */
export function startedProcessorMs(): number {
  if (!existsSync('/proc/self/stat')) return NaN;
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    let text: string;
    try {
      text = readFileSync(`/proc/${name}/stat`, 'latin1');
    } catch {
      // It has ended.
      continue;
    }
    // Behind the name: the state, the parent, and as the 12th and 13th user and system time.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    parents.set(Number(name), Number(fields[1]));
    ticks.set(Number(name), Number(fields[11]) + Number(fields[12]));
  }
  const isOurs = (id: number): boolean => {
    const parent = parents.get(id);
    return parent !== undefined && (parent === process.pid || isOurs(parent));
  };
  let sum = 0;
  for (const [id, used] of ticks) if (isOurs(id)) sum += used;
  return sum * TICK_MS;
}
