import type { StateStore } from '../../base/stateStore';

/** The hosts to which a person agreed to send keys and images unencrypted, over http. This machine isn't among them: it needs no consent. */
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
