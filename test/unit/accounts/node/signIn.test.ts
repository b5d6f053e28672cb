import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, accountId, Accounts } from '../../../../src/accounts/node/accounts';
import {
  accountWithoutKey,
  findAccount,
  PlainHosts,
  signIn,
  signOut,
  suggestedAddress,
  useForProgram,
} from '../../../../src/accounts/node/signIn';
import { silentLog } from '../../../../src/base/log';
import { FixtureServer, sendJson, type Answer } from '../../service/node/fixtureServer';
import { StateFiles } from '../../../../src/accounts/node/stateFiles';
import { itWith } from '../../capabilities';
import { Keychain } from './keychain';

const account = (user: string, more: Partial<Account> = {}): Account => ({
  id: accountId('https://one.example', user),
  baseUrl: 'https://one.example',
  user,
  ...more,
});
const ada = account('ada', { email: 'ada@one.example' });
const grace = account('grace');

describe('The address that sign-in suggests', () => {
  const setting = 'https://set.example';

  it("is the active account's, else the setting's", () => {
    equal(suggestedAddress({ active: ada }, setting), ada.baseUrl);
    equal(suggestedAddress({ active: undefined }, setting), setting);
  });

  it("is never the sample service's", () => {
    equal(suggestedAddress({ active: { ...ada, sample: true } }, setting), setting);
  });
});

describe('An account whose key is in another browser', () => {
  it('is the active one, where this window cannot read its key', async () => {
    const hasKey = (known: boolean) => () => Promise.resolve(known);
    equal(await accountWithoutKey({ active: ada, hasKey: hasKey(false) }), ada);
    equal(await accountWithoutKey({ active: ada, hasKey: hasKey(true) }), undefined);
    equal(await accountWithoutKey({ active: undefined, hasKey: hasKey(false) }), undefined);
  });
});

describe('An account that a program names', () => {
  it('is found by ID, user, email or address', () => {
    for (const which of [ada.id, 'ada', 'ada@one.example', ada.baseUrl])
      equal(findAccount({ all: [ada, grace] }, which), ada);
    throws(() => findAccount({ all: [ada] }, 'linus'), { code: 'not-found', details: { subject: 'linus' } });
  });

  it('is signed out, and no other becomes active; the active one where none is named', async () => {
    const removed: unknown[] = [];
    const accounts = {
      all: [ada, grace],
      active: grace,
      remove: (id: string, { activateNext }: { activateNext: boolean }) =>
        Promise.resolve(void removed.push(id, activateNext)),
    } as unknown as Accounts;
    await signOut(accounts, 'ada');
    await signOut(accounts, undefined);
    deepEqual(removed, [ada.id, false, grace.id, false]);
    await rejects(signOut({ all: [], active: undefined } as unknown as Accounts, undefined), {
      code: 'signed-out',
    });
  });
});

