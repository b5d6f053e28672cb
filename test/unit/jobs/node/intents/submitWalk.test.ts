import { deepEqual, ok } from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { CodedError, isCoded } from '../../../../../src/base/errors';
import type { DescribedSubmit } from '../../../../../src/jobs/node/submitState';
import type { NewJob } from '../../../../../src/service/node/client';
import { FOUND_WALKS } from './foundWalks';
import { FakeMachine, type FakeWindow } from './fakeWindows';

/** What may happen, and how often beside the others. */
const HAPPENINGS = {
  step: 60,
  submit: 10,
  'request masks': 1,
  'let time pass': 1,
  escape: 2,
  settle: 2,
  'open a window': 2,
  'kill a window': 1,
  'stop a window': 1,
  'resume a window': 2,
  'lose requests': 1,
  'lose responses': 1,
  'lose nothing': 2,
  'hide new jobs': 1,
  'list new jobs': 1,
  refuse: 1,
  accept: 2,
  'leave the network': 1,
  'enter the network': 2,
  'fill the disk': 1,
  'fail to read': 1,
  'mend the disk': 3,
  'set the clock ahead': 1,
  'set the clock back': 1,
  'sign out': 1,
};

type Happening = keyof typeof HAPPENINGS;

const MAX_WINDOWS = 4;
const MAX_STEPS = 20_000;
const HOUR = 60 * 60_000;

/** Somebody submits in a window. */
interface Call {
  window: FakeWindow;
  request: DescribedSubmit;
  leaving: AbortController;
  beganAt: number;
  /** The job that the caller got, and when. */
  jobId?: string;
  reportedAt?: number;
  isOver: boolean;
  /** Somebody else was told that it is unknown what became of it. */
  isReported: boolean;
}

/** A request that left a window. */
interface Sent {
  request: DescribedSubmit;
  window: FakeWindow;
  /** Those who waited for it then. */
  calls: readonly Call[];
  /** The job that it created, if any. */
  jobId: string | undefined;
  isRefused: boolean;
  /** Somebody was told that it is unknown what became of it, and settled that. */
  isSettled: boolean;
}

/**
 * Windows of one account, people and programs that submit in them, and a model of what these know.
 * Nothing of the files is looked at: what counts is which requests leave, and who learns of their
 * jobs.
 */
class Walk {
  readonly seen = new Set<string>();
  private readonly machine = new FakeMachine();
  private readonly turns: { isLook: boolean; take: () => void }[] = [];
  private readonly stopped = new Set<FakeWindow>();
  private readonly closedAt = new Map<FakeWindow, number>();
  private calls: Call[] = [];
  private sent: Sent[] = [];
  /** What had left before the account was signed out. */
  private forgotten: readonly Sent[] = [];
  /** Those who waited for a request when it could no longer be stopped, until it leaves. */
  private readonly leaving = new Map<FakeWindow, Call[]>();
  private questions: DescribedSubmit[] = [];
  /** When the jobs were stored that all windows of the account list. */
  private storedAt = new Map<string, number>();
  private known = new Set<string>();
  private moment = 0;
  private wasClockAhead = false;
  /** Masks were requested, and nobody was told what came of it. */
  private areMasksOpen = false;
  private masksCalls = 0;
  private failure: Error | undefined;

  constructor() {
    this.machine.whenItsTurn = isLook => new Promise(take => this.turns.push({ isLook, take }));
    this.machine.service.onPost = (request, window, jobId) => {
      if (request === 'masks') this.onMasksSent(jobId !== undefined);
      else this.onSent(request as DescribedSubmit, window, jobId);
    };
    this.machine.service.onLeaving = (request, window) => {
      const calls = this.leaving.get(window) ?? [];
      this.leaving.set(window, [...calls, ...this.waitingFor(request, window)]);
    };
    void this.open();
  }

  private get windows(): FakeWindow[] {
    return this.machine.windows.filter(window => !this.closedAt.has(window));
  }

