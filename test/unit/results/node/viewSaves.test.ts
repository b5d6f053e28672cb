import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ViewSaves } from '../../../../src/results/node/saveFile';

const part = (text: string) => new TextEncoder().encode(text).buffer;

const saveAt = async (path: string, write: (path: string) => Promise<void>) => {
  await write(path);
  return { path };
};

describe('The image of a view', () => {
  let folder: string;
  let chosen: string | undefined;
  let saves: ViewSaves;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-view-'));
    chosen = undefined;
    saves = new ViewSaves(name => Promise.resolve((chosen = join(folder, name))), saveAt, 8);
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const start = async (name: string): Promise<number> => {
    const save = await saves.start(name);
    if (save === null) throw new Error('No file was chosen');
    return save;
  };

  it('is written once its last part has arrived', async () => {
    const save = await start('view.png');
    equal(await saves.add(save, part('one '), false), null);
    deepEqual(await readdir(folder), []);
    equal(await saves.add(save, part('two'), true), chosen);
    equal(await readFile(join(folder, 'view.png'), 'utf8'), 'one two');
    await rejects(saves.add(save, part('more'), true), { code: 'bad-request' });
  });

  it('is not saved on Esc', async () => {
    equal(await new ViewSaves(() => Promise.resolve(undefined), saveAt).start('view.png'), null);
  });

  it('is not saved where the user gives up a file that is open elsewhere', async () => {
    const given = new ViewSaves(
      name => Promise.resolve(join(folder, name)),
      () => Promise.resolve(undefined),
    );
    const save = await given.start('view.png');
    equal(await given.add(save ?? 0, part('one'), true), null);
    deepEqual(await readdir(folder), []);
  });

  it('is refused when it is too large, or nobody chose a file for it', async () => {
    const save = await start('view.png');
    await saves.add(save, part('12345678'), false);
    await rejects(saves.add(save, part('9'), true), { code: 'bad-request' });
    await rejects(saves.add(save, part(''), true), { code: 'bad-request' });
    await rejects(saves.add(7, part(''), true), { code: 'bad-request' });
    deepEqual(await readdir(folder), []);
  });

  it('gives way to one whose saving starts later', async () => {
    const first = await start('first.png');
    await saves.add(first, part('12345678'), false);
    const second = await start('second.png');
    await rejects(saves.add(first, part('9'), true), { code: 'bad-request' });
    await saves.add(second, part('second'), true);
    deepEqual(await readdir(folder), ['second.png']);
  });
});
