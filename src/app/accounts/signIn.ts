import type { NetworkSettings } from '../../api/network/networkSettings';
import type { TransportOptions } from '../../api/transport';
import { CodedError } from '../../base/errors';
import type { MaskedLog } from '../log/maskedLog';
import { accountId, type Account } from './account';
import type { Accounts } from './accounts';
import type { PlainHosts } from './plainHosts';

export interface SignInParts {
  accounts: Accounts;
  plainHosts: PlainHosts;
  network: () => NetworkSettings;
  log: MaskedLog;
  /** For tests: the time that requests go by. */
  testing?: Pick<TransportOptions, 'delay' | 'now'>;
}

/**
 * Checks the key with the service and adds the account, as the active one. The key is sent to `address` and nowhere else.
 * Throws `invalid-key`, `bad-request` for an address that isn't one or is unencrypted without a person's consent, and what
 * requests throw.
 */
export async function signIn(
  { accounts, plainHosts, network, log, testing }: SignInParts,
  address: string,
  apiKey: string,
  options: { sample?: boolean; signal?: AbortSignal } = {},
): Promise<Account> {
  const [{ AnalysisClient }, { Transport }, { normalizeBaseUrl }] = await Promise.all([
    import('../../api/client'),
    import('../../api/transport'),
    import('../../api/baseUrl'),
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
    // The sample service must be started on demand, also when a person signed in to it by its address.
    const sample = options.sample ?? accounts.all.find(known => known.id === id)?.sample;
    const account: Account = { id, baseUrl, user, ...(email && { email }), ...(sample && { sample }) };
    await accounts.add(account, apiKey);
    return account;
  } finally {
    transport.dispose();
  }
}

/** The address to suggest at sign-in: that of the active account, but never the sample service's; else the setting's. */
export function suggestedAddress({ active }: Pick<Accounts, 'active'>, setting: string): string {
  return active && !active.sample ? active.baseUrl : setting;
}

/** The account with this ID, user, email or address. Throws `not-found`. */
export function findAccount({ all }: Pick<Accounts, 'all'>, which: string): Account {
  const account = all.find(({ id, user, baseUrl, email }) => [id, user, baseUrl, email].includes(which));
  if (!account) throw new CodedError('not-found', 'Account not found', { subject: which });
  return account;
}

/** Signs out an account as findAccount finds it; the active one where none is named. Throws `not-found`, `signed-out`. */
export async function signOut(accounts: Accounts, which: string | undefined): Promise<void> {
  const account = which === undefined ? accounts.active : findAccount(accounts, which);
  if (!account) throw new CodedError('signed-out', 'No account is signed in');
  await accounts.remove(account.id);
}