  async happen(what: Happening, pick: number): Promise<void> {
    const { machine } = this;
    const { service } = machine;
    this.moment += 1;
    const window = oneOf(this.windows, pick);
    const waiting = this.turns.length;
    if (what === 'step') this.step(pick);
    else if (what === 'open a window' && this.windows.length < MAX_WINDOWS) void this.open();
    else if (what === 'escape')
      oneOf(
        this.calls.filter(({ isOver }) => !isOver),
        pick,
      )?.leaving.abort();
    else if (what === 'let time pass') await this.pass();
    else if (what === 'lose requests') service.loses = 'requests';
    else if (what === 'lose responses') service.loses = 'responses';
    else if (what === 'lose nothing') service.loses = undefined;
    else if (what === 'hide new jobs') this.hideJobs();
    else if (what === 'list new jobs') service.hidden.clear();
    else if (what === 'refuse') service.refusal = new CodedError('bad-request', 'refused', { status: 402 });
    else if (what === 'accept') service.refusal = undefined;
    else if (what === 'leave the network') service.isUnreachable = true;
    else if (what === 'enter the network') service.isUnreachable = false;
    else if (what === 'fill the disk') machine.diskError = pick % 2 ? 'ENOSPC' : 'EROFS';
    else if (what === 'fail to read') machine.readError = 'EIO';
    else if (what === 'mend the disk') machine.diskError = machine.readError = undefined;
    else if (what === 'set the clock ahead') this.setClock(1 + (pick % 30));
    else if (what === 'set the clock back') this.setClock(-1 - (pick % 30));
    else if (what === 'sign out' && pick % 4 === 0) this.signOut();
    else if (window) this.happenIn(window, what, pick);
    if (what === 'submit' || what === 'request masks') await this.look(waiting);
    await this.settle();
  }

  /**
   * Repairs all, and reports to all who wait. Then closes each window and opens one more: no
   * request may be forgotten, and each can be made once more.
   */
  async end(): Promise<void> {
    const { machine } = this;
    Object.assign(machine.service, { loses: undefined, refusal: undefined, isUnreachable: false });
    machine.service.hidden.clear();
    machine.diskError = machine.readError = undefined;
    for (const window of machine.windows) window.resume();
    this.stopped.clear();
    const { calls } = this;
    await this.until(
      () => calls.every(({ isOver, window }) => isOver || window.isOver),
      'somebody waits forever',
    );
    for (const window of this.windows) this.close(window);
    const [last, pickedUp] = this.open();
    await this.finish(pickedUp, 'a window picks up submits forever');
    // A program that is gone is told when it calls again.
    this.checkKnown(this.sent.filter(({ request }) => request.by === 'person'));
    for (const request of REQUESTS) {
      for (let attempt = 1; ; attempt++) {
        const call = this.submit(last, request);
        await this.until(() => call.isOver, 'the last one waits forever');
        if (call.reportedAt !== undefined) break;
        ok(attempt < 3, 'it can never be submitted again');
        await this.finish(this.answer(last, request), 'it can never be settled');
      }
    }
    this.checkKnown(this.sent);
  }

  private checkKnown(sent: readonly Sent[]): void {
    for (const one of sent) ok(this.isKnownNow(one), `${one.jobId ?? 'a lost request'} is forgotten`);
  }

  private happenIn(window: FakeWindow, what: Happening, pick: number): void {
    if (what === 'kill a window') this.close(window);
    if (what === 'resume a window') this.resume(window);
    // One that hangs takes no clicks.
    if (this.stopped.has(window)) return;
    if (what === 'stop a window') this.stop(window);
    if (what === 'submit') this.submit(window, oneOf(REQUESTS, pick) ?? REQUESTS[0]);
    if (what === 'request masks') this.requestMasks(window);
    const question = oneOf(this.questions, pick);
    if (what === 'settle' && question) void this.answer(window, question);
  }

  private stop(window: FakeWindow): void {
    window.stop();
    this.stopped.add(window);
  }

  private resume(window: FakeWindow): void {
    window.resume();
    this.stopped.delete(window);
  }

  private close(window: FakeWindow): void {
    window.crash();
    this.closedAt.set(window, this.moment);
  }

