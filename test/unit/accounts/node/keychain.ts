import type { SecretStore } from '../../../../src/accounts/node/accountKeys';
import { Emitter } from '../../../../src/base/event';

/** A keychain that several windows share; each hears of every change. */
export class Keychain {
  readonly keys = new Map<string, string>();
  readonly changed = new Emitter<{ key: string }>();
  failing = false;

  get storage(): SecretStore {
    return {
      keys: () => Promise.resolve([...this.keys.keys()]),
      get: name => Promise.resolve(this.keys.get(name)),
      store: (name, value) => {
        if (this.failing) return Promise.reject(new Error('The keychain is locked'));
        this.keys.set(name, value);
        this.changed.fire({ key: name });
        return Promise.resolve();
      },
      delete: name => {
        if (this.failing) return Promise.reject(new Error('The keychain is locked'));
        this.keys.delete(name);
        this.changed.fire({ key: name });
        return Promise.resolve();
      },
      onDidChange: this.changed.event,
    };
  }
}
