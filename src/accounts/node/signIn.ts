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
  /** For tests: the clock of requests. */
  testing?: Pick<TransportOptions, 'delay' | 'now'>;
}

/**
 * Checks the key with the service, and adds the account, as the active one by default. The key is
 * only sent to `address`. Throws `invalid-key`, `bad-request` for an address that is invalid or
 * unencrypted without a user's consent, and errors of requests.
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
    // The sample service must start on demand, even if a user signed in to it by its address.
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
 * The active account, if this window doesn't have its key: it was entered in another browser, or
 * the browser's data was cleared. Signing in then needs no address, and for the sample service no
 * input at all.
 */
export async function accountWithoutKey(
  accounts: Pick<Accounts, 'active' | 'hasKey'>,
): Promise<Account | undefined> {
  const { active } = accounts;
  return active && !(await accounts.hasKey(active.id)) ? active : undefined;
}

/** The account with this ID, user, email or address. Throws `not-found`. */
export function findAccount({ all }: Pick<Accounts, 'all'>, nameOfAccount: string): Account {
  const account = all.find(({ id, user, baseUrl, email }) =>
    [id, user, baseUrl, email].includes(nameOfAccount),
  );
  if (!account) throw new CodedError('not-found', 'Account not found', { subject: nameOfAccount });
  return account;
}

/** Tells or asks a user that a program wants to use an account. `active`: the user's account. */
export interface UserPrompts {
  /** Shows a notification with a button that switches to the account. Doesn't wait. */
  notify(account: Account, active: Account): void;
  /** Resolves with whether the user wants to switch to the account. */
  ask(account: Account, active: Account): Promise<boolean>;
}

/**
 * Lets a program use an account; returns whether it is active then. It becomes active if no account
 * is; else only a user replaces theirs. With `activate` true, the user is asked; with false,
 * nothing happens; without it, a notification is shown. Throws `not-active` if the account isn't
 * active then, unless `activate` is false.
 */
export async function useForProgram(
  accounts: Pick<Accounts, 'active' | 'activate'>,
  account: Account,
  activate: boolean | undefined,
  prompts: UserPrompts,
): Promise<boolean> {
  if (await accounts.activate(account.id, activate === false ? 'never' : 'if-none')) return true;
  if (activate === false) return false;
  const { active } = accounts;
  if (active && activate) {
    if ((await prompts.ask(account, active)) && (await accounts.activate(account.id))) return true;
  } else if (active) {
    prompts.notify(account, active);
  }
  throw new CodedError('not-active', 'The account is signed in, but a person uses another one', {
    subject: account.email ?? account.user,
  });
}

/**
 * Signs out an account that findAccount finds, or the active one. Activates no other account: a
 * program doesn't select the user's account. Throws `not-found`, `signed-out`.
 */
export async function signOut(accounts: Accounts, nameOfAccount: string | undefined): Promise<void> {
  const account = nameOfAccount === undefined ? accounts.active : findAccount(accounts, nameOfAccount);
  if (!account) throw new CodedError('signed-out', 'No account is signed in');
  await accounts.remove(account.id, { activateNext: false });
}

/**
 * Hosts that a user allows to receive keys and images unencrypted, over http. This machine needs no
 * consent.
 */
export class PlainHosts {
  constructor(private readonly state: StateStore) {}

  /** Host names with ports, as in addresses. */
  async all(): Promise<ReadonlySet<string>> {
    const stored = await this.state.read(STATE);
    return new Set((Array.isArray(stored) ? stored : []).filter(host => typeof host === 'string'));
  }

  /** Stores a user's consent; programs can't call this. */
  async confirm(host: string): Promise<void> {
    await this.state.write(STATE, [...new Set([...(await this.all()), host])]);
  }
}

const STATE = 'plainHosts';