  /** As the application does when it starts. */
  private open(): [FakeWindow, Promise<void>] {
    const { known, storedAt } = this;
    const window = this.machine.openWindow({ known });
    const picking = window.guard.pickUp((jobId, request) => {
      this.store(jobId, known, storedAt);
      this.seen.add(`a job was picked up for a ${request.by}`);
      return Promise.resolve();
    });
    const asking = picking.then(
      async unresolved => {
        if (unresolved.length > 0) this.seen.add('a window asked when it was opened');
        if (known === this.known) this.questions.push(...unresolved.map(({ request }) => request));
        for (const { markAsked } of unresolved) await markAsked();
      },
      // Logged by the application.
      () => undefined,
    );
    return [window, asking];
  }

  private setClock(hours: number): void {
    this.machine.clockOffset += hours * HOUR;
    this.wasClockAhead ||= hours > 0;
  }

  private hideJobs(): void {
    const { service } = this.machine;
    for (let ahead = 1; ahead <= 3; ahead++) service.hidden.add(`job${service.posts + ahead}`);
    service.hidden.add('masks');
  }

  /** What was stored is deleted, and with it all that anybody could be told. */
  private signOut(): void {
    for (const window of this.windows) {
      this.resume(window);
      window.signOut();
      this.closedAt.set(window, this.moment);
    }
    this.machine.files.clear();
    this.machine.hasFolder = false;
    this.forgotten = [...this.forgotten, ...this.sent.map(sent => ({ ...sent, isSettled: true }))];
    this.sent = [];
    this.questions = [];
    this.storedAt = new Map();
    this.known = new Set();
    this.areMasksOpen = false;
    void this.open();
    this.seen.add('the account was signed out');
  }

  private submit(window: FakeWindow, request: DescribedSubmit): Call {
    const call: Call = {
      window,
      request,
      leaving: new AbortController(),
      beganAt: this.moment,
      isOver: false,
      isReported: false,
    };
    this.calls.push(call);
    this.submitAsApplication(call).catch((error: unknown) => this.fail(String(error)));
    return call;
  }

  /** A submit begins with its first look at the files: those that overlap from then on are one. */
  private async look(waiting: number): Promise<void> {
    while (this.turns.length > waiting && this.turns.at(-1)?.isLook) {
      this.turns.pop()?.take();
      await this.settle();
    }
  }

  private async submitAsApplication(call: Call): Promise<void> {
    const { window, request, leaving } = call;
    const { known, storedAt } = this;
    try {
      const { jobId } = await window.guard.submit(request, { signal: leaving.signal });
      if (window.isOver) return;
      Object.assign(call, { jobId, reportedAt: this.moment });
      // A window may be closed before it stores a job.
      await this.machine.whenItsTurn(false);
      if (window.isOver) return;
      this.store(jobId, known, storedAt);
      await window.guard.stored(request, jobId);
    } catch (error) {
      ok(isCoded(error), String(error));
      this.seen.add(`${error.code} was told`);
      if (window.isOver || known !== this.known) return;
      if (error.code === 'bad-request')
        for (const sent of this.sent) if (sent.calls.includes(call)) sent.isRefused = true;
      if (error.code === 'ambiguous-submit' && request.by === 'program') await this.answer(window, request);
      else if (error.code === 'ambiguous-submit') this.questions.push(request);
    } finally {
      call.isOver = !window.isOver;
    }
  }

  /** Whoever submitted a request knows that its outcome is unknown, and has decided. */
  private async answer(window: FakeWindow, request: DescribedSubmit): Promise<void> {
    this.questions = this.questions.filter(one => one !== request);
    const isSame = (other: { request: NewJob }) => other.request.pipelineId === request.pipelineId;
    for (const sent of this.sent.filter(isSame)) sent.isSettled = true;
    for (const call of this.calls.filter(isSame)) call.isReported = true;
    await window.guard.settle(request);
  }

  private store(jobId: string, known: Set<string>, storedAt: Map<string, number>): void {
    known.add(jobId);
    if (!storedAt.has(jobId)) storedAt.set(jobId, this.moment);
  }

