// An extension that times how others are loaded and activated. It activates before them.
import { writeFileSync } from 'node:fs';
import Module from 'node:module';
import * as vscode from 'vscode';
import type { ActivationTimes } from './activationProbe';

interface Loader {
  _load(this: void, request: string, ...rest: unknown[]): unknown;
}

interface Entry {
  activate(context: unknown): unknown;
}

/**
 * Activates with the first extension that the window starts; writes what it knows once `ids` are
 * active.
 */
export function activate(): void {
  const { out, ids } = JSON.parse(process.env['IA_BENCH_PROBE'] ?? '{}') as { out: string; ids: string[] };
  const times: Record<string, ActivationTimes> = {};
  const loader = Module as unknown as Loader;
  const { _load: load } = loader;
  loader._load = (request, ...rest) => {
    const id = ids.find(each => request.includes(`${each}-`) && request.endsWith('extension.js'));
    if (id === undefined || id in times) return load(request, ...rest);
    const spent = stopwatch();
    const entry = load(request, ...rest) as Entry;
    const time = (times[id] = { load: spent(), call: { ms: NaN, cpuMs: NaN } });
    return {
      ...entry,
      activate: (context: unknown) => {
        const spent = stopwatch();
        const result = entry.activate(context);
        time.call = spent();
        return result;
      },
    };
  };
  const timer = setInterval(() => {
    if (!ids.every(id => vscode.extensions.getExtension(id)?.isActive)) return;
    clearInterval(timer);
    loader._load = load;
    writeFileSync(out, JSON.stringify(times));
  }, 20);
}

function stopwatch(): () => { ms: number; cpuMs: number } {
  const start = performance.now();
  const cpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
  };
}
