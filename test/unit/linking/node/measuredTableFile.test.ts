import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeAtomicFile } from '../../../../src/base/node/atomicFile';
import { MeasuredTableFile } from '../../../../src/linking/node/measuredTable';
import { canceledError, CodedError } from '../../../../src/base/errors';
import { Emitter } from '../../../../src/base/event';
import { silentLog } from '../../../../src/base/log';
import { ForeignDisk } from '../../foreignDisk';
import { fileUri } from './measuredTableFixture';

describe('A table measured from masks', () => {
  const image = (index: number) => ({ index, id: String(index), objectCount: 1, width: 5, height: 5 });
  const opened = (backgroundImage: number) => ({
    ...{ backgroundImage, width: 5, height: 5, channels: 1, channelNames: [], pages: [], levels: [] },
  });

  /**
   * A table of masks of two images, for which a file is chosen each; `requests` are answered by the
   * test.
   */
  function measured(
    requests: Record<string, (params: { backgroundImage: number; path: string }) => unknown>,
  ) {
    const lost = new Emitter<void>();
    const session = {
      source: {},
      onDidLoseEngine: lost.event,
      masks: {
        open: () => Promise.resolve({ images: [image(0), image(1)] }),
        request: (method: string, params: { backgroundImage: number; path: string }) =>
          Promise.resolve().then(() => requests[method]?.(params)),
      },
    };
    const table = new MeasuredTableFile({
      session,
      pairing: { storedChoice: () => Promise.resolve({ uri: fileUri(pathToFileURL('/a.tif').href) }) },
      copies: { pathOf: () => Promise.resolve('/a.tif'), dispose: () => undefined },
      log: silentLog,
    } as never);
    return { table, lost };
  }

  it('leaves no background image open when it is canceled while these are opened', async () => {
    const canceling = new AbortController();
    const open = new Set<number>();
    const { table } = measured({
      openBackgroundImage: () => {
        if (open.size === 1) {
          canceling.abort();
          throw canceledError();
        }
        open.add(7);
        return opened(7);
      },
      closeBackgroundImage: ({ backgroundImage }) => open.delete(backgroundImage),
    });
    await rejects(table.path(canceling.signal), { code: 'cancelled' });
    deepEqual([...open], []);
    table.dispose();
  });

  it('is measured again while the file from before is open, which goes as soon as it can', async () => {
    const { table } = measured({
      openBackgroundImage: () => opened(1),
      writeMeasuredTable: ({ path }) => writeAtomicFile(path, handle => handle.writeFile('Area\n1\n')),
    });
    const { signal } = new AbortController();
    const first = await table.path(signal);
    using disk = new ForeignDisk(dirname(first));
    const held = disk.hold(first, 'EPERM');
    table.forget();
    const second = await table.path(signal);
    notEqual(second, first);
    equal(await table.path(signal), second);
    held.dispose();
    table.forget();
    const third = await table.path(signal);
    deepEqual(
      [first, second, third].map(path => existsSync(path)),
      [false, false, true],
    );
    disk.dispose();
    table.dispose();
    while (existsSync(dirname(third))) await new Promise(resolve => setImmediate(resolve));
  });

  it('closes nothing in the engine that follows one that crashed: the numbers are those of other images', async () => {
    const closed: number[] = [];
    let opens = 0;
    const { table, lost } = measured({
      openBackgroundImage: () => opened(++opens),
      closeBackgroundImage: ({ backgroundImage }) => closed.push(backgroundImage),
      writeMeasuredTable: () => {
        lost.fire();
        throw new Error('out of memory');
      },
    });
    await rejects(table.path(new AbortController().signal), /out of memory/);
    deepEqual([opens, closed], [2, []]);
    table.dispose();
  });

  it('is measured with no image whose number is that of another since the engine crashed', async () => {
    for (const crashes of [true, false]) {
      let opens = 0;
      let written = 0;
      const { table, lost } = measured({
        openBackgroundImage: () => {
          if (++opens === 1) return opened(1);
          lost.fire();
          // The engine that crashed, or the next one.
          if (crashes) throw new CodedError('too-many-objects', 'out of memory');
          return opened(1);
        },
        writeMeasuredTable: () => written++,
      });
      await rejects(table.path(new AbortController().signal), crashes ? /out of memory/ : /crashed/);
      deepEqual(written, 0);
      table.dispose();
    }
  });
});
