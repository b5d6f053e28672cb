import { readFileSync } from 'node:fs';

/** What a process has cost so far. */
export interface ProcessCost {
  cpuSeconds: number;
  peakBytes: number;
}

/** Clock ticks a second in /proc, on all common builds of Linux. */
const TICKS = 100;

/** Largest resident memory of a process in bytes; NaN where there is no /proc or no such process. */
export function peakMemory(pid: number): number {
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readProc(pid, 'status'))?.[1]) * 1024;
}

/**
 * Watches a process until `stop` is called, which gives its cost: CPU time since `watch` and peak memory. Both are NaN
 * where there is no /proc. Works for any program, so that both sides are measured alike.
 */
export function watchCost(pid: number): { stop(): ProcessCost } {
  const before = cpuSeconds(pid);
  let last: ProcessCost = { cpuSeconds: Number.NaN, peakBytes: Number.NaN };
  const look = () => {
    const now = { cpuSeconds: cpuSeconds(pid) - before, peakBytes: peakMemory(pid) };
    // A process that has just ended has no memory any more.
    if (now.peakBytes > 0) last = now;
  };
  const timer = setInterval(look, 10);
  return {
    stop() {
      clearInterval(timer);
      look();
      return last;
    },
  };
}

function cpuSeconds(pid: number): number {
  const stat = readProc(pid, 'stat');
  // The second field, the name in parentheses, may hold spaces. User and system time are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
