import { deepEqual, equal, rejects } from 'node:assert/strict';
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Account, accountId, Accounts } from '../../../../src/accounts/node/accounts';
import { moveOldChoices, ResultChoices } from '../../../../src/results/node/resultChoices';
import { StateFiles } from '../../../../src/accounts/node/stateFiles';
import { silentLog } from '../../../../src/base/log';
import type { StoredKind } from '../../../../src/base/storedKind';
import { Keychain } from '../../accounts/node/keychain';
import { MemoryGlobalState } from './memoryGlobalState';

const baseUrl = 'https://one.example';
const ada: Account = { id: accountId(baseUrl, 'ada'), baseUrl, user: 'ada' };
const ofAda = (jobId: string) => ({ key: `job:${ada.id}:${jobId}`, accountId: ada.id });
const localFile = { key: 'masks:file:///plate/masks.zip' };

describe('Choices for the images of results', () => {
  let storage: string;
  let accounts: Accounts;
  let choices: ResultChoices;

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'image-analysis-choices-'));
    accounts = new Accounts(new Keychain().storage, storage, silentLog);
    await accounts.add(ada, 'key');
    choices = new ResultChoices(id =>
      Promise.resolve(new StateFiles(id === undefined ? join(storage, 'local') : accounts.folder(id).state)),
    );
  });

  afterEach(async () => {
    accounts.dispose();
    await rm(storage, { recursive: true, force: true });
  });

  it('include pixel sizes by image of a result', async () => {
    await choices.setPixelSizes(ofAda('1'), { a: 0.325 });
    await choices.setPixelSizes(ofAda('1'), { b: 0.5 });
    await choices.setPixelSizes(ofAda('2'), { a: 1 });
    await choices.setPixelSizes(ofAda('1'), { b: null });
    deepEqual(await choices.pixelSizes(ofAda('1')), { a: 0.325 });
    deepEqual(await choices.pixelSizes(ofAda('2')), { a: 1 });
    deepEqual(await choices.pixelSizes(ofAda('3')), {});
  });

  it('include pixel sizes of many images at once, and say so', async () => {
    const events: string[] = [];
    choices.onDidSetPixelSizes(({ key }) => events.push(key));
    await choices.setPixelSizes(ofAda('1'), { a: 1, b: 0.5 });
    await choices.setPixelSizes(ofAda('1'), { a: null, c: 2 });
    deepEqual(await choices.pixelSizes(ofAda('1')), { b: 0.5, c: 2 });
    deepEqual(events, [ofAda('1').key, ofAda('1').key]);
  });

  it('include background images, also those used as a level or stretched', async () => {
    await choices.setBackgroundImage(ofAda('1'), 'a', { uri: 'file:///a.tif' });
    await choices.setBackgroundImage(ofAda('1'), 'b', { uri: 'file:///b.svs', use: { level: 2 } });
    deepEqual(await choices.backgroundImage(ofAda('1'), 'a'), { uri: 'file:///a.tif' });
    deepEqual(await choices.backgroundImage(ofAda('1'), 'b'), { uri: 'file:///b.svs', use: { level: 2 } });
    equal(await choices.backgroundImage(ofAda('1'), 'c'), undefined);
  });

  it('include values of subjects, each by its own schema, and leave what one does not read as it is', async () => {
    const even: StoredKind<number> = {
      name: 'evens',
      valid: value => (typeof value === 'number' && value % 2 === 0 ? value : undefined),
    };
    const file = join(accounts.folder(ada.id).state, 'evens.json');
    const odd = `${JSON.stringify(ofAda('1').key)}:{"images":3,"later":{"b":[1]}}`;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `{ ${odd} }\n`);
    await choices.setPixelSizes(ofAda('1'), { a: 0.325 });
    equal(await readFile(file, 'utf8'), `{ ${odd} }\n`);
    equal(await choices.value(even, ofAda('1')), undefined);
    await choices.setValue(even, ofAda('2'), 4);
    equal(await readFile(file, 'utf8'), `{${odd},${JSON.stringify(ofAda('2').key)}:{"images":4}}`);
    deepEqual(await choices.values(even, ada.id), { [ofAda('2').key]: 4 });
    await choices.setValue(even, ofAda('2'), undefined);
    equal(await readFile(file, 'utf8'), `{${odd}}`);
  });

  it('include filters to which an earlier version gave a name, until they are taken over', async () => {
    const range = { kind: 'range', column: 'Area', from: 5, to: null };
    const sets = [{ name: 'Large', filters: [range] }];
    // As a person may have edited them.
    const damaged = [{ name: 'Large', filters: [{ kind: 'range', column: 'Area' }] }];
    const file = join(storage, 'local', 'filterSets.json');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ [localFile.key]: { file: sets, objects: damaged } }));
    deepEqual(await choices.oldFilterSets(localFile, 'file'), sets);
    deepEqual(await choices.oldFilterSets(localFile, 'objects'), []);
    await choices.dropOldFilterSets(localFile, 'file');
    deepEqual(await choices.oldFilterSets(localFile, 'file'), []);
    deepEqual(JSON.parse(await readFile(file, 'utf8')), { [localFile.key]: { objects: damaged } });
  });

  it('lose none of the changes made at the same time', async () => {
    await Promise.all(['a', 'b', 'c'].map(image => choices.setPixelSizes(ofAda('1'), { [image]: 1 })));
    deepEqual(await choices.pixelSizes(ofAda('1')), { a: 1, b: 1, c: 1 });
  });

  it('are removed with the account at sign-out, those for files on disk are not', async () => {
    await choices.setPixelSizes(ofAda('1'), { a: 0.325 });
    await choices.setBackgroundImage(ofAda('1'), 'a', { uri: 'file:///secret-study.tif' });
    await choices.setPixelSizes(localFile, { a: 0.5 });
    await accounts.remove(ada.id);
    await rejects(access(accounts.folder(ada.id).path), { code: 'ENOENT' });
    deepEqual(await choices.pixelSizes(localFile), { a: 0.5 });
  });

  it('are empty where their file is invalid', async () => {
    await new StateFiles(join(storage, 'local')).write('pixelSizes', {
      [localFile.key]: { a: 'wide', b: 2 },
    });
    deepEqual(await choices.pixelSizes(localFile), { b: 2 });
    // A later version may read it.
    await choices.setPixelSizes(localFile, { c: 3 });
    deepEqual(await new StateFiles(join(storage, 'local')).read('pixelSizes'), {
      [localFile.key]: { a: 'wide', b: 2, c: 3 },
    });
    await new StateFiles(join(storage, 'local')).write('pixelSizes', [1]);
    deepEqual(await choices.pixelSizes(localFile), {});
  });

  describe('of earlier versions', () => {
    const gone = 'job:0123456789abcdef:7';
    const old = () =>
      new MemoryGlobalState({
        [`pictures:${ofAda('1').key}`]: { a: 'file:///a.tif', b: { uri: 'file:///b.svs', use: { page: 1 } } },
        [`pictures:jobs:${ada.id}:1,2`]: { c: 'file:///c.tif' },
        [`pictures:${localFile.key}`]: { a: 'file:///local.tif' },
        [`pictures:${gone}`]: { a: 'file:///gone.tif' },
        'imageAnalysis.masks.pixelSizes': {
          [ofAda('1').key]: { a: 0.325 },
          [localFile.key]: { a: 0.5 },
          [gone]: { a: 1 },
        },
        'imageAnalysis.masks.classColours': { Nucleus: '#112233', Debris: '#445566' },
      });

    it('move to their account, or to those for files on disk', async () => {
      const state = old();
      await moveOldChoices(state, accounts, choices);
      deepEqual(await choices.backgroundImage(ofAda('1'), 'a'), { uri: 'file:///a.tif' });
      deepEqual(await choices.backgroundImage(ofAda('1'), 'b'), { uri: 'file:///b.svs', use: { page: 1 } });
      deepEqual(await choices.pixelSizes(ofAda('1')), { a: 0.325 });
      deepEqual(await choices.backgroundImage(localFile, 'a'), { uri: 'file:///local.tif' });
      deepEqual(await choices.pixelSizes(localFile), { a: 0.5 });
      const joined = { key: `jobs:${ada.id}:1,2`, accountId: ada.id };
      deepEqual(await choices.backgroundImage(joined, 'c'), { uri: 'file:///c.tif' });
      deepEqual(state.keys(), ['imageAnalysis.masks.classColors']);
      deepEqual(state.get('imageAnalysis.masks.classColors'), { Nucleus: '#112233', Debris: '#445566' });
    });

    it('are deleted where their account is gone', async () => {
      await moveOldChoices(old(), accounts, choices);
      for (const folder of [join(storage, 'local'), accounts.folder(ada.id).state])
        equal((await readFile(join(folder, 'backgroundImages.json'), 'utf8')).includes('gone'), false);
    });

    it('replace no choice made since', async () => {
      await choices.setPixelSizes(ofAda('1'), { a: 2 });
      const state = old();
      await state.update('imageAnalysis.masks.classColors', { Nucleus: '#ffffff' });
      await moveOldChoices(state, accounts, choices);
      deepEqual(await choices.pixelSizes(ofAda('1')), { a: 2 });
      deepEqual(state.get('imageAnalysis.masks.classColors'), { Nucleus: '#ffffff', Debris: '#445566' });
    });

    it('all stay while the file of accounts is damaged', async () => {
      const file = join(storage, 'accounts.json');
      const text = await readFile(file, 'utf8');
      const state = old();
      const before = state.keys().filter(key => !key.endsWith('Colours'));
      for (const damaged of ['', text.slice(0, -5), '{"accounts": {}}', text.replace('one.', 'two.')]) {
        await writeFile(file, damaged);
        await accounts.load();
        await moveOldChoices(state, accounts, choices);
        deepEqual(
          state.keys().filter(key => key !== 'imageAnalysis.masks.classColors'),
          before,
        );
      }
      await writeFile(file, text);
      await accounts.load();
      await moveOldChoices(state, accounts, choices);
      deepEqual(state.keys(), ['imageAnalysis.masks.classColors']);
      deepEqual(await choices.pixelSizes(ofAda('1')), { a: 0.325 });
    });

    it('are deleted where no account was ever signed in', async () => {
      await rm(join(storage, 'accounts.json'));
      await accounts.load();
      const state = old();
      await moveOldChoices(state, accounts, choices);
      deepEqual(state.keys(), ['imageAnalysis.masks.classColors']);
    });

    it('stay for the next time when they cannot be moved', async () => {
      const state = old();
      const before = state.keys();
      const failing = { addMissing: () => Promise.reject(new Error('The disk is full')) };
      await rejects(moveOldChoices(state, accounts, failing));
      deepEqual(state.keys(), before);
    });
  });
});
