// npm run bench -- polling [--json]: how many requests following jobs costs, and how late an end is
// noticed, with the real tracker on a virtual clock, whose hours pass in seconds. Nothing of it
// depends on the machine.
import { VirtualTime } from '../unit/jobs/node/virtualTime';
import { benchmark } from './measured/benchmark';
import { seededRandom, SimulatedUser } from './polling/simulatedUser';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const USERS = { count: 1000, jobs: 3 };
const OUTAGE = 10 * MINUTE;

type Kind = 'listed' | 'listed without links' | 'masks';

/**
 * Follows jobs that end at random moments of an hour, then an idle hour. Detections are in seconds.
 */
async function followForAnHour(
  jobs: number,
  kind: Kind,
  attention: 'focused' | 'background',
): Promise<{ longestDetection: number; requests: number; idle: number }> {
  const time = new VirtualTime();
  const random = seededRandom(jobs);
  const user = new SimulatedUser(time, random);
  user.service.behavior.listHasLinks = kind !== 'listed without links';
  user.tracker.setAttention(attention);
  const began = time.now();
  const durations = Array.from({ length: jobs }, (_, index) => (index === 0 ? HOUR : random() * HOUR));
  await user.start(durations, kind === 'masks' ? 'masks' : 'analysis');
  await time.pass(HOUR);
  const { requests } = user;
  await time.pass(HOUR);
  const before = user.requests;
  await time.pass(HOUR);
  const late = durations.map(
    (duration, index) => (user.ends.get(`job${index}`) ?? Infinity) - began - duration,
  );
  user.tracker.dispose();
  return { longestDetection: Math.max(...late) / SECOND, requests, idle: user.requests - before };
}

/** Requests in an hour about jobs that all run for the whole of it. */
async function requestsInAnHour(jobs: number): Promise<number> {
  const time = new VirtualTime();
  const user = new SimulatedUser(time, seededRandom(jobs));
  await user.start(Array.from({ length: jobs }, (_, index) => HOUR + index * SECOND));
  await time.pass(HOUR);
  user.tracker.dispose();
  return user.requests;
}

/** How many requests a second the users send before an outage and, at most, from its end on. */
async function outage(hasRetryAfter: boolean): Promise<{ steady: number; peak: number }> {
  const time = new VirtualTime();
  const random = seededRandom(USERS.count);
  const users: SimulatedUser[] = [];
  const jobs = () => Array.from({ length: USERS.jobs }, () => (20 + 100 * random()) * MINUTE);
  for (let index = 0; index < USERS.count; index++) {
    const user = new SimulatedUser(time, random);
    users.push(user);
    await user.start(jobs());
    await time.pass((5 * MINUTE) / USERS.count);
  }
  const steadyFrom = time.now();
  await time.pass(3 * MINUTE);
  const failsFrom = time.now();
  for (const user of users) user.fail(hasRetryAfter ? failsFrom + OUTAGE : undefined);
  await time.pass(OUTAGE);
  const recoversFrom = time.now();
  for (const user of users) user.recover();
  await time.pass(5 * MINUTE);
  const perSecond = new Map<number, number>();
  let steady = 0;
  for (const { service } of users) {
    for (const { at } of service.requests) {
      const second = Math.floor((at - recoversFrom) / SECOND);
      if (second >= 0) perSecond.set(second, (perSecond.get(second) ?? 0) + 1);
      if (at >= steadyFrom && at < failsFrom) steady += 1;
    }
  }
  for (const { tracker } of users) tracker.dispose();
  return { steady: steady / ((failsFrom - steadyFrom) / SECOND), peak: Math.max(...perSecond.values()) };
}

await benchmark('polling', {}, async () => {
  const hours = new Map<number, number>();
  for (const jobs of [1, 10, 100]) {
    const requests = await requestsInAnHour(jobs);
    hours.set(jobs, requests);
    console.log(`${jobs} jobs: ${(requests / jobs).toFixed(1)} requests per job-hour, ${requests} an hour`);
  }
  const detections: number[] = [];
  let idleRequests = 0;
  for (const [kind, jobs] of [
    ['listed', 100],
    ['listed without links', 100],
    ['masks', 15],
  ] as const) {
    for (const attention of ['focused', 'background'] as const) {
      const { longestDetection, requests, idle } = await followForAnHour(jobs, kind, attention);
      if (jobs === 100) detections.push(longestDetection);
      idleRequests = Math.max(idleRequests, idle);
      console.log(
        `${jobs} jobs, ${kind}, ${attention}: an end noticed after ${longestDetection.toFixed(1)} s at most, ` +
          `${requests} requests in the hour, ${idle} in an idle one`,
      );
    }
  }
  const ratios: number[] = [];
  for (const hasRetryAfter of [false, true]) {
    const { steady, peak } = await outage(hasRetryAfter);
    ratios.push(peak / steady);
    console.log(
      `${USERS.count} users through an outage${hasRetryAfter ? ' whose end Retry-After tells' : ''}: ` +
        `${steady.toFixed(1)} requests a second before, ${peak} at most after (${(peak / steady).toFixed(2)} times)`,
    );
  }
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const of = (jobs: number) => hours.get(jobs) ?? Number.NaN;
  return {
    requestsPerJobHour1: of(1),
    requestsPerJobHour10: rounded(of(10) / 10),
    requestsPerJobHour100: rounded(of(100) / 100),
    requestsPerHour100Jobs: of(100),
    longestDetection100JobsS: rounded(Math.max(...detections)),
    idleRequests,
    recoveryPeakRatio: rounded(Math.max(...ratios)),
  };
});
