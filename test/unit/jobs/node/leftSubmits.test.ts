import { deepEqual, fail } from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountFolder } from '../../../../src/accounts/node/accountFolder';
import type { AccountSession } from '../../../../src/workbench/node/accountSession';
import { pickUpSubmits } from '../../../../src/jobs/node/submit';
import { silentLog } from '../../../../src/base/log';
import { ownerOf, type SystemReader, thisProcess } from '../../../../src/base/node/thisProcess';
import { intentText } from '../../../../src/jobs/node/submitFiles';
import type { DescribedSubmit } from '../../../../src/jobs/node/submitState';
import type { SubmitGuard } from '../../../../src/jobs/node/submitGuard';
import { mac } from '../../foreignDisk';

describe('Picking up submits of windows that are gone', () => {
  const request: DescribedSubmit = { pipelineId: 'p', filesystemIds: ['a'], name: 'plate 7', by: 'person' };
  const all = ['ada', 'grace', 'linus'].map(id => ({ id, baseUrl: 'https://one.example', user: id }));
  let storage: string;

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'image-analysis-left-'));
  });

  afterEach(() => rm(storage, { recursive: true, force: true }));

  async function leave(
    user: string,
    { handled, system }: { handled?: true; system?: SystemReader } = {},
  ): Promise<void> {
    const { submits } = accountFolder({ accounts: storage, caches: storage }, user);
    await mkdir(submits, { recursive: true });
    // The number of a process that can't be.
    const owner = { ...ownerOf(await thisProcess(system)), session: 'gone', pid: 2 ** 30 };
    const state = { at: 'submitted', jobId: '7' } as const;
    await writeFile(
      join(submits, `${'0'.repeat(32)}.1.json`),
      intentText({ owner, request, state, ...(handled && { handled }) }),
    );
  }

  it('stores their jobs and returns their questions; accounts without any, or without a key, get no session', async () => {
    await leave('ada');
    await leave('linus');
    const did: unknown[] = [];
    const session = {
      log: silentLog,
      awaited: { add: () => undefined },
      submitGuard: {
        pickUp: async (store: Parameters<SubmitGuard['pickUp']>[0]) => {
          await store('7', request);
          return [{ request, candidates: ['8'] }];
        },
      },
      runs: { submitted: (...args: unknown[]) => Promise.resolve(void did.push(['stored', ...args])) },
      tracker: { track: (...args: unknown[]) => Promise.resolve(void did.push(['tracked', ...args])) },
    } as unknown as AccountSession;
    const questions = await pickUpSubmits(
      {
        all,
        folder: id => accountFolder({ accounts: storage, caches: storage }, id),
        hasKey: id => Promise.resolve(id !== 'linus'),
      },
      {
        of: id => Promise.resolve(void did.push(['opened', id])).then(() => session),
        currentProcess: thisProcess,
      },
      silentLog,
    );
    const described = { pipelineId: 'p', filesystemIds: ['a'], name: 'plate 7' };
    deepEqual(questions, [{ session, request: described, candidates: ['8'] }]);
    deepEqual(did, [
      ['opened', 'ada'],
      ['stored', '7', described, 'person'],
      ['tracked', '7', { what: 'analysis', by: 'person', name: 'plate 7' }],
    ]);
  });

  it('goes on with the next account where that of one fails', async () => {
    await leave('ada');
    await leave('grace');
    const opened: string[] = [];
    const errors: string[] = [];
    await pickUpSubmits(
      {
        all,
        folder: id => accountFolder({ accounts: storage, caches: storage }, id),
        hasKey: () => Promise.resolve(true),
      },
      { of: id => Promise.reject(new Error(String(opened.push(id)))), currentProcess: thisProcess },
      { ...silentLog, error: message => void errors.push(message) },
    );
    deepEqual(opened, ['ada', 'grace']);
    deepEqual(errors, new Array(2).fill('Picking up the submits of an account failed'));
  });

  it('finds those that were left in another network, which gives the machine another name', async () => {
    await leave('ada', { system: mac('mac-in-the-lab.local') });
    const pickUpOn = async (system: SystemReader) => {
      const opened: string[] = [];
      await pickUpSubmits(
        {
          all,
          folder: id => accountFolder({ accounts: storage, caches: storage }, id),
          hasKey: () => Promise.resolve(true),
        },
        {
          of: id => Promise.reject(new Error(String(opened.push(id)))),
          currentProcess: () => thisProcess(system),
        },
        silentLog,
      );
      return opened;
    };
    deepEqual(await pickUpOn(mac('mac-at-home.local')), ['ada']);
    // One that shares the home, and has got the name by now.
    deepEqual(await pickUpOn(mac('mac-in-the-lab.local', '564D0C1E-0002')), []);
  });

  it('does not find out which machine this is where nothing was left', async () => {
    await leave('ada', { handled: true });
    await pickUpSubmits(
      {
        all,
        folder: id => accountFolder({ accounts: storage, caches: storage }, id),
        hasKey: () => Promise.resolve(true),
      },
      {
        of: () => Promise.reject(new Error('not needed')),
        currentProcess: () => Promise.reject(new Error('not needed')),
      },
      { ...silentLog, error: message => fail(message) },
    );
  });
});
