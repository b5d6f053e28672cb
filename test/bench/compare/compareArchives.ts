// A process of its own: opens two archives and compares all their images; prints what that took.
import { readFile } from 'node:fs/promises';
import { MaskComparison } from '../../../src/comparison/engine/maskComparison';
import { openReference } from '../../../src/comparison/engine/truth/openReference';

const [pathA = '', pathB = ''] = process.argv.slice(2);

/**
 * Megabytes of this program at its peak; what the system says of a process counts the one it was
 * started by.
 */
async function peakMegabytes(): Promise<number> {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  return Number(/VmHWM:\s*(\d+) kB/.exec(await readFile('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

async function compareArchives(): Promise<void> {
  const before = process.cpuUsage();
  const start = performance.now();
  const comparison = new MaskComparison();
  const options = { memory: 256 * 1024 ** 2 };
  const a = comparison.setSide('a', await openReference(pathA, options, () => undefined));
  comparison.setSide('b', await openReference(pathB, options, () => undefined));
  const opened = performance.now() - start;
  const pairs = a.images.map(({ index }) => ({ a: index, b: index }));
  await comparison.compare({ pairs, classes: 'all', classPairs: [] }, () => undefined);
  const { pooled, images } = comparison.latest.scores(0.5);
  const milliseconds = performance.now() - start;
  comparison.dispose();
  const counts = { images: images.length, tp: pooled.tp, fp: pooled.fp, fn: pooled.fn };
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  console.log(JSON.stringify({ milliseconds, cpuMs, opened, peakRssMB: await peakMegabytes(), ...counts }));
}

void compareArchives();
