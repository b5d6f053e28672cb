import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { hello, isHello, type MeetingPlace, type Side } from './meetingPlace';

/** `alone`: no window leads this one, and it leads none. */
export type Role = 'joining' | 'leading' | 'following' | 'alone';

/** Another window of the group. A follower knows its leader alone. */
export interface Peer {
  side: Side;
  send(message: unknown): void;
}

interface WindowGroupDependencies {
  /** Where to meet; a failure leaves this window alone. */
  place: () => Promise<MeetingPlace>;
  /** Whether this window can do what a leader does. */
  mayLead: () => Promise<boolean>;
  /** Calls back again and again until disposed. */
  every: (milliseconds: number, tick: () => void) => Disposable;
  /** For tests: milliseconds since 1970. */
  now?: (() => number) | undefined;
  log: Log;
}

/** `refused`: by what is no window of the group, or is of another version. */
type Greeting = 'met' | 'refused' | 'gone';

// Milliseconds.
const HEARTBEAT = 1000;
/** How long a window may take to return a greeting. */
const MAX_GREETING = 1000;

/** Maximum heartbeats in a row that a leader misses. Counted, as this window may have slept too. */
const MAX_MISSED = 3;

/** Each attempt fails only because another window was faster. */
const MAX_ATTEMPTS = 10;

/**
 * The windows of an account on this machine: one leads and the others follow it. They exchange
 * messages of any content. A leader that closes or crashes is replaced at once. Heartbeats run only
 * while the group is awake: then one that hangs is replaced within four seconds, and one that was
 * replaced follows its successor.
 */
export class WindowGroup implements Disposable {
  private readonly roleChanged: Emitter<Role>;
  private readonly met: Emitter<Peer>;
  private readonly left: Emitter<Peer>;
  private readonly received: Emitter<{ peer: Peer; message: unknown }>;
  private readonly peers = new Map<MessageLink, Peer>();
  private currentRole: Role = 'alone';
  private joining: Promise<void> | undefined;
  private place: MeetingPlace | undefined;
  private server: Server | undefined;
  /** The number of the leader, this window or the one it follows. */
  private number = 0;
  /** Leaders up to this number are gone, or don't respond. */
  private gone = 0;
  private missed = 0;
  /** It found no leader and can't lead itself: it looks for one at each heartbeat. */
  private needsLeader = false;
  private heartbeat: Disposable | undefined;
  private disposed = false;
  private readonly now: () => number;

  constructor(private readonly parts: WindowGroupDependencies) {
    this.now = parts.now ?? Date.now;
    const onError = (error: unknown) => parts.log.error('Windows could not share what they know', error);
    this.roleChanged = new Emitter(onError);
    this.met = new Emitter(onError);
    this.left = new Emitter(onError);
    this.received = new Emitter(onError);
  }

  get role(): Role {
    return this.currentRole;
  }

  get onDidChangeRole() {
    return this.roleChanged.event;
  }

  /** A follower or the leader was met; it has received and sent no message yet. */
  get onDidMeet() {
    return this.met.event;
  }

  get onDidLeave() {
    return this.left.event;
  }

  /** What a window of this account sent; it is not validated. */
  get onDidReceive() {
    return this.received.event;
  }

  /** Sends to the leader, or as the leader to all followers. */
  send(message: unknown): void {
    for (const peer of this.peers.values()) peer.send(message);
  }

  /** Finds the leader or becomes it, where this window is neither. */
  join(): Promise<void> {
    if (this.disposed || this.role === 'leading' || this.role === 'following') return Promise.resolve();
    return this.search();
  }

  /** Leaves the group until `join`: as the leader, when this window can't lead any more. */
  leave(): void {
    this.part();
    this.setRole('alone');
  }

  /** Whether the group needs its leader at the moment. */
  setAwake(isAwake: boolean): void {
    if (isAwake === (this.heartbeat !== undefined) || this.disposed) return;
    this.heartbeat?.dispose();
    this.heartbeat = isAwake ? this.parts.every(HEARTBEAT, () => this.onHeartbeat()) : undefined;
    if (isAwake) this.onHeartbeat();
    this.missed = 0;
  }

  dispose(): void {
    this.disposed = true;
    this.currentRole = 'alone';
    this.heartbeat?.dispose();
    for (const emitter of [this.roleChanged, this.met, this.left, this.received]) emitter.dispose();
    this.part();
  }

  private search(): Promise<void> {
    this.needsLeader = false;
    this.setRole('joining');
    return (this.joining ??= this.findRole().finally(() => (this.joining = undefined)));
  }

  private async findRole(): Promise<void> {
    try {
      const place = (this.place = await this.parts.place());
      for (let attempt = 0; attempt < MAX_ATTEMPTS && this.role === 'joining'; attempt++) {
        await this.tryRoles(place);
      }
    } catch (error) {
      this.parts.log.warn(`This window doesn't share its requests with others: ${String(error)}`);
    }
    if (this.role === 'joining') this.setRole('alone');
  }

  private async tryRoles(place: MeetingPlace): Promise<void> {
    const latest = await place.latest();
    if (latest !== undefined && latest > this.gone) {
      const greeting = await this.follow(place, latest);
      if (greeting === 'refused') this.setRole('alone');
      if (greeting !== 'gone') return;
      this.gone = latest;
    }
    if (!(await this.parts.mayLead())) {
      this.needsLeader = true;
      this.setRole('alone');
    }
    if (this.role !== 'joining') return;
    // Seconds since 1970: numbers keep rising after all windows are closed.
    await this.lead(place, Math.max(this.gone + 1, Math.floor(this.now() / 1000)));
  }

