// npm run bench -- activation [--json] [--rounds N]: what the extension host spends on loading the
// packaged extension and on calling it, beside an empty extension in the same host, while the
// window starts.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../bench/measured/machine';
import { Workbench } from '../workbench';
import { ActivationProbe } from './activation/activationProbe';
import { measuredPackage } from './measuredPackage';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, rounds: { type: 'string', default: '7' } },
});

const root = await mkdtemp(join(tmpdir(), 'bench-activation-'));
const samples = new Map<string, number[]>();
try {
  const dataFolder = join(root, 'host');
  const folder = join(root, 'workspace');
  await mkdir(folder);
  const probe = await ActivationProbe.install(root, dataFolder);
  const vsix = await measuredPackage();
  const { environment } = probe;
  const window = await Workbench.open({
    name: 'bench-activation',
    theme: 'dark',
    vsix,
    folder,
    dataFolder,
    environment,
  });
  try {
    for (let round = 0; round < Number(values.rounds); round++) {
      await probe.reset();
      await window.reloadWindow();
      const times = await probe.times(() => window.page.waitForTimeout(50));
      for (const [name, { load, call }] of Object.entries(times))
        for (const [step, value] of Object.entries({
          'load, ms': load.ms,
          'load, CPU ms': load.cpuMs,
          'call, ms': call.ms,
          'call, CPU ms': call.cpuMs,
          'both, ms': load.ms + call.ms,
        })) {
          const key = `${name}: ${step}`;
          samples.set(
            key,
            [...(samples.get(key) ?? []), value].sort((a, b) => a - b),
          );
        }
    }
  } finally {
    await window.close(false);
  }
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

const result: Record<string, { min: number; median: number; max: number }> = {};
for (const [name, sorted] of samples) {
  const [min = NaN, median = NaN, max = NaN] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  result[name] = { min, median, max };
  console.log(
    `${name.padEnd(30)} min ${min.toFixed(1).padStart(6)}   median ${median.toFixed(1).padStart(6)}   max ${max.toFixed(1).padStart(6)}`,
  );
}
if (values.json) console.log(JSON.stringify({ ...result, machine: await describeMachine() }));
