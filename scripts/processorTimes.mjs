// The processor time of programs, with all that they start: also what is killed, or goes on by
// itself. It says more of a change than seconds do, which depend on the machine and on what else it
// does.
//
// Linux alone tells it here, in /proc. Whoever waits for a program that ends is told its time, with
// that of whatever it waited for itself: exact, but without the processes of a browser, which end
// together, and without those that were detached. So all processes are looked at a few times a
// second too, which misses the last moment of each. Both are too small, hence the larger one
// counts. On other systems there is none.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const INTERVAL_MS = 250;
/** Linux tells times in this unit, whatever its own clock. */
const TICKS_A_SECOND = 100;
const isKnown = existsSync('/proc/self/stat');

/**
 * What /proc says of a process: its parent, own ticks, those of what it has waited for, and when it
 * began; undefined once it has ended.
 */
function readProcess(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined;
  }
  // The name before this may hold anything. Fields are numbered as in proc(5), where the state
  // after it is the third.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = number => Number(fields[number - 3]);
  return { parent: field(4), own: field(14) + field(15), waitedFor: field(16) + field(17), began: field(22) };
}

function marksOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

/** Programs whose processor time is counted until each ends. */
export class ProcessorTimes {
  /**
   * By process and its beginning, as numbers are used again: whose it is, and the ticks it had when
   * it was last seen.
   */
  seen = new Map();
  /**
   * Those of others at the last look, which aren't looked at: no number is used again as soon as
   * that.
   */
  others = new Set();
  programs = new Map();
  begun = 0;
  waitedFor = 0;

  /**
   * By its value in their environment, processes are recognized whose parent has ended before they
   * were seen. Programs of a program that is counted itself have a variable of their own.
   */
  constructor(variable = 'IA_PROCESSOR_TIMES') {
    this.variable = variable;
    if (!isKnown) return;
    this.waitedFor = readProcess('self').waitedFor;
    setInterval(() => this.look(), INTERVAL_MS).unref();
  }

  /**
   * A program that `start` starts with an environment; it gets what it has to add to it, and
   * returns the child process.
   */
  begin(start) {
    const program = { mark: `${process.pid}-${++this.begun}`, ticks: 0, exact: 0 };
    const child = start({ [this.variable]: program.mark });
    if (!isKnown || child.pid === undefined) return child;
    this.programs.set(child, program);
    program.pid = child.pid;
    child.once('exit', () => {
      this.look();
      // Only this one has ended since: programs take seconds, and each end is told at once.
      const { waitedFor } = readProcess('self');
      program.exact = waitedFor - this.waitedFor;
      this.waitedFor = waitedFor;
    });
    return child;
  }

  /** Seconds of a program that has ended; undefined where they aren't known. */
  end(child) {
    const program = this.programs.get(child);
    if (program === undefined) return undefined;
    this.look();
    this.programs.delete(child);
    return Math.max(program.ticks, program.exact) / TICKS_A_SECOND;
  }

  /** Adds to each program what its processes have used since they were last seen. */
  look() {
    const live = new Map();
    const others = new Set();
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      if (this.others.has(name)) {
        others.add(name);
        continue;
      }
      const stat = readProcess(name);
      if (stat !== undefined) live.set(Number(name), stat);
    }
    const seen = new Map();
    // Parents first, or children would be asked for their marks.
    for (const [pid, stat] of [...live].sort(([, a], [, b]) => a.began - b.began)) {
      const key = `${pid} ${stat.began}`;
      const before = this.seen.get(key) ?? { program: this.programOf(pid, stat, live, seen), own: 0 };
      if (before.program) {
        before.program.ticks += stat.own - before.own;
        seen.set(key, { program: before.program, own: stat.own });
      } else others.add(String(pid));
    }
    this.seen = seen;
    this.others = others;
  }

  /** Whose process this is that wasn't seen before; undefined where it is none of them. */
  programOf(pid, { parent }, live, seen) {
    const programs = [...this.programs.values()];
    const root = programs.find(program => program.pid === pid);
    if (root) return root;
    const ofParent = live.has(parent) && seen.get(`${parent} ${live.get(parent).began}`)?.program;
    if (ofParent) return ofParent;
    const environment = marksOf(pid);
    return programs.find(({ mark }) => `\0${environment}`.includes(`\0${this.variable}=${mark}\0`));
  }
}