  private onSent(request: DescribedSubmit, window: FakeWindow, jobId: string | undefined): void {
    if (this.closedAt.has(window) && !window.isOver) this.fail('a window sent after it was signed out');
    // Who left since it can't be stopped knows that there may be a job.
    const left = (this.leaving.get(window) ?? []).filter(call => isSameSubmit(call.request, request));
    const calls = [...new Set([...left, ...this.waitingFor(request, window)])];
    const others = (this.leaving.get(window) ?? []).filter(call => !left.includes(call));
    this.leaving.set(window, others);
    const isRefused = this.machine.service.refusal !== undefined;
    const isSettled = calls.some(({ isReported }) => isReported);
    const beganAt = Math.min(this.moment, ...calls.map(call => call.beganAt));
    for (const earlier of this.sent) {
      const isSame = isSameSubmit(earlier.request, request) && earlier.request.by === request.by;
      if (isSame && !isSettled && !this.isKnownAt(earlier, beganAt) && !this.isForgivenTo(earlier))
        this.fail(
          `${request.pipelineId} was sent again before anybody knew of ${earlier.jobId ?? 'a lost one'}`,
        );
    }
    this.sent.push({ request, window, calls, jobId, isRefused, isSettled });
    if (this.machine.service.loses && jobId) this.seen.add('a response was lost');
  }

  private waitingFor(request: NewJob, window: FakeWindow): Call[] {
    return this.calls.filter(
      ({ isOver, reportedAt, ...call }) =>
        isSameSubmit(call.request, request) && call.window === window && !isOver && reportedAt === undefined,
    );
  }

  /** Whether whoever submits the same at a moment knows of the job, or that it is unknown. */
  private isKnownAt({ request, calls, jobId, isRefused, isSettled }: Sent, moment: number): boolean {
    if (isRefused || isSettled) return true;
    if (this.isTaken(jobId, request, moment)) return true;
    const isStored = (id: string | undefined) => (this.storedAt.get(id ?? '') ?? moment + 1) <= moment;
    const isAbout = (call: Call) => call.jobId === jobId || calls.includes(call);
    const reported = this.calls.filter(call => (call.reportedAt ?? moment + 1) <= moment && isAbout(call));
    // A window that is closed before it stores a job shows it to nobody.
    const isOpen = (call: Call) => (this.closedAt.get(call.window) ?? Number.POSITIVE_INFINITY) > moment;
    const isReported = reported.some(call => isStored(call.jobId) || isOpen(call));
    return isReported || (isStored(jobId) && request.by === 'person');
  }

  /** Whether an earlier request's job, listed late, was taken for a lost one's. */
  private isTaken(jobId: string | undefined, request: NewJob, moment: number): boolean {
    const isTwin = (other: Sent) => other.isSettled && isSameSubmit(other.request, request);
    const storedAt = [...this.forgotten, ...this.sent]
      .filter(isTwin)
      .map(other => this.storedAt.get(other.jobId ?? '') ?? moment + 1);
    return jobId === undefined && storedAt.some(at => at <= moment);
  }

  /** To a program its job is owed until it calls again, for a day. */
  private isForgivenTo({ request, jobId }: Sent): boolean {
    return request.by === 'program' && this.wasClockAhead && jobId !== undefined && this.known.has(jobId);
  }

  private isKnownNow(sent: Sent): boolean {
    const { request, calls, jobId } = sent;
    const isStored = jobId !== undefined && this.known.has(jobId);
    // A late job of the same name may have been taken for its own.
    const isTaken = this.isTaken(jobId, request, this.moment);
    const wasReported = isTaken || calls.some(call => call.isReported || call.reportedAt !== undefined);
    const isAsked = this.questions.some(({ pipelineId }) => pipelineId === request.pipelineId);
    return sent.isRefused || sent.isSettled || isStored || isAsked || wasReported;
  }

  private requestMasks(window: FakeWindow): void {
    this.masksCalls += 1;
    const tell = () => {
      if (!window.isOver) this.areMasksOpen = false;
    };
    window.guard.submitMasks('j').then(tell, (error: unknown) => {
      if (isCoded(error, 'ambiguous-submit')) tell();
    });
  }

