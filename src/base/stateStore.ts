/**
 * Small JSON values kept between sessions, one namespace per account. The implementation writes aside and renames, so
 * a value is whole or absent. A key is a short name such as `jobs`; never put a secret in it.
 */
export interface StateStore {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
}
