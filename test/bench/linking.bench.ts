// npm run bench -- linking [--json] [--folders N] [--objects N] [--rounds N]: what it adds to linking rows and objects that all
// images have one name and are told apart by their objects, beside the same images with names of their own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RowLinking } from '../../src/linking/engine/rowLinking';
import type { LinkReport } from '../../src/linking/rowLinks';
import { openMasks } from '../../src/archives/engine/openMasks';
import { openTable } from '../../src/columns/engine/read/readTable';
import { writeLinkingFixture, type Evidence, type FixtureOptions } from './linking/sameNameFixture';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    folders: { type: 'string', default: '1000' },
    objects: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
});
const [folders, objects, rounds] = [values.folders, values.objects, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const { signal } = new AbortController();

interface Measured {
  /** The shortest time of some rounds, and the least time of a processor, in milliseconds. */
  ms: number;
  cpu: number;
  /** Memory that the process had more at most while linking. */
  mb: number;
  report: LinkReport;
}

async function measure(options: FixtureOptions): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-linking-'));
  try {
    const paths = await writeLinkingFixture(folder, options);
    const [table, masks] = [await openTable(paths.table), await openMasks(paths.masks)];
    let [ms, cpu, mb] = [Infinity, Infinity, 0];
    let report: LinkReport | undefined;
    for (let round = 0; round < rounds; round++) {
      const before = process.memoryUsage().rss;
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
      const [start, used] = [performance.now(), process.cpuUsage()];
      ({ report } = await RowLinking.create(table, masks, {}, signal));
      ms = Math.min(ms, performance.now() - start);
      const { user, system } = process.cpuUsage(used);
      cpu = Math.min(cpu, (user + system) / 1000);
      clearInterval(watch);
      mb = Math.max(mb, (Math.max(most, process.memoryUsage().rss) - before) / 2 ** 20);
    }
    masks.dispose();
    if (!report) throw new Error('Not even one round');
    return { ms, cpu, mb, report };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const result: Record<string, number> = {};
console.log(`${folders} folders, ${folders * objects} objects`);
for (const evidence of ['areas', 'areasOfSome', 'positions', 'nothing'] satisfies Evidence[]) {
  const own = await measure({ folders, objects, evidence, haveSameName: false });
  const same = await measure({ folders, objects, evidence, haveSameName: true });
  const { told = {}, open } = same.report.sameNames ?? {};
  const added = same.ms - own.ms;
  const addedCpu = same.cpu - own.cpu;
  const rows = same.report.matched + same.report.ambiguous + same.report.rowsWithoutObject;
  console.log(
    `told apart by ${evidence}: ${own.ms.toFixed(0)} ms with unique names, ${same.ms.toFixed(0)} ms with one name, ` +
      `${added.toFixed(0)} ms more, of a processor ${addedCpu.toFixed(0)} ms; memory +${own.mb.toFixed(0)} MB and +${same.mb.toFixed(0)} MB; ` +
      `${JSON.stringify(told)}, ${open} open, ${same.report.matched} of ${rows} rows linked`,
  );
  result[`${evidence}AddedMs`] = Math.round(added);
  result[`${evidence}AddedCpuMs`] = Math.round(addedCpu);
  result[`${evidence}AddedMB`] = Math.round(same.mb - own.mb);
}
if (values.json) console.log(JSON.stringify(result));
