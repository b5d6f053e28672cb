import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkStudy } from './linkedStudy';
import { type Kinds, makeStudy } from './madeStudies';

const isFull = Boolean(process.env['IA_FULL']);
const COUNT = Number(process.env['IA_STUDIES'] ?? (isFull ? 3000 : 120));
const FIRST = Number(process.env['IA_FIRST_STUDY'] ?? 1);

describe('made studies', function () {
  this.timeout(Math.max(120_000, COUNT * 200));
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'studies-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it(`have no row linked to another image, whatever they are like (${COUNT})`, async () => {
    const wrong: string[] = [];
    const byKind = new Map<string, { linkable: number; certain: number }>();
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const study = makeStudy(seed);
      const linked = await linkStudy(study, folder);
      if (linked.wrong.length > 0)
        wrong.push(
          `${seed} ${Object.values(study.kinds).join(', ')}: ${linked.wrong[0]} ${JSON.stringify(linked.report.sameNames)}`,
        );
      for (const kind of ['all', ...keysOf(study.kinds)]) {
        const sums = byKind.get(kind) ?? { linkable: 0, certain: 0 };
        byKind.set(kind, sums);
        sums.linkable += linked.linkable;
        sums.certain += linked.certain;
      }
    }
    console.log(`      certain of ${COUNT} studies, by kind; the others are open:`);
    for (const [kind, { linkable, certain }] of [...byKind].sort(([a], [b]) => (a < b ? -1 : 1)))
      console.log(`        ${kind}: ${certain} of ${linkable} images`);
    assert.deepEqual(wrong.slice(0, 20), [], `${wrong.length} studies`);
  });
});

function keysOf(kinds: Kinds): string[] {
  const isPlain =
    kinds.filter === 'none' &&
    kinds.missing === 'none' &&
    kinds.layout === 'random' &&
    kinds.positions !== 'absent';
  return [
    ...Object.entries(kinds).map(([kind, value]) => `${kind} ${value}`),
    ...(isPlain ? ['whole, with positions, random layout'] : []),
  ];
}
