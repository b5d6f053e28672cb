import * as assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { diskFacts } from '../../../../src/uploads/node/fileSources';
import { type RecordedUpload, UploadHashes } from '../../../../src/uploads/node/uploadRecords';
import { Emitter } from '../../../../src/base/event';
import { canceledError } from '../../../../src/base/errors';
import { silentLog } from '../../../../src/base/log';
import { hashFile } from '../../../../src/images/engine/fileByteSource';

const SHA256_OF_IMAGE = '6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d';

describe('Hashes of uploaded files', () => {
  let folder: string;
  let file: string;
  let added: Emitter<RecordedUpload>;
  /** The hashes that were added, and a wait for a number of them. */
  let hashes: [itemId: string, sha256: string][];
  let onHash: () => void;
  let engines: { running: number; started: number };
  let whileHashing: (signal: AbortSignal) => Promise<void>;
  /** Ends the wait for idleness. */
  let tick: () => void;
  let service: UploadHashes;
  let errors: string[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hashes-'));
    file = path.join(folder, 'a.tif');
    await writeFile(file, 'image');
    added = new Emitter();
    hashes = [];
    errors = [];
    onHash = () => undefined;
    engines = { running: 0, started: 0 };
    whileHashing = () => Promise.resolve();
    tick = () => undefined;
    service = new UploadHashes({
      records: {
        onDidAdd: added.event,
        addHash: (itemId, sha256) => {
          hashes.push([itemId, sha256]);
          onHash();
        },
      },
      startEngine: () => {
        engines.running += 1;
        engines.started += 1;
        const request = async (_name: string, params: { path: string }, signal: AbortSignal) => {
          await whileHashing(signal);
          return hashFile(params.path, signal);
        };
        return { endpoint: { request } as never, dispose: () => (engines.running -= 1) };
      },
      log: { ...silentLog, error: message => errors.push(message) },
      delay: (_, signal) =>
        new Promise((resolve, reject) => {
          tick = resolve;
          signal.addEventListener('abort', () => reject(canceledError()));
        }),
    });
  });

  afterEach(async () => {
    service.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function upload(itemId: string, uri = pathToFileURL(file).toString()): Promise<RecordedUpload> {
    const { size, identity } = await diskFacts(file, 'a.tif');
    return { itemId, record: { uri, fileName: 'a.tif', size, identity, uploadedAt: '2024' } };
  }

  function hashed(count: number): Promise<void> {
    return new Promise(resolve => {
      onHash = () => {
        if (hashes.length >= count) resolve();
      };
      onHash();
    });
  }

  it('are computed in one thread once nothing was uploaded for a while', async () => {
    added.fire(await upload('1'));
    added.fire(await upload('2'));
    assert.equal(engines.started, 0);
    tick();
    await hashed(2);
    assert.deepEqual(hashes, [
      ['1', SHA256_OF_IMAGE],
      ['2', SHA256_OF_IMAGE],
    ]);
    assert.equal(engines.started, 1);
  });

  it('are marked as not computed for a file that has changed, is gone or is not on a disk', async () => {
    const [changed, gone, virtual] = [await upload('1'), await upload('2'), await upload('3', 'virtual:/a')];
    await writeFile(file, 'later');
    added.fire(changed);
    added.fire({ ...gone, record: { ...gone.record, uri: pathToFileURL(`${file}.none`).toString() } });
    added.fire(virtual);
    tick();
    await hashed(3);
    assert.deepEqual(
      hashes.map(([, hash]) => hash),
      ['not-computed', 'not-computed', 'not-computed'],
    );
  });

  it('are marked as not computed for a file that changes while it is read', async () => {
    whileHashing = () => writeFile(file, 'later');
    added.fire(await upload('1'));
    tick();
    await hashed(1);
    assert.deepEqual(hashes, [['1', 'not-computed']]);
  });

  it('wait while files are uploaded, and are computed after that', async () => {
    const held = service.hold();
    added.fire(await upload('1'));
    assert.equal(engines.started, 0);
    held.dispose();
    tick();
    await hashed(1);
    assert.deepEqual(hashes, [['1', SHA256_OF_IMAGE]]);
  });

  it('are interrupted by an upload, and start again after it', async () => {
    let reached: () => void = () => undefined;
    const reading = new Promise<void>(resolve => (reached = resolve));
    whileHashing = signal =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(canceledError()));
        reached();
      });
    added.fire(await upload('1'));
    tick();
    await reading;
    const held = service.hold();
    whileHashing = () => Promise.resolve();
    // The thread is gone before the upload ends.
    while (engines.running > 0) await new Promise(setImmediate);
    tick = () => undefined;
    held.dispose();
    tick();
    await hashed(1);
    assert.deepEqual(hashes, [['1', SHA256_OF_IMAGE]]);
    assert.equal(engines.started, 2);
  });

  it('are attempted once where the thread fails', async () => {
    whileHashing = () => Promise.reject(new Error('the thread crashed'));
    added.fire(await upload('1'));
    tick();
    while (errors.length === 0) await new Promise(setImmediate);
    assert.deepEqual(errors, ['Uploaded files could not be hashed']);
    assert.deepEqual(engines, { running: 0, started: 1 });
  });

  it('are not computed after disposal', async () => {
    added.fire(await upload('1'));
    service.dispose();
    tick();
    await new Promise(setImmediate);
    assert.equal(engines.started, 0);
  });
});
