import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { hello, isHello, type MeetingPlace, type Side } from './meetingPlace';

/** `alone`: this window has no leader and no followers. */
export type Role = 'joining' | 'leading' | 'following' | 'alone';

/** Another window of the group. A follower knows only its leader. */
export interface Peer {
  side: Side;
  send(message: unknown): void;
}

interface WindowGroupDependencies {
  /** Opens the meeting place; if it fails, this window stays alone. */
  place: () => Promise<MeetingPlace>;
  /** Whether this window is able to lead. */
  mayLead: () => Promise<boolean>;
  /** Calls back again and again until disposed. */
  every: (milliseconds: number, tick: () => void) => Disposable;
  /** For tests: milliseconds since 1970. */
  now?: (() => number) | undefined;
  log: Log;
}

/** `refused`: the other side isn't a window of the group, or has another version. */
type Greeting = 'met' | 'refused' | 'gone';

// Times are in milliseconds.
const HEARTBEAT = 1000;
/** Maximum time for a window to return a greeting. */
const GREETING_TIMEOUT = 1000;

/** Maximum missed heartbeats of a leader. A count, because this window may have slept too. */
const MAX_MISSED = 3;

/** Maximum attempts to find a role. An attempt fails only if another window is faster. */
const MAX_ATTEMPTS = 10;

