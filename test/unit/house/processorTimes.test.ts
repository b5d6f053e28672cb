import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ProcessorTimes } from '../../../scripts/processorTimes.mjs';
import { describeWith } from '../capabilities';

const SECONDS = 0.4;
/**
 * The system counts whole hundredths of a second, those of the program apart from its own, and both
 * are read before and after.
 */
const ROUNDED = 0.04;

/** Uses some of a processor, and sends how much it has used. */
const WORK = `
  const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
  while (used() < ${SECONDS});
  process.send(used());
`;

/**
 * Does the same, and has a process of its own that does, is detached, and is killed as soon as this
 * one is told to end.
 */
const WITH_ANOTHER = `
  const { spawn } = require('node:child_process');
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
  const child = spawn(process.execPath, ['-e', process.env.WORK], { detached: true, stdio });
  child.on('message', used => process.send(used));
  process.on('message', () => { process.kill(-child.pid, 'SIGKILL'); process.exit(); });
  ${WORK}
`;

describeWith('proc')('The processor time of a program', () => {
  it('is that of all its processes, each once, also of one that is detached and killed', async () => {
    const times = new ProcessorTimes();
    const child = times.begin(environment =>
      spawn(process.execPath, ['-e', WITH_ANOTHER], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: { ...process.env, ...environment, WORK: `${WORK}; setInterval(() => {}, 1000);` },
      }),
    );
    const closed = once(child, 'close');
    let used = 0;
    for (let told = 0; told < 2; told++) used += Number((await once(child, 'message'))[0]);
    times.look();
    child.send('end');
    await closed;
    const seconds = times.end(child) ?? 0;
    // As they have said, and a bit more until each has ended.
    assert.ok(seconds > used - 0.1 && seconds < 1.5 * used, `${seconds} s, where they used ${used} s`);
  });

  it('is not that of others', async () => {
    const times = new ProcessorTimes();
    const start = (script: string) =>
      times.begin(environment =>
        spawn(process.execPath, ['-e', script], {
          stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
          env: { ...process.env, ...environment },
        }),
      );
    const [idle, busy] = [start('process.on("message", () => process.exit())'), start(WORK)];
    const closed = [idle, busy].map(child => once(child, 'close'));
    await closed[1];
    idle.send('end');
    await closed[0];
    const [ofIdle = 9, ofBusy = 0] = [times.end(idle), times.end(busy)];
    assert.ok(ofBusy > SECONDS - ROUNDED && ofIdle < ofBusy, `${ofIdle} s and ${ofBusy} s`);
  });
});
