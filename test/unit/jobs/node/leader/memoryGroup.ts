import { Emitter } from '../../../../../src/base/event';
import type { Peer, Role } from '../../../../../src/jobs/node/windowGroup';

/** The windows of one account in memory: messages arrive in the same turn, as JSON has them. */
export class MemoryGroup {
  private readonly windows: MemoryWindow[] = [];

  window(): MemoryWindow {
    const window = new MemoryWindow(this);
    this.windows.push(window);
    return window;
  }

  get leader(): MemoryWindow | undefined {
    return this.windows.find(({ role }) => role === 'leading');
  }
}

export class MemoryWindow {
  role: Role = 'alone';
  isAwake = false;
  mayLead = true;
  readonly peers = new Map<MemoryWindow, Peer>();
  private readonly roleChanged = new Emitter<Role>();
  private readonly met = new Emitter<Peer>();
  private readonly left = new Emitter<Peer>();
  private readonly received = new Emitter<{ peer: Peer; message: unknown }>();

  readonly onDidChangeRole = this.roleChanged.event;
  readonly onDidMeet = this.met.event;
  readonly onDidLeave = this.left.event;
  readonly onDidReceive = this.received.event;

  constructor(private readonly group: MemoryGroup) {}

  join(): Promise<void> {
    if (this.role !== 'alone' && this.role !== 'joining') return Promise.resolve();
    const { leader } = this.group;
    this.setRole('joining');
    if (leader) {
      this.setRole('following');
      const sides = [leader.link(this, 'follower'), this.link(leader, 'leader')];
      for (const meet of sides) meet();
    } else this.setRole(this.mayLead ? 'leading' : 'alone');
    return Promise.resolve();
  }

  leave(): void {
    const wasLeading = this.role === 'leading';
    const others = [...this.peers.keys()];
    for (const other of others) {
      this.lose(other);
      other.lose(this);
    }
    this.setRole('alone');
    // Whoever comes first leads the rest.
    if (wasLeading) for (const other of others) void other.join();
  }

  setAwake(isAwake: boolean): void {
    this.isAwake = isAwake;
  }

  send(message: unknown): void {
    for (const peer of this.peers.values()) peer.send(message);
  }

  receive(from: MemoryWindow, message: unknown): void {
    const peer = this.peers.get(from);
    if (peer) this.received.fire({ peer, message });
  }

  lose(other: MemoryWindow): void {
    const peer = this.peers.get(other);
    if (!peer) return;
    this.peers.delete(other);
    if (peer.side === 'leader') this.setRole('joining');
    this.left.fire(peer);
  }

  /** Both sides are there before either is told. */
  private link(other: MemoryWindow, side: Peer['side']): () => void {
    const send = (message: unknown) => other.receive(this, JSON.parse(JSON.stringify(message)));
    const peer: Peer = { side, send };
    this.peers.set(other, peer);
    return () => this.met.fire(peer);
  }

  private setRole(role: Role): void {
    if (role === this.role) return;
    this.role = role;
    this.roleChanged.fire(role);
  }
}
