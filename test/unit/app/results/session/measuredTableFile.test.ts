import { deepEqual, rejects } from 'node:assert/strict';
import {
  MeasuredTableFile,
  type MeasuredTableParts,
} from '../../../../../src/app/results/session/measuredTableFile';
import { canceledError } from '../../../../../src/base/errors';
import { silentLog } from '../../../../../src/base/log';
import { fileUri } from './ownTableFixture';

describe('A table measured from masks', () => {
  it('leaves no background image open when it is canceled while these are opened', async () => {
    const canceling = new AbortController();
    const open = new Set<number>();
    const image = (index: number) => ({ index, id: String(index), objectCount: 1, width: 5, height: 5 });
    const requests = {
      openBackgroundImage: () => {
        if (open.size === 1) {
          canceling.abort();
          throw canceledError();
        }
        open.add(7);
        return {
          backgroundImage: 7,
          width: 5,
          height: 5,
          channels: 1,
          channelNames: [],
          pages: [],
          levels: [],
        };
      },
      closeBackgroundImage: ({ backgroundImage }: { backgroundImage: number }) =>
        open.delete(backgroundImage),
    };
    const session = {
      source: {},
      openMasks: () => Promise.resolve({ images: [image(0), image(1)] }),
      requestMasks: (method: keyof typeof requests, params: { backgroundImage: number }) =>
        Promise.resolve().then<unknown>(() => requests[method](params)),
    };
    const table = new MeasuredTableFile({
      session,
      pairing: { storedChoice: () => Promise.resolve({ uri: fileUri('file:///a.tif') }) },
      copies: { pathOf: () => Promise.resolve('/a.tif'), dispose: () => undefined },
      log: silentLog,
    } as unknown as MeasuredTableParts);
    await rejects(table.path(canceling.signal), { code: 'cancelled' });
    deepEqual([...open], []);
    table.dispose();
  });
});