  private onMasksSent(areCreated: boolean): void {
    if (this.areMasksOpen && this.masksCalls > 0) this.fail('masks were requested again before anybody knew');
    this.areMasksOpen = areCreated;
    this.seen.add('masks were requested');
  }

  private step(pick: number): void {
    this.turns.splice(pick % Math.max(1, this.turns.length), 1)[0]?.take();
  }

  /** So long that a window which waits takes one that hangs for closed. */
  private async pass(): Promise<void> {
    for (let steps = 0; steps < 100 && this.turns.length > 0; steps++) {
      this.turns.shift()?.take();
      await this.settle();
    }
  }

  private fail(what: string): void {
    this.failure ??= new Error(what);
  }

  /** What was set off has come as far as it can. */
  private async settle(): Promise<void> {
    await nextTurn();
    if (this.failure) throw this.failure;
  }

  private async finish(work: Promise<void>, otherwise: string): Promise<void> {
    let isFinished = false;
    void work.then(() => (isFinished = true));
    await this.until(() => isFinished, otherwise);
  }

  private async until(isReached: () => boolean, otherwise: string): Promise<void> {
    for (let steps = 0; !isReached(); steps++) {
      ok(steps < MAX_STEPS, otherwise);
      this.moment += 1;
      this.turns.shift()?.take();
      await this.settle();
    }
  }
}

const REQUESTS: readonly [DescribedSubmit, ...DescribedSubmit[]] = [
  { pipelineId: 'p', filesystemIds: ['a'], name: 'plate 7', by: 'person' },
  { pipelineId: 'p', filesystemIds: ['a'], name: 'plate 7', by: 'program' },
  { pipelineId: 'p', filesystemIds: ['a'], name: 'plate 8', by: 'person' },
  { pipelineId: 'q', filesystemIds: ['a'], name: 'plate 9', by: 'program' },
  { pipelineId: 'q', filesystemIds: ['a'], by: 'person' },
];

function isSameSubmit(one: NewJob, other: NewJob): boolean {
  return one.pipelineId === other.pipelineId && one.name === other.name;
}

function oneOf<T>(among: readonly T[], pick: number): T | undefined {
  return among[pick % Math.max(1, among.length)];
}

const happenings = fc.array(
  fc.tuple(
    fc.oneof(
      ...(Object.keys(HAPPENINGS) as Happening[]).map(what => ({
        arbitrary: fc.constant(what),
        weight: HAPPENINGS[what],
      })),
    ),
    fc.nat(1000),
  ),
  { minLength: 40, maxLength: 160, size: 'max' },
);

/** Reads a walk as `foundWalks` writes them. */
function happeningsOf(walk: string): [Happening, number][] {
  return walk.split(',').map(text => {
    const [, what, pick] = /^ ?(.+) (\d+) ?$/.exec(text.replace(/\s+/g, ' ')) ?? [];
    ok(what !== undefined && what in HAPPENINGS, text);
    return [what as Happening, Number(pick)];
  });
}

const isFull = Boolean(process.env['IA_FULL']);

describe('A random walk through submits', () => {
  it('never sends a job twice, and forgets none', async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(happenings, async all => {
        const walk = new Walk();
        for (const [what, pick] of all) await walk.happen(what, pick);
        await walk.end();
        for (const one of walk.seen) seen.add(one);
      }),
      {
        numRuns: isFull ? 6000 : 500,
        seed: 7,
        examples: FOUND_WALKS.map(({ walk }) => [happeningsOf(walk)]),
      },
    );
    deepEqual([...seen].sort(), [
      'a job was picked up for a person',
      'a job was picked up for a program',
      'a response was lost',
      'a window asked when it was opened',
      'ambiguous-submit was told',
      'bad-request was told',
      'cancelled was told',
      'masks were requested',
      'network was told',
      'no-space was told',
      'not-writable was told',
      'the account was signed out',
    ]);
  });
});
