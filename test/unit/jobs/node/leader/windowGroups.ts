import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDisposable } from '../../../../../src/base/disposable';
import { silentLog } from '../../../../../src/base/log';
import { MeetingPlace } from '../../../../../src/jobs/node/meetingPlace';
import { type Role, WindowGroup } from '../../../../../src/jobs/node/windowGroup';

type WindowGroupParts = ConstructorParameters<typeof WindowGroup>[0];

/** A window in this process whose heartbeats a test lets pass. */
export class TestWindow {
  readonly group: WindowGroup;
  readonly roles: Role[] = [];
  readonly received: unknown[] = [];
  ticks = new Set<() => void>();
  mayLead = true;

  constructor(
    readonly name: string,
    place: () => Promise<MeetingPlace>,
    parts: Partial<WindowGroupParts> = {},
  ) {
    this.group = new WindowGroup({
      place,
      mayLead: () => Promise.resolve(this.mayLead),
      every: (_, tick) => {
        this.ticks.add(tick);
        return toDisposable(() => this.ticks.delete(tick));
      },
      now: Date.now,
      log: silentLog,
      ...parts,
    });
    this.group.onDidChangeRole(role => this.roles.push(role));
    this.group.onDidReceive(({ message }) => this.received.push(message));
  }

  beat(): void {
    for (const tick of [...this.ticks]) tick();
  }

  /** Resolves once the window has the role. */
  async becomes(role: Role): Promise<void> {
    await this.until(() => this.group.role === role);
  }

  async receives(message: unknown): Promise<void> {
    const text = JSON.stringify(message);
    await this.until(() => this.received.some(one => JSON.stringify(one) === text));
  }

  /** Resolves once what is said holds; checked whenever something about the window changes. */
  private until(holds: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const check = () => {
        if (!holds()) return;
        for (const subscription of subscriptions) subscription.dispose();
        resolve();
      };
      const { onDidChangeRole, onDidReceive } = this.group;
      const subscriptions = [onDidChangeRole(check), onDidReceive(check)];
      check();
    });
  }
}

/** Windows on one machine and account, and the folder they share; both end with each test. */
export class TestWindows {
  folder = '';
  readonly windows: TestWindow[] = [];

  open(name: string, parts: Partial<WindowGroupParts> = {}): TestWindow {
    const window = new TestWindow(name, () => this.place(), parts);
    this.windows.push(window);
    return window;
  }

  /** Windows that joined one after the other. */
  async joined(...names: string[]): Promise<TestWindow[]> {
    const windows = names.map(name => this.open(name));
    for (const { group } of windows) await group.join();
    return windows;
  }

  place(): Promise<MeetingPlace> {
    return MeetingPlace.open(join(this.folder, 'nonce'), {
      runtime: this.folder,
      temporary: this.folder,
      shared: this.folder,
      user: process.getuid?.() ?? 0,
    });
  }

  async start(): Promise<void> {
    // The system's own may be too long for a socket, as on a Mac.
    const parent = process.platform === 'win32' ? tmpdir() : '/tmp';
    this.folder = await mkdtemp(join(parent, 'windows-'));
  }

  async end(): Promise<void> {
    for (const { group } of this.windows.splice(0)) group.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** To be called in a describe. */
export function useTestWindows(): TestWindows {
  const windows = new TestWindows();
  beforeEach(() => windows.start());
  afterEach(() => windows.end());
  return windows;
}
