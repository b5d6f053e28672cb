// npm run bench -- activation [--json] [--rounds N]: what the extension host spends on loading the
// packaged extension and on calling it, beside an empty extension in the same host, while the
// window starts.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { benchmark } from '../../bench/measured/benchmark';
import { Samples } from '../../bench/measured/rounds';
import { Workbench } from '../workbench';
import { ActivationProbe } from './activation/activationProbe';
import { measuredPackage } from './measuredPackage';

await benchmark('activation', { rounds: 7 }, async ({ rounds }, root) => {
  const samples = new Samples();
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
    for (let round = 0; round < rounds; round++) {
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
        }))
          samples.note(`${name}: ${step}`, value);
    }
  } finally {
    await window.close(false);
  }
  for (const [name, spread] of Object.entries(samples.spreads)) {
    const of = (which: keyof typeof spread) => `${which} ${spread[which].toFixed(1).padStart(6)}`;
    console.log(`${name.padEnd(30)} ${of('min')}   ${of('median')}   ${of('max')}`);
  }
  return samples.spreads;
});