/**
 * The windows of an account on this machine: one leads, the others follow it and exchange messages
 * with it. A leader that closes or crashes is replaced at once. Heartbeats run only while the group
 * is awake. A leader that hangs is then replaced within four seconds, and follows its successor
 * when it continues.
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
  /** The number of the leader: this window, or the window that it follows. */
  private leaderNumber = 0;
  /** Leaders up to this number are gone or don't respond. */
  private highestGoneNumber = 0;
  private missedHeartbeats = 0;
  /** This window can't lead and found no leader: it looks for one at each heartbeat. */
  private needsLeader = false;
  private heartbeat: Disposable | undefined;
  private disposed = false;
  private readonly now: () => number;

  constructor(private readonly dependencies: WindowGroupDependencies) {
    this.now = dependencies.now ?? Date.now;
    const onError = (error: unknown) =>
      dependencies.log.error('Windows could not share what they know', error);
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

  /** Fires when this window meets its leader or a follower, before any messages. */
  get onDidMeet() {
    return this.met.event;
  }

  get onDidLeave() {
    return this.left.event;
  }

  /** Fires with a message of another window; the message isn't validated. */
  get onDidReceive() {
    return this.received.event;
  }

  /** Sends a message to the leader; the leader sends it to all followers. */
  send(message: unknown): void {
    for (const peer of this.peers.values()) peer.send(message);
  }

  /** Finds the leader or becomes it, unless this window already leads or follows. */
  join(): Promise<void> {
    if (this.disposed || this.role === 'leading' || this.role === 'following') return Promise.resolve();
    return this.search();
  }

  /** Leaves the group until `join`, as when a leader can't lead any more. */
  leave(): void {
    this.disconnect();
    this.setRole('alone');
  }

  /** Sets whether the group needs its leader at the moment. */
  setAwake(isAwake: boolean): void {
    if (isAwake === (this.heartbeat !== undefined) || this.disposed) return;
    this.heartbeat?.dispose();
    this.heartbeat = isAwake ? this.dependencies.every(HEARTBEAT, () => this.onHeartbeat()) : undefined;
    if (isAwake) this.onHeartbeat();
    this.missedHeartbeats = 0;
  }

  dispose(): void {
    this.disposed = true;
    this.currentRole = 'alone';
    this.heartbeat?.dispose();
    for (const emitter of [this.roleChanged, this.met, this.left, this.received]) emitter.dispose();
    this.disconnect();
  }

  private search(): Promise<void> {
    this.needsLeader = false;
    this.setRole('joining');
    return (this.joining ??= this.findRole().finally(() => (this.joining = undefined)));
  }

  private async findRole(): Promise<void> {
    try {
      const place = (this.place = await this.dependencies.place());
      for (let attempt = 0; attempt < MAX_ATTEMPTS && this.role === 'joining'; attempt++) {
        await this.tryRoles(place);
      }
    } catch (error) {
      this.dependencies.log.warn(`This window doesn't share its requests with others: ${String(error)}`);
    }
    if (this.role === 'joining') this.setRole('alone');
  }

  private async tryRoles(place: MeetingPlace): Promise<void> {
    const latest = await place.latest();
    if (latest !== undefined && latest > this.highestGoneNumber) {
      const greeting = await this.follow(place, latest);
      if (greeting === 'refused') this.setRole('alone');
      if (greeting !== 'gone') return;
      this.highestGoneNumber = latest;
    }
    if (!(await this.dependencies.mayLead())) {
      this.needsLeader = true;
      this.setRole('alone');
    }
    if (this.role !== 'joining') return;
    // Use seconds since 1970, so that numbers rise even after all windows were closed.
    await this.lead(place, Math.max(this.highestGoneNumber + 1, Math.floor(this.now() / 1000)));
  }

  private follow(place: MeetingPlace, leaderNumber: number): Promise<Greeting> {
    const link = new MessageLink(connect(place.address(leaderNumber)));
    link.onDidHear(() => (this.missedHeartbeats = 0));
    link.send(hello(place.nonce, 'follower'));
    return this.greet(link, 'leader', message => {
      if (this.role !== 'joining' || !isHello(message, place.nonce, 'leader')) return false;
      this.leaderNumber = leaderNumber;
      this.missedHeartbeats = 0;
      this.setRole('following');
      return true;
    });
  }

  private async lead(place: MeetingPlace, leaderNumber: number): Promise<void> {
    const server = createServer(socket => {
      const link = new MessageLink(socket);
      void this.greet(link, 'follower', message => {
        if (this.server !== server || !isHello(message, place.nonce, 'follower')) return false;
        link.send(hello(place.nonce, 'leader'));
        return true;
      });
    });
    server.listen(place.address(leaderNumber));
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
    server.on('error', error =>
      this.dependencies.log.warn(`Other windows can't follow this one: ${String(error)}`),
    );
    this.server = server;
    this.leaderNumber = leaderNumber;
    this.setRole('leading');
    await place.removeBefore(leaderNumber);
    await this.giveWay();
  }

  /** Resolves after the first message of the other side, which `accept` checks. */
  private greet(link: MessageLink, side: Side, accept: (message: unknown) => boolean): Promise<Greeting> {
    return new Promise(resolve => {
      link.setSilenceLimit(GREETING_TIMEOUT);
      link.onDidClose(() => {
        resolve('gone');
        this.onClosed(link);
      });
      link.onDidReceive(message => {
        const peer = this.peers.get(link);
        if (peer) {
          this.received.fire({ peer, message });
        } else if (accept(message)) {
          link.setSilenceLimit(0);
          const newPeer: Peer = { side, send: value => link.send(value) };
          this.peers.set(link, newPeer);
          this.met.fire(newPeer);
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
        this.dependencies.log.warn(`Another leader would not be noticed: ${String(error)}`),
      );
    }
    if (this.role === 'following' && ++this.missedHeartbeats > MAX_MISSED) {
      for (const link of this.peers.keys()) link.dispose();
    }
    if (this.needsLeader) {
      this.followNext().catch((error: unknown) =>
        this.dependencies.log.warn(`A leader would not be noticed: ${String(error)}`),
      );
    }
  }

  private async followNext(): Promise<void> {
    const latest = await this.place?.latest();
    if (this.needsLeader && latest !== undefined && latest > this.highestGoneNumber) await this.search();
  }

  /** Follows a later leader, if any: this window hung, or both started at the same moment. */
  private async giveWay(): Promise<void> {
    const latest = await this.place?.latest();
    if (this.role === 'leading' && latest !== undefined && latest > this.leaderNumber) {
      this.searchAgain();
    }
  }

  private searchAgain(): void {
    this.highestGoneNumber = Math.max(this.highestGoneNumber, this.leaderNumber);
    this.disconnect();
    void this.search();
  }

  /** Closes the links to all other windows. */
  private disconnect(): void {
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
    this.dependencies.log.trace(`This window is ${role} among those of its account`);
    this.roleChanged.fire(role);
  }
}

/** Maximum UTF-16 units of a message; a longer one ends the link. Jobs are far shorter. */
const MAX_MESSAGE = 1024 * 1024;

/** Maximum bytes that the other side may leave unread before the link is closed. */
const MAX_UNREAD = 8 * 1024 * 1024;

/**
 * One end of a socket between two windows. Messages are lines of JSON; an empty line is a
 * heartbeat. Received messages are limited in size but not validated. Any error closes the link.
 */
class MessageLink implements Disposable {
  private readonly received = new Emitter<unknown>();
  private readonly heard = new Emitter<void>();
  private readonly closed = new Emitter<void>();
  private incompleteLine = '';

  readonly onDidReceive = this.received.event;
  /** Fires for a message or a heartbeat of the other side. */
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

  /** Closes the link if nothing is sent or received for this time; 0 waits forever. */
  setSilenceLimit(milliseconds: number): void {
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
    const lines = (this.incompleteLine + text).split('\n');
    this.incompleteLine = lines.pop() ?? '';
    this.heard.fire();
    for (const line of lines) {
      if (this.socket.destroyed) return;
      if (line !== '') this.receive(line);
    }
    if (this.incompleteLine.length > MAX_MESSAGE) this.socket.destroy();
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
