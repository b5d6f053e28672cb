// A process of its own: opens an archive and paints the overview of its first image; prints what
// that took.
import { readFile } from 'node:fs/promises';
import { openMasks } from '../../../src/archives/engine/openMasks';
import { costOf } from '../measured/rounds';
import { paintAll } from './work';

const [path = '', level = ''] = process.argv.slice(2);

/**
 * Megabytes of this program at its peak; what the system says of a process counts the one it was
 * started by.
 */
async function peakMegabytes(): Promise<number> {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  return Number(/VmHWM:\s*(\d+) kB/.exec(await readFile('/proc/self/status', 'utf8'))?.[1]) / 1024;
}

async function openAndPaint(): Promise<void> {
  const { wallMs, cpuMs, value } = await costOf(async () => {
    const masks = await openMasks(path);
    await paintAll(masks, Number(level));
    return masks;
  });
  value.dispose();
  console.log(JSON.stringify({ wallMs, cpuMs, peakRssMB: await peakMegabytes() }));
}

void openAndPaint();
