import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Cost } from './rounds';

/**
 * bash tells processor time in milliseconds, where /proc tells hundredths of a second; what it
 * tells goes to a pipe of its own.
 */
const SCRIPT = `TIMEFORMAT='%3U %3S'; { time "$0" "$@" 2>&4; } 4>&2 2>&3`;

let hasBash: boolean | undefined;

/**
 * What a program takes from its start to its end, its output going nowhere. Throws where it fails.
 */
export async function runProgram(command: string, parameters: readonly string[]): Promise<Cost> {
  hasBash ??= spawnSync('bash', ['-c', 'true']).status === 0;
  const start = performance.now();
  const child = hasBash
    ? spawn('bash', ['-c', SCRIPT, command, ...parameters], {
        stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
        // Else a comma may stand for the decimal point.
        env: { ...process.env, LC_ALL: 'C' },
      })
    : spawn(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [pipe] = child.stdio.slice(3);
  const times = pipe ? text(pipe as NodeJS.ReadableStream) : Promise.resolve('');
  const [code] = (await once(child, 'exit')) as [number | null];
  const wallMs = performance.now() - start;
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  return { wallMs, cpuMs: processorMs(await times) };
}

/** Milliseconds from bash's seconds of user and system; NaN of anything else. */
export function processorMs(times: string): number {
  const [, user, system] = /^(\d+\.\d+) (\d+\.\d+)\s*$/.exec(times) ?? [];
  return (Number(user) + Number(system)) * 1000;
}
