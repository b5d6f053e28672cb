import { createHash } from 'node:crypto';

/** Who is signed in where. Its key lives in SecretStorage and nowhere else. */
export interface Account {
  /** Derived from base URL and user; names the account's folder and its secret. */
  id: string;
  baseUrl: string;
  user: string;
  email?: string;
  /** The account of the sample service that ships with the extension. */
  sample?: boolean;
  /** A program added it, and it was never used since: only a person, or a call where none is used, makes it the active one. */
  unused?: true;
}

/** An account is a base URL and a user: the same user on two services is two accounts. */
export function accountId(baseUrl: string, user: string): string {
  return createHash('sha256').update(`${baseUrl}\n${user}`).digest('hex').slice(0, 16);
}
