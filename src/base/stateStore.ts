/**
 * Small JSON values stored between sessions, one namespace per account. The implementation writes atomically, so a
 * value is complete or absent. A key is a short name such as `jobs`; never put a secret in it.
 */
export interface StateStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
}
