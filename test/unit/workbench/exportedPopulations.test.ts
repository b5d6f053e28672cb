import { deepEqual, rejects } from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCoded } from '../../../src/base/errors';
import { populationMembers } from '../../../src/export/node/populationMembers';
import { populationParts, sessionPopulations } from '../../../src/populations/node/sessionPopulations';
import type { Population } from '../../../src/populations/population';
import { ResultChoices } from '../../../src/results/node/resultChoices';
import type { OpenResults } from '../../../src/session/node/openResults';
import type { ResultSession } from '../../../src/session/node/resultSession';
import { image, index, rectangle, writeArchive } from '../archives/engine/archives';
import { MemoryState } from '../jobs/node/memoryState';
import { FilesOnDisk, openSession } from '../session/node/sessionFixture';

const { signal } = new AbortController();

function above(name: string, from: number, column = 'Area'): Population {
  return { name, gate: { kind: 'range', column, from } };
}

describe('Populations that an export writes', () => {
  let folder: string;
  let session: ResultSession;
  let source: FilesOnDisk;
  let removeMasks: () => Promise<void>;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'exported-populations-'));
    const objects = join(folder, 'objects.csv');
    await writeFile(objects, 'Image origin,Object ID,Area\na.tif,1,4\na.tif,2,16\n');
    const archive = await writeArchive({
      'index.json': index('Cell'),
      'a_objects.json': image('a', 40, 40, [rectangle(1, 0, 0, 2, 2), rectangle(2, 4, 4, 8, 8)]),
    });
    removeMasks = archive.remove;
    const state = new MemoryState();
    const choices = new ResultChoices(() => Promise.resolve(state));
    source = new FilesOnDisk({ masks: archive.path, objects });
    ({ session } = openSession(source, { added: [populationParts(choices)] }));
    await session.masks.open(signal);
  });
  afterEach(async () => {
    session.dispose();
    await removeMasks();
    await rm(folder, { recursive: true });
  });

  const exported = async () => {
    const results = {
      use: (_: unknown, work: (session: ResultSession) => Promise<unknown>) => work(session),
    };
    const [found] = await populationMembers(results as Pick<OpenResults, 'use'>, source, [0], signal);
    return found?.populations.map(({ path, members }) => [path.join('/'), new Uint8Array(members)[0]]);
  };

  it('are those that are stored, also while a gate is drawn', async () => {
    await session.tables.open('objects', signal);
    await session.get(sessionPopulations).set('objects', [above('Large', 10)], signal);
    const drawn = { populations: [above('Large', 1)] };
    await session.tables.request('objects', 'countPopulations', drawn, signal);
    deepEqual(await exported(), [['Large', 0b10]]);
  });

  it('are refused, not left out, where there are none or one has a problem', async () => {
    const isRefused = (error: unknown) =>
      isCoded(error, 'bad-request') && error.details.subject === 'populations';
    await rejects(exported(), isRefused);
    const lacking = [above('Cells', 1), { ...above('Long', 1, 'Length'), parent: 'Cells' }];
    await session.get(sessionPopulations).set('objects', lacking, signal);
    await rejects(exported(), isRefused);
  });
});