  private follow(place: MeetingPlace, number: number): Promise<Greeting> {
    const link = new MessageLink(connect(place.address(number)));
    link.onDidHear(() => (this.missed = 0));
    link.send(hello(place.nonce, 'follower'));
    return this.greet(link, 'leader', message => {
      if (this.role !== 'joining' || !isHello(message, place.nonce, 'leader')) return false;
      this.number = number;
      this.missed = 0;
      this.setRole('following');
      return true;
    });
  }

  private async lead(place: MeetingPlace, number: number): Promise<void> {
    const server = createServer(socket => {
      const link = new MessageLink(socket);
      void this.greet(link, 'follower', message => {
        if (this.server !== server || !isHello(message, place.nonce, 'follower')) return false;
        link.send(hello(place.nonce, 'leader'));
        return true;
      });
    });
    server.listen(place.address(number));
    try {
      await once(server, 'listening');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return;
      throw error;
    }
    if (this.role !== 'joining') {
      server.close();
      return;
    }
    server.on('error', error => this.parts.log.warn(`Other windows can't follow this one: ${String(error)}`));
    this.server = server;
    this.number = number;
    this.setRole('leading');
    await place.removeBefore(number);
    await this.giveWay();
  }

  /** Settles with the first message of the other side, which `accept` judges. */
  private greet(link: MessageLink, side: Side, accept: (message: unknown) => boolean): Promise<Greeting> {
    return new Promise(resolve => {
      link.setPatience(MAX_GREETING);
      link.onDidClose(() => {
        resolve('gone');
        this.onClosed(link);
      });
      link.onDidReceive(message => {
        const peer = this.peers.get(link);
        if (peer) {
          this.received.fire({ peer, message });
        } else if (accept(message)) {
          link.setPatience(0);
          const met: Peer = { side, send: value => link.send(value) };
          this.peers.set(link, met);
          this.met.fire(met);
          resolve('met');
        } else {
          resolve('refused');
          link.dispose();
        }
      });
    });
  }

  private onClosed(link: MessageLink): void {
    const peer = this.peers.get(link);
    if (!peer) return;
    this.peers.delete(link);
    this.left.fire(peer);
    if (peer.side === 'leader') this.searchAgain();
  }

  private onHeartbeat(): void {
    if (this.role === 'leading') {
      for (const link of this.peers.keys()) link.beat();
      this.giveWay().catch((error: unknown) =>
        this.parts.log.warn(`Another leader would not be noticed: ${String(error)}`),
      );
    }
    if (this.role === 'following' && ++this.missed > MAX_MISSED) {
      for (const link of this.peers.keys()) link.dispose();
    }
    if (this.needsLeader) {
      this.followNext().catch((error: unknown) =>
        this.parts.log.warn(`A leader would not be noticed: ${String(error)}`),
      );
    }
  }

  private async followNext(): Promise<void> {
    const latest = await this.place?.latest();
    if (this.needsLeader && latest !== undefined && latest > this.gone) await this.search();
  }

  /** Follows a later leader, if any: this window hung, or both looked at the same moment. */
  private async giveWay(): Promise<void> {
    const latest = await this.place?.latest();
    if (this.role === 'leading' && latest !== undefined && latest > this.number) {
      this.searchAgain();
    }
  }

  private searchAgain(): void {
    this.gone = Math.max(this.gone, this.number);
    this.part();
    void this.search();
  }

  /** Parts with all other windows. */
  private part(): void {
    this.server?.close();
    this.server = undefined;
    for (const [link, peer] of [...this.peers]) {
      this.peers.delete(link);
      link.dispose();
      this.left.fire(peer);
    }
  }

  private setRole(role: Role): void {
    if (role === this.currentRole || this.disposed) return;
    this.currentRole = role;
    this.parts.log.trace(`This window is ${role} among those of its account`);
    this.roleChanged.fire(role);
  }
}

/** In UTF-16 units: longer messages end the link. Jobs are far shorter, see followedJob. */
const MAX_MESSAGE = 1024 * 1024;

/** A link whose other side leaves more than this unread, in bytes, is closed. */
const MAX_UNREAD = 8 * 1024 * 1024;

/**
 * One end of a socket between two windows. Messages are JSON, one on each line; an empty line is a
 * heartbeat. What the other side sends is bounded but not validated. A link that breaks closes,
 * whatever the cause.
 */
class MessageLink implements Disposable {
  private readonly received = new Emitter<unknown>();
  private readonly heard = new Emitter<void>();
  private readonly closed = new Emitter<void>();
  private rest = '';

  readonly onDidReceive = this.received.event;
  /** Anything came from the other side, a message or a heartbeat. */
  readonly onDidHear = this.heard.event;
  readonly onDidClose = this.closed.event;

  constructor(private readonly socket: Socket) {
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => this.read(text));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    socket.on('close', () => this.closed.fire());
  }

  send(message: unknown): void {
    this.write(JSON.stringify(message));
  }

  beat(): void {
    this.write('');
  }

  /** Closes the link if nothing passes for so long; 0 waits forever. */
  setPatience(milliseconds: number): void {
    this.socket.setTimeout(milliseconds, () => this.socket.destroy());
  }

  dispose(): void {
    this.socket.destroy();
  }

  private write(line: string): void {
    if (this.socket.destroyed) return;
    if (this.socket.writableLength > MAX_UNREAD) this.socket.destroy();
    else this.socket.write(`${line}\n`);
  }

  private read(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    this.heard.fire();
    for (const line of lines) {
      if (this.socket.destroyed) return;
      if (line !== '') this.receive(line);
    }
    if (this.rest.length > MAX_MESSAGE) this.socket.destroy();
  }

  private receive(line: string): void {
    try {
      if (line.length > MAX_MESSAGE) throw new RangeError('The message is too long');
      this.received.fire(JSON.parse(line));
    } catch {
      this.socket.destroy();
    }
  }
}
