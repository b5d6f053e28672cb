import { every } from '../../../../../src/base/clock';
import { silentLog } from '../../../../../src/base/log';
import { MeetingPlace } from '../../../../../src/jobs/node/meetingPlace';
import { type Role, WindowGroup } from '../../../../../src/jobs/node/windowGroup';

/** What a window's process tells the test. */
export type Said = { role: Role } | { received: unknown };

/** What a test tells a window's process. */
export type WindowOrder = 'wake' | 'close' | { send: unknown };

// A window as a process of its own; its argument is the folder that the windows share.
const folder = process.argv[2] ?? '';
const say = (said: Said) => process.send?.(said);
const group = new WindowGroup({
  place: () =>
    MeetingPlace.open(`${folder}/nonce`, {
      runtime: folder,
      temporary: folder,
      shared: folder,
      user: process.getuid?.() ?? 0,
    }),
  mayLead: () => Promise.resolve(true),
  every,
  now: Date.now,
  log: silentLog,
});
group.onDidChangeRole(role => say({ role }));
group.onDidReceive(({ message }) => say({ received: message }));
process.on('message', (order: WindowOrder) => {
  if (order === 'wake') group.setAwake(true);
  else if (order === 'close') process.disconnect();
  else group.send(order.send);
});
// A window that closes disposes of the group; one whose test is over ends too.
process.on('disconnect', () => {
  group.dispose();
  process.exit();
});
void group.join();
