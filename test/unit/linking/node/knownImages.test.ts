import type { AnalyzedItem } from '../../../../src/archives/imageIdentity';
import { linkedImages } from '../../../../src/linking/node/linkedImages';
import { sessionLinks } from '../../../../src/linking/node/sessionLinks';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedLinks } from '../../../../src/linking/node/storedLinks';
import { ResultChoices } from '../../../../src/results/node/resultChoices';
import { image, index, rectangle, writeArchive } from '../../archives/engine/archives';
import { FilesOnDisk, LinksInMemory, openSession } from '../../session/node/sessionFixture';

const { signal } = new AbortController();

describe('Images of the same name in a result', () => {
  let files: { masks: string; objects: string; remove: () => Promise<void> };
  let links: LinksInMemory;

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'links-'));
    const objects = join(folder, 'objects.csv');
    const rows = (path: string) => `${path}/img.png,1\n${path}/img.png,2\n`;
    await writeFile(objects, `Image origin,Object ID\n${rows('control')}${rows('treated')}`);
    const two = [rectangle(1, 0, 0, 2, 2), rectangle(2, 4, 4, 6, 6)];
    const archive = await writeArchive({
      'index.json': index('Cell'),
      'x_objects.json': image('x', 10, 10, two, 'img.png'),
      'y_objects.json': image('y', 10, 10, two, 'img.png'),
    });
    files = {
      masks: archive.path,
      objects,
      remove: async () => {
        await archive.remove();
        await rm(folder, { recursive: true });
      },
    };
  });

  after(() => files.remove());

  beforeEach(() => {
    links = new LinksInMemory();
  });

  /** A session of the result whose rows have been linked, until `use` is done. */
  async function linked(
    use: (session: ReturnType<typeof openSession>['session']) => Promise<void>,
    items?: readonly AnalyzedItem[],
  ): Promise<void> {
    const { masks, objects } = files;
    const { session } = openSession(new FilesOnDisk({ masks, objects }, items), { links });
    try {
      await session.masks.open(signal);
      await session.get(sessionLinks).settled();
      await use(session);
    } finally {
      session.dispose();
    }
  }

  it('are linked by hand, which is kept, and undone', async () => {
    await linked(async session => {
      const { groups, byHand } = await session.get(linkedImages).openImages(signal);
      const [group] = groups;
      assert.deepEqual(
        group?.images.map(({ id, name, objects }) => [id, name, objects]),
        [
          ['x', 'img.png', 2],
          ['y', 'img.png', 2],
        ],
      );
      assert.deepEqual(group.paths, [
        { path: 'control/img.png', rows: 2 },
        { path: 'treated/img.png', rows: 2 },
      ]);
      assert.deepEqual([byHand, session.get(sessionLinks).report?.matched], [[], 0]);
      const after = await session.get(linkedImages).link([{ image: 'x', path: 'treated/img.png' }], signal);
      assert.deepEqual(after.byHand, [{ image: 'x', name: 'treated/img.png', path: 'treated/img.png' }]);
      assert.equal(session.get(sessionLinks).report?.matched, 2);
      assert.deepEqual(session.get(linkedImages).paths, [
        { image: 0, path: 'treated/img.png', linkedBy: { by: 'hand' } },
      ]);
    });
    await linked(async session => {
      assert.equal(session.get(sessionLinks).report?.matched, 2);
      await session.get(linkedImages).link([{ image: 'y', path: 'treated/img.png' }], signal);
      assert.deepEqual(session.get(linkedImages).paths, [
        { image: 1, path: 'treated/img.png', linkedBy: { by: 'hand' } },
      ]);
      const undone = await session.get(linkedImages).link([{ image: 'y', path: null }], signal);
      assert.deepEqual(
        [undone.byHand, undone.groups.length, session.get(sessionLinks).report?.matched],
        [[], 1, 0],
      );
    });
    await linked(session => {
      assert.equal(session.get(sessionLinks).report?.matched, 0);
      return Promise.resolve();
    });
  });

  it('are certain by the items that were analyzed', () =>
    linked(
      session => {
        assert.equal(session.get(sessionLinks).report?.matched, 4);
        assert.deepEqual(
          session.get(linkedImages).paths.map(({ path }) => path),
          ['control/img.png', 'treated/img.png'],
        );
        return Promise.resolve();
      },
      [
        { id: 'x', path: 'control/img.png' },
        { id: 'y', path: 'treated/img.png' },
      ],
    ));

  it('are said once to be linked otherwise than at the last visit', async () => {
    const differs: (true | undefined)[] = [];
    const visit = () =>
      linked(session => {
        differs.push(session.get(sessionLinks).report?.sameNames?.differsFromBefore);
        return Promise.resolve();
      });
    /** As if the images had been linked in another way, with the same links by hand. */
    const change = () => (links.digest = `${links.digest?.split(' ')[0]} another`);
    await visit();
    change();
    await visit();
    await visit();
    assert.deepEqual(differs, [undefined, true, undefined]);
    await links.setByHand([{ image: 'x', path: 'treated/img.png' }]);
    await visit();
    change();
    await visit();
    await visit();
    assert.deepEqual(differs.slice(3), [undefined, true, undefined]);
  });
});

describe('Links as they are stored', () => {
  let stored: Map<string, unknown>;
  beforeEach(() => (stored = new Map()));

  /** The choices of a window: all have the same files. */
  const choicesOfWindow = () =>
    new ResultChoices(() =>
      Promise.resolve({
        read: (key: string) => Promise.resolve(stored.get(key)),
        write: (key: string, value: unknown) => {
          stored.set(key, JSON.parse(JSON.stringify(value)));
          return Promise.resolve();
        },
      } as never),
    );

  it('have the columns that a person chose, which other windows write for other results at the same time', async () => {
    const of = (key: string) => storedLinks(choicesOfWindow(), { ...new FilesOnDisk({}), key } as never);
    const chosen = { image: { name: 'File', index: 3 }, id: { name: 'Cell', index: 0 } };
    const [one, other, later] = [of('one'), of('other'), of('one')];
    await one.setColumns(chosen);
    await other.setColumns({ image: chosen.id, id: chosen.id });
    assert.deepEqual(await later.columns(), chosen);
    await later.setColumns(undefined);
    assert.deepEqual([await one.columns(), (await other.columns())?.image], [undefined, chosen.id]);
    stored.set('linkColumns', { other: { images: { image: 'edited by hand' } } });
    assert.equal(await other.columns(), undefined);
  });

  it('are those of the result, the latest, and none where all were undone', async () => {
    const choices = choicesOfWindow();
    const [one, other] = [choices.linksOf({ key: 'one' }), choices.linksOf({ key: 'other' })];
    await one.setByHand([{ image: 'x', path: 'a/b' }]);
    await other.setLast('digest');
    assert.deepEqual([await one.byHand(), await other.byHand()], [[{ image: 'x', path: 'a/b' }], []]);
    assert.deepEqual([await one.last(), await other.last()], [undefined, 'digest']);
    await one.setByHand([]);
    assert.deepEqual([await one.byHand(), stored.get('imageLinks')], [[], {}]);
  });
});
