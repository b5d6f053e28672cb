import * as assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Role } from '../../../../../src/jobs/node/windowGroup';
import { describeWith } from '../../../capabilities';
import type { Said, WindowOrder } from './windowProcess';

/** A window that a test can kill and stop. */
class WindowProcess {
  role: Role | undefined;
  readonly received: unknown[] = [];
  private readonly child: ChildProcess;

  constructor(script: string, folder: string) {
    this.child = fork(script, [folder], { stdio: 'inherit' });
    this.child.on('message', (said: Said) => {
      if ('role' in said) this.role = said.role;
      else this.received.push(said.received);
    });
  }

  async becomes(...roles: Role[]): Promise<void> {
    await this.until(() => this.role !== undefined && roles.includes(this.role));
  }

  async receives(text: string): Promise<void> {
    await this.until(() => this.received.includes(text));
  }

  tell(order: WindowOrder): void {
    this.child.send(order);
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
  }

  private async until(holds: () => boolean): Promise<void> {
    while (!holds()) await once(this.child, 'message');
  }
}

// They are stopped and continued by signals.
describeWith('signals')('Windows in processes of their own', function () {
  let bundle = '';
  let folder = '';
  const opened: WindowProcess[] = [];

  before(async () => {
    bundle = await mkdtemp(join(tmpdir(), 'window-process-'));
    await build({
      entryPoints: ['test/unit/jobs/node/leader/windowProcess.ts'],
      outfile: join(bundle, 'window.js'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node22',
      logLevel: 'error',
    });
  });

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'windows-'))));

  afterEach(async () => {
    await Promise.all(opened.splice(0).map(window => window.end()));
    await rm(folder, { recursive: true, force: true });
  });

  after(() => rm(bundle, { recursive: true, force: true }));

  function open(): WindowProcess {
    const window = new WindowProcess(join(bundle, 'window.js'), folder);
    opened.push(window);
    return window;
  }

  /** The leader of three windows that are awake, and its followers. */
  async function three(): Promise<[WindowProcess, WindowProcess, WindowProcess]> {
    const leader = open();
    await leader.becomes('leading');
    const followers = [open(), open()] as const;
    for (const follower of followers) await follower.becomes('following');
    for (const window of [leader, ...followers]) window.tell('wake');
    return [leader, ...followers];
  }

  /** Waits until one leads and the other follows. windowGroup.test.ts counts the heartbeats. */
  async function replaced(one: WindowProcess, other: WindowProcess): Promise<void> {
    const text = 'from the next leader';
    // On a slow machine the next one may be replaced as well, and its process may be slow to say
    // what it is.
    for (;;) {
      const [leader, follower] = one.role === 'leading' ? [one, other] : [other, one];
      if (leader.role === 'leading' && follower.role === 'following' && follower.received.includes(text))
        return;
      if (leader.role === 'leading') leader.tell({ send: text });
      await setTimeout(20);
    }
  }

  it('have one leader when they start at the same moment', async () => {
    const all = [open(), open(), open()];
    await Promise.all(all.map(window => window.becomes('leading', 'following')));
    assert.deepEqual(all.map(({ role }) => role).sort(), ['following', 'following', 'leading']);
  });

  it('replace a leader that closes', async () => {
    const [leader, one, other] = await three();
    leader.tell('close');
    await replaced(one, other);
  });

  it('replace a leader that is killed', async () => {
    const [leader, one, other] = await three();
    leader.signal('SIGKILL');
    await replaced(one, other);
  });

  it('replace a leader that hangs, which follows when it goes on', async () => {
    const [leader, one, other] = await three();
    leader.signal('SIGSTOP');
    await replaced(one, other);
    leader.signal('SIGCONT');
    await leader.becomes('following');
    const next = one.role === 'leading' ? one : other;
    leader.tell({ send: 'I follow' });
    await next.receives('I follow');
  });

  it('keep their leader when a follower hangs and goes on', async () => {
    const [leader, one, other] = await three();
    one.signal('SIGSTOP');
    leader.signal('SIGKILL');
    await other.becomes('leading');
    one.signal('SIGCONT');
    await one.becomes('joining');
    await one.becomes('following');
    assert.equal(other.role, 'leading');
  });
});
