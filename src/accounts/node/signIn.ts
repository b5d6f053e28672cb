import { CodedError } from '../../base/errors';
import type { MaskedLog } from '../../host/logEntries';
import type { NetworkSettings } from '../../service/node/networkSettings';
import type { TransportOptions } from '../../service/node/transport';
import { type Account, accountId, type Accounts, type Activation } from './accounts';
import type { StateStore } from './stateFiles';

interface SignInDependencies {
  accounts: Accounts;
  plainHosts: PlainHosts;
  network: () => NetworkSettings;
  log: MaskedLog;
  /** For tests: the time that requests go by. */
  testing?: Pick<TransportOptions, 'delay' | 'now'>;
}

/**
 * Checks the key with the service and adds the account, by default as the active one. The key is
 * sent to `address` and nowhere else. Throws `invalid-key`, `bad-request` for an address that isn't
 * one or is unencrypted without a person's consent, and what requests throw.
 */
export async function signIn(
  { accounts, plainHosts, network, log, testing }: SignInDependencies,
  address: string,
  apiKey: string,
  options: { sample?: boolean; signal?: AbortSignal; activation?: Activation } = {},
): Promise<Account> {
  const [{ AnalysisClient }, { Transport }, { normalizeBaseUrl }] = await Promise.all([
    import('../../service/node/client'),
    import('../../service/node/transport'),
    import('../../service/node/baseUrl'),
  ]);
  const baseUrl = normalizeBaseUrl(address, await plainHosts.all());
  log.addSecret(apiKey);
  const transport = new Transport({
    baseUrl,
    apiKey: () => Promise.resolve(apiKey),
    network: network(),
    log,
    ...testing,
  });
  try {
    const { user, email } = await new AnalysisClient(transport).check(options.signal);
    const id = accountId(baseUrl, user);
    // The sample service must be started on demand, also when a person signed in to it by its
    // address.
    const sample = options.sample ?? accounts.all.find(signedIn => signedIn.id === id)?.sample;
    const account: Account = { id, baseUrl, user, ...(email && { email }), ...(sample && { sample }) };
    await accounts.add(account, apiKey, options.activation);
    return account;
  } finally {
    transport.dispose();
  }
}

/** The address to suggest: the active account's, never the sample service's; else the setting's. */
export function suggestedAddress({ active }: Pick<Accounts, 'active'>, setting: string): string {
  return active && !active.sample ? active.baseUrl : setting;
}

/**
 * The active account, if this window can't read its key: it was entered in another browser, or the
 * browser's data was cleared. Signing in then needs no address, and for the sample service nothing
 * at all.
 */
export async function accountWithoutKey(
  accounts: Pick<Accounts, 'active' | 'hasKey'>,
): Promise<Account | undefined> {
  const { active } = accounts;
  return active && !(await accounts.hasKey(active.id)) ? active : undefined;
}

/** The account with this ID, user, email or address. Throws `not-found`. */
export function findAccount({ all }: Pick<Accounts, 'all'>, which: string): Account {
  const account = all.find(({ id, user, baseUrl, email }) => [id, user, baseUrl, email].includes(which));
  if (!account) throw new CodedError('not-found', 'Account not found', { subject: which });
  return account;
}

/** Informs a person of what a program wants, or asks. `active` is the account they use. */
export interface PersonAtHand {
  /** Notifies them, with a button that switches to the account. Awaits nothing. */
  tell(account: Account, active: Account): void;
  /** Resolves to whether they want the account used instead of theirs. */
  ask(account: Account, active: Account): Promise<boolean>;
}

/**
 * Whether an account that a program may use is the active one. It becomes active if none is; only a
 * person replaces the one they use. With `activate` true they are asked, with false nothing
 * happens, and without it they are notified. Throws `not-active` if the account isn't active then,
 * unless the program wanted that.
 */
export async function useForProgram(
  accounts: Pick<Accounts, 'active' | 'activate'>,
  account: Account,
  activate: boolean | undefined,
  person: PersonAtHand,
): Promise<boolean> {
  if (await accounts.activate(account.id, activate === false ? 'never' : 'if-none')) return true;
  if (activate === false) return false;
  const { active } = accounts;
  if (active && activate) {
    if ((await person.ask(account, active)) && (await accounts.activate(account.id))) return true;
  } else if (active) {
    person.tell(account, active);
  }
  throw new CodedError('not-active', 'The account is signed in, but a person uses another one', {
    subject: account.email ?? account.user,
  });
}

/**
 * Signs out an account that findAccount finds, or the active one. Activates no other: a program
 * doesn't choose who a person is. Throws `not-found`, `signed-out`.
 */
export async function signOut(accounts: Accounts, which: string | undefined): Promise<void> {
  const account = which === undefined ? accounts.active : findAccount(accounts, which);
  if (!account) throw new CodedError('signed-out', 'No account is signed in');
  await accounts.remove(account.id, { then: 'none' });
}

/**
 * Hosts to which a person agreed to send keys and images unencrypted, over http; this machine needs
 * no consent.
 */
export class PlainHosts {
  constructor(private readonly state: StateStore) {}

  /** Hosts with their ports, as in an address. */
  async all(): Promise<ReadonlySet<string>> {
    const read = await this.state.read(STATE);
    return new Set((Array.isArray(read) ? read : []).filter(host => typeof host === 'string'));
  }

  /** Remembers a person's consent. Programs have no way here. */
  async confirm(host: string): Promise<void> {
    await this.state.write(STATE, [...new Set([...(await this.all()), host])]);
  }
}

const STATE = 'plainHosts';
