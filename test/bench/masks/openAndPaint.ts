// A process of its own: opens an archive and paints the overview of its first image; prints what that took.
import { openMasks } from '../../../src/results/masks/openMasks';
import { paintAll } from './work';

const [path = '', level = ''] = process.argv.slice(2);

async function openAndPaint(): Promise<void> {
  const start = performance.now();
  const masks = await openMasks(path);
  await paintAll(masks, Number(level));
  const milliseconds = performance.now() - start;
  masks.dispose();
  console.log(JSON.stringify({ milliseconds, peakRssMB: process.resourceUsage().maxRSS / 1024 }));
}

void openAndPaint();
