// npm run bench -- opening [--json] [--objects N] [--images N] [--rounds N] [--vsix PATH ...]: from a click to the first
// pixels of masks in the real workbench, and until all of them are painted: of one image with many objects, and of an archive
// with many images. Of several packages, each is measured in turn.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageExtension } from '../../../scripts/packageExtension.mjs';
import { writeFixture } from '../../bench/masks/archiveFixtures';
import { MasksView } from '../views/masksView';
import { Workbench } from '../workbench';
import { installOpeningProbe, type OpeningProbe } from './opening/openingProbe';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    objects: { type: 'string', default: '1000000' },
    images: { type: 'string', default: '5000' },
    rounds: { type: 'string', default: '3' },
    vsix: { type: 'string', multiple: true, default: [] },
  },
});

/** Side in pixels of the image with many objects: about a third of it is covered. */
const SIDE = 40_000;
const SMALL = { side: 512, objects: 40, smallest: 6, shape: 'cropped' as const };

/** Milliseconds without a change after which all is painted. */
const QUIET = 2500;

const samples = new Map<string, number[]>();

async function measure(window: Workbench, file: string, name: string): Promise<void> {
  const { page } = window;
  await page.evaluate(() =>
    addEventListener(
      'mouseup',
      event => {
        (globalThis as { clicked?: number }).clicked = performance.timeOrigin + event.timeStamp;
      },
      { capture: true },
    ),
  );
  await window.explorerMenu([file], 'Image Analysis', 'Open Masks Archive');
  const clicked = await page.evaluate(() => (globalThis as { clicked?: number }).clicked ?? NaN);
  const masks = new MasksView(page, await window.panel(new RegExp(`^Masks of ${file}`)));
  await masks.frame.waitForFunction(
    quiet => {
      const { first, last = 0 } = (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe;
      return first !== undefined && performance.timeOrigin + performance.now() - last > quiet;
    },
    QUIET,
    { timeout: 60_000 },
  );
  const probe = await masks.frame.evaluate(
    () => (globalThis as unknown as { openingProbe: OpeningProbe }).openingProbe,
  );
  const say = (what: string, time: number | undefined) =>
    samples.set(`${name}: ${what}`, [...(samples.get(`${name}: ${what}`) ?? []), (time ?? NaN) - clicked]);
  say('frame of the image', probe.frame);
  say('first pixels', probe.first);
  say('last change', probe.last);
  const longest = `${name}: longest frame`;
  samples.set(longest, [...(samples.get(longest) ?? []), probe.longestFrame]);
  await window.closeTab(new RegExp(`^Masks of ${file}`));
}

const root = await mkdtemp(join(tmpdir(), 'bench-opening-'));
try {
  const packages = values.vsix.length > 0 ? values.vsix : [(await packageExtension()).path];
  const folder = join(root, 'workspace');
  await mkdir(folder);
  const million = { side: SIDE, objects: Number(values.objects), smallest: 6, shape: 'cropped' as const };
  await writeFixture(join(folder, 'objects.zip'), [million]);
  await writeFixture(
    join(folder, 'images.zip'),
    Array.from({ length: Number(values.images) }, () => SMALL),
  );
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [at, vsix] of packages.entries()) {
      const window = await Workbench.open({
        name: `bench-opening-${at}`,
        theme: 'dark',
        vsix,
        folder,
        dataFolder: join(root, `host-${round}-${at}`),
      });
      let failed = true;
      try {
        await window.page.context().addInitScript(installOpeningProbe);
        // The first opening also loads what every later one finds loaded.
        for (let time = 0; time < 2; time++) {
          const of = (what: string) =>
            `${packages.length > 1 ? `${at + 1} ` : ''}${what}${time > 0 ? ' again' : ''}`;
          await measure(window, 'objects.zip', of('objects'));
          await measure(window, 'images.zip', of('images'));
        }
        failed = false;
      } finally {
        await window.close(failed);
      }
    }
} finally {
  for (const [name, times] of samples)
    console.log(`${name.padEnd(40)} ${times.map(time => time.toFixed(0).padStart(6)).join(' ')} ms`);
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}

const median = (name: string) => {
  const sorted = (samples.get(name) ?? []).sort((a, b) => a - b);
  return Math.round(sorted[sorted.length >> 1] ?? NaN);
};
if (values.json)
  console.log(
    JSON.stringify({
      millionFirstPixelsMs: median('objects again: first pixels'),
      imagesFirstPixelsMs: median('images again: first pixels'),
    }),
  );
