import type { ResultChoices } from '../../../../src/results/node/resultChoices';
import * as assert from 'node:assert/strict';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { backgroundImagePairingSource } from '../../../../src/linking/node/backgroundImageFinder';
import { FileResult, type FileUri, JobResult } from '../../../../src/session/node/resultSource';
import type { UploadRecord } from '../../../../src/uploads/node/uploadRecords';

type BackgroundImageChoice = Parameters<ResultChoices['setBackgroundImage']>[2];

const signal = new AbortController().signal;
const uriOf = (path: string): FileUri => ({
  scheme: 'file',
  path,
  fsPath: path,
  toString: () => `file://${path}`,
});

function pairing(files: string[] = []) {
  const patterns: string[] = [];
  const stored = new Map<string, BackgroundImageChoice>();
  const source = backgroundImagePairingSource({
    choices: {
      imagesWithBackground: ({ key }) => {
        const ids = [...stored.keys()].filter(each => each.startsWith(`${key} `));
        return Promise.resolve(new Set(ids.map(each => each.slice(key.length + 1))));
      },
      backgroundImage: (result, id) => Promise.resolve(stored.get(`${result.key} ${id}`)),
      setBackgroundImage: (result, id, choice) => {
        stored.set(`${result.key} ${id}`, choice);
        return Promise.resolve();
      },
    },
    findFiles: pattern => {
      patterns.push(pattern);
      return Promise.resolve(files.map(uriOf));
    },
    selectFile: () => Promise.resolve(undefined),
    parseUri: text => uriOf(text.replace('file://', '')),
    identityOf: uri =>
      uri.endsWith('/gone.tif') ? Promise.reject(new Error('gone')) : Promise.resolve('1:2:3'),
  });
  return { source, patterns };
}

/** A job of an account whose upload records hold this one. */
function jobWith(record: Partial<UploadRecord> | undefined): JobResult {
  const ofItems = (ids: ReadonlySet<string>) => Promise.resolve(new Map([...ids].map(id => [id, record])));
  const uploadRecords = { find: () => Promise.resolve(record), ofItems };
  const session = { uploadRecords } as unknown as AccountSession;
  return new JobResult({ of: () => Promise.resolve(session) }, 'me', '1', 'Plate');
}

describe('The source of background images', () => {
  const file = new FileResult(uriOf('/masks.zip'), 'masks');

  it('finds files of the workspace by their whole name', async () => {
    const { source, patterns } = pairing(['/w/a.tif', '/w/ba.tif', '/w/sub/a.tif']);
    const found = await source.workspaceFilesNamed('a.tif', signal);
    assert.deepEqual(
      found.map(({ path }) => path),
      ['/w/a.tif', '/w/sub/a.tif'],
    );
    assert.deepEqual(patterns, ['**/a.tif']);
  });

  it('finds names with the special characters of patterns', async () => {
    const { source, patterns } = pairing(['/w/a[1]{2}.tif', '/w/aX1X{2}.tif']);
    const found = await source.workspaceFilesNamed('a[1]{2}.tif', signal);
    assert.deepEqual(patterns, ['**/a?1??2?.tif']);
    assert.deepEqual(
      found.map(({ path }) => path),
      ['/w/a[1]{2}.tif'],
    );
  });

  it('finds names whose accents are encoded either way', async () => {
    const { source, patterns } = pairing(['/w/Zelle\u0308.tif', '/w/Zell\u00eb.tif', '/w/Zelle.tif']);
    const found = await source.workspaceFilesNamed('Zelle\u0308.tif', signal);
    assert.deepEqual(patterns, ['**/Zell*.tif']);
    assert.equal(found.length, 2);
  });

  it('includes upload records of jobs only', async () => {
    const { source } = pairing();
    const record = { uri: 'file:///a.tif', sha256: 'ab', size: 1, identity: '1:2:3' };
    assert.deepEqual(await source.uploadRecord(jobWith(record), 'i'), {
      uri: 'file:///a.tif',
      sha256: 'ab',
      size: 1,
      isUnchanged: true,
    });
    assert.equal(await source.uploadRecord(jobWith(undefined), 'i'), undefined);
    assert.equal(await source.uploadRecord(file, 'i'), undefined);
  });

  it('notices that an uploaded file has changed or is gone', async () => {
    const { source } = pairing();
    for (const [uri, identity] of [
      ['file:///a.tif', '1:1:3'],
      ['file:///gone.tif', '1:2:3'],
    ] as const) {
      const found = await source.uploadRecord(jobWith({ uri, size: 1, identity }), 'i');
      assert.deepEqual(found, { uri, size: 1, isUnchanged: false });
    }
  });

  it('finds the unchanged files of many images at once, without those for which another was chosen', async () => {
    const { source } = pairing();
    const record = { uri: 'file:///a.tif', size: 1, identity: '1:2:3' };
    const job = jobWith(record);
    await source.storeChoice(job, 'j', uriOf('/w/other.tif'));
    assert.deepEqual(await source.unchangedUploads(job, ['i', 'j']), new Map([['i', 'file:///a.tif']]));
    assert.equal((await source.unchangedUploads(jobWith({ ...record, identity: '1' }), ['i'])).size, 0);
    assert.equal((await source.unchangedUploads(file, ['i'])).size, 0);
  });

  it('takes no mark for a hash', async () => {
    const record = { uri: 'file:///a.tif', sha256: 'not-computed', size: 1, identity: '1:1:3' };
    const found = await pairing().source.uploadRecord(jobWith(record), 'i');
    assert.deepEqual(found, { uri: 'file:///a.tif', size: 1, isUnchanged: false });
  });

  it('returns the choice that was stored for an image', async () => {
    const { source } = pairing();
    assert.equal(await source.storedChoice(file, 'i'), undefined);
    await source.storeChoice(file, 'i', uriOf('/w/a.tif'), { level: 1 });
    const choice = await source.storedChoice(file, 'i');
    assert.equal(choice?.uri.path, '/w/a.tif');
    assert.deepEqual(choice.use, { level: 1 });
    assert.equal(await source.storedChoice(file, 'j'), undefined);
  });
});
