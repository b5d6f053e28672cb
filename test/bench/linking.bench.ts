// npm run bench -- linking [--json] [--folders N] [--objects N] [--rounds N]: what it adds to
// linking rows and objects that all images have one name and are told apart by their objects,
// beside the same images with names of their own.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RowLinking } from '../../src/linking/engine/rowLinking';
import type { LinkReport } from '../../src/linking/rowLinks';
import { openMasks } from '../../src/archives/engine/openMasks';
import { openTable } from '../../src/columns/engine/read/readTable';
import { benchmark } from './measured/benchmark';
import { compareRounds, costOf, inTurn, MIN_ROUNDS, type Comparison, type Cost } from './measured/rounds';
import { writeLinkingFixture, type Evidence, type FixtureOptions } from './linking/sameNameFixture';

const { signal } = new AbortController();

interface Linked extends Cost {
  /** Memory that the process had more at most while linking. */
  mb: number;
  report: LinkReport;
}

/** Opens a study; gives what links its rows, and what ends it. */
async function studyOf(
  parent: string,
  options: FixtureOptions,
): Promise<{ link(): Promise<Linked>; end(): Promise<void> }> {
  const folder = await mkdtemp(join(parent, 'study-'));
  const paths = await writeLinkingFixture(folder, options);
  const [table, masks] = [await openTable(paths.table), await openMasks(paths.masks)];
  return {
    async link() {
      const before = process.memoryUsage().rss;
      let most = before;
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
      const { wallMs, cpuMs, value } = await costOf(() => RowLinking.create(table, masks, {}, signal));
      clearInterval(watch);
      const mb = (Math.max(most, process.memoryUsage().rss) - before) / 2 ** 20;
      return { wallMs, cpuMs, mb, report: value.report };
    },
    async end() {
      masks.dispose();
      table.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The same with one name and with unique ones, in turn. */
async function measure(
  folder: string,
  rounds: number,
  options: Omit<FixtureOptions, 'haveSameName'>,
): Promise<{ ours: Linked; peer: Linked }[]> {
  const same = await studyOf(folder, { ...options, haveSameName: true });
  const own = await studyOf(folder, { ...options, haveSameName: false });
  try {
    return await inTurn(rounds, same.link, own.link);
  } finally {
    await same.end();
    await own.end();
  }
}

/** Of some rounds the shortest times and the largest memory. */
function bestOf(all: readonly Linked[]): { ms: number; cpu: number; mb: number; report: LinkReport } {
  const [first] = all;
  if (!first) throw new Error('Not even one round');
  return {
    ms: Math.min(...all.map(({ wallMs }) => wallMs)),
    cpu: Math.min(...all.map(({ cpuMs }) => cpuMs)),
    mb: Math.max(...all.map(({ mb }) => mb)),
    report: first.report,
  };
}

const DEFAULTS = { folders: 1000, objects: 1000, rounds: MIN_ROUNDS };

await benchmark('linking', DEFAULTS, async ({ folders, objects, rounds }, folder) => {
  const measured: Record<string, Comparison> = {};
  const result: Record<string, number> = {};
  console.log(`${folders} folders, ${folders * objects} objects`);
  for (const evidence of ['areas', 'areasOfSome', 'positions', 'nothing'] satisfies Evidence[]) {
    const linked = await measure(folder, rounds, { folders, objects, evidence });
    measured[evidence] = compareRounds(linked);
    const own = bestOf(linked.map(({ peer }) => peer));
    const same = bestOf(linked.map(({ ours }) => ours));
    const { linked: told = {}, open } = same.report.sameNames ?? {};
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
  return { ...result, measured };
});
