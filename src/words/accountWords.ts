import { nameInSentence } from './inertText';
import type { Translate } from './translate';

/** The members of an account that a person sees. */
interface ShownAccount {
  baseUrl: string;
  user: string;
  email?: string | undefined;
}

/** Who is signed in: the email, or the user name if the service sends no email. */
export function userOf({ email, user }: ShownAccount): string {
  return email ?? user;
}

/** The service's host with its port, and its path if any. */
export function hostOf({ baseUrl }: ShownAccount): string {
  const { host, pathname } = new URL(baseUrl);
  return host + pathname.replace(/\/+$/, '');
}

/** An account's label in a list of several. */
export function accountOnHost(account: ShownAccount): string {
  return `${userOf(account)} · ${hostOf(account)}`;
}

/**
 * The text beside a view's title. Accounts may have the same email at several services: the host
 * says where uploads go. It comes first, as a narrow side bar cuts off the end.
 */
export function accountBesideTitle(active: ShownAccount, isOnly: boolean): string {
  return isOnly ? userOf(active) : `${hostOf(active)} · ${userOf(active)}`;
}

/** What a program did, or wants to do, with an account that isn't in use. */
export type ProgramRequest = 'signed-in' | 'wants-to-switch';

/** The notice that a program added an account or wants to use it. The active account stays. */
export function accountNotice(
  t: Translate,
  request: ProgramRequest,
  account: ShownAccount,
  active: ShownAccount,
): string {
  const names = namesOf(account, active);
  return request === 'signed-in'
    ? t('A program signed in to {1} as {0}. You still use {2} on {3}.', ...names)
    : t('A program wants to use {0} on {1}. You still use {2} on {3}.', ...names);
}

/** Asks a person whether a program may change the account in use. */
export function askForAccountWords(
  t: Translate,
  account: ShownAccount,
  active: ShownAccount,
): { question: string; detail: string } {
  return {
    question: t('Use {0} on {1} instead of {2} on {3}?', ...namesOf(account, active)),
    detail: t('A program requests this. Your uploads and jobs then go to that account and service.'),
  };
}

function namesOf(
  account: ShownAccount,
  active: ShownAccount,
): [user: string, host: string, activeUser: string, activeHost: string] {
  return [
    nameInSentence(userOf(account)),
    nameInSentence(hostOf(account)),
    nameInSentence(userOf(active)),
    nameInSentence(hostOf(active)),
  ];
}