describe('Signing in', () => {
  let folder: string;
  let keychain: Keychain;
  let accounts: Accounts;
  let secrets: string[];
  let servers: FixtureServer[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-analysis-sign-in-'));
    keychain = new Keychain();
    accounts = new Accounts(keychain.storage, folder, silentLog);
    secrets = [];
    servers = [];
  });

  afterEach(async () => {
    accounts.dispose();
    for (const server of servers) await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const serve = async (answer: Answer): Promise<FixtureServer> => {
    const server = await FixtureServer.start(answer);
    servers.push(server);
    return server;
  };
  const accepting: Answer = (_request, response) =>
    sendJson(response, { user: 'ada', email: 'ada@one.example' });
  const parts = () => ({
    accounts,
    plainHosts: new PlainHosts(new StateFiles(folder)),
    network: () => ({ environment: {} }),
    log: { ...silentLog, addSecret: (secret: string) => void secrets.push(secret) },
  });

  it('checks the key with the service, and makes the account the active one', async () => {
    const server = await serve(accepting);
    const signedIn = await signIn(parts(), `${server.origin}/lab/`, 'key-of-ada');
    const baseUrl = `${server.origin}/lab`;
    deepEqual(signedIn, { id: accountId(baseUrl, 'ada'), baseUrl, user: 'ada', email: 'ada@one.example' });
    deepEqual(accounts.active, signedIn);
    equal(await accounts.key(signedIn.id), 'key-of-ada');
    deepEqual(
      server.seen.map(({ method, path }) => `${method} ${path}`),
      ['GET /lab/api/external/check'],
    );
  });

  it('stores nothing when the service refuses the key', async () => {
    const server = await serve((_request, response) => sendJson(response, { message: 'No' }, 401));
    await rejects(signIn(parts(), server.origin, 'wrong-key'), { code: 'invalid-key' });
    deepEqual([accounts.all, [...keychain.keys], await readdir(folder)], [[], [], []]);
  });

  it('hides the key in the log before anything is sent', async () => {
    let hidden: string[] = [];
    const server = await serve((request, response) => {
      hidden = [...secrets];
      accepting(request, response);
    });
    await signIn(parts(), server.origin, 'key-of-ada');
    deepEqual(hidden, ['key-of-ada']);
  });

  it('sends the key nowhere for an address that is none, or that is not encrypted', async () => {
    for (const address of ['one two', 'ftp://one.example', 'http://one.example'])
      await rejects(signIn(parts(), address, 'key-of-ada'), { code: 'bad-request' });
  });

  itWith('anyAddress')(
    'uses http over a network once a person agreed to it for that host, and for no other',
    async () => {
      const server = await serve(accepting);
      // Reaches this machine, but is no loopback address.
      const address = `http://0.0.0.0:${server.port}`;
      await rejects(signIn(parts(), address, 'key-of-ada'), { code: 'bad-request' });
      deepEqual(server.seen, []);
      await parts().plainHosts.confirm(new URL(address).host);
      equal((await signIn(parts(), address, 'key-of-ada')).baseUrl, address);
      for (const other of [`http://0.0.0.0:${server.port + 1}`, 'http://one.example'])
        await rejects(signIn(parts(), other, 'key-of-ada'), { code: 'bad-request' });
    },
  );

  describe('as a program', () => {
    let notices: [string, string][];
    let agrees: boolean;
    const person = {
      notify: (...[{ user }, active]: [Account, Account]) => void notices.push([user, active.user]),
      ask: (...[{ user }, active]: [Account, Account]) => {
        notices.push([`asked ${user}`, active.user]);
        return Promise.resolve(agrees);
      },
    };
    const serveAs = (user: string) =>
      serve((_request, response) => sendJson(response, { user, email: 'x@y.z' }));
    /** Another account of the same email, on another service. */
    const stranger = async (activate?: boolean) => {
      const { origin } = await serveAs('stranger');
      const activation = activate === false ? 'never' : 'if-none';
      const added = await signIn(parts(), origin, 'key-of-stranger', { activation });
      return useForProgram(accounts, added, activate, person);
    };

    beforeEach(() => {
      notices = [];
      agrees = false;
    });

    it('is the first sign-in, as that of a person', async () => {
      equal(await stranger(), true);
      deepEqual([accounts.active?.user, notices], ['stranger', []]);
    });

    describe('while a person uses another account', () => {
      beforeEach(async () => {
        await signIn(parts(), (await serveAs('person')).origin, 'key-of-person');
      });

      const isRefused = { code: 'not-active', details: { subject: 'x@y.z' } };

      it('adds the account, tells the person, and is refused', async () => {
        await rejects(stranger(), isRefused);
        deepEqual(notices, [['stranger', 'person']]);
        deepEqual([accounts.active?.user, accounts.all.length], ['person', 2]);
      });

      it('adds it without a word where it is not to be used', async () => {
        equal(await stranger(false), false);
        deepEqual([accounts.active?.user, accounts.all.length, notices], ['person', 2, []]);
      });

      it('uses it where the person agrees', async () => {
        agrees = true;
        equal(await stranger(true), true);
        deepEqual([accounts.active?.user, notices], ['stranger', [['asked stranger', 'person']]]);
      });

      it('is refused where the person declines', async () => {
        await rejects(stranger(true), isRefused);
        deepEqual([accounts.active?.user, accounts.all.length], ['person', 2]);
      });

      it('switches to none that is known already, but to the one in use', async () => {
        equal(await stranger(false), false);
        const [own, other] = accounts.all;
        await rejects(useForProgram(accounts, other as Account, undefined, person), isRefused);
        equal(await useForProgram(accounts, own as Account, undefined, person), true);
        equal(await useForProgram(accounts, own as Account, true, person), true);
        deepEqual([accounts.active?.user, notices], ['person', [['stranger', 'person']]]);
      });
    });
  });

  it('stops when it is canceled', async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort());
    const { signal } = controller;
    await rejects(signIn(parts(), server.origin, 'key-of-ada', { signal }), { code: 'cancelled' });
    deepEqual(accounts.all, []);
  });

  it('remembers that an account is of the sample service', async () => {
    const server = await serve(accepting);
    const first = await signIn(parts(), server.origin, 'first-key', { sample: true });
    equal(first.sample, true);
    const again = await signIn(parts(), server.origin, 'second-key');
    equal(again.sample, true);
    equal(accounts.all.length, 1);
    equal(await accounts.key(again.id), 'second-key');
  });
});
