import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { viewTypes } from '../../../../src/host/manifestNames';
import { ContentState } from '../../../../src/session/node/contentState';
import { JobResult, type ResultSource } from '../../../../src/session/node/resultSource';
import {
  columnBeside,
  OpenResults,
  type ResultView,
  type ShownPart,
  type TargetColumn,
} from '../../../../src/session/node/openResults';
import { ResultSession } from '../../../../src/session/node/resultSession';
import { CodedError } from '../../../../src/base/errors';
import { Emitter } from '../../../../src/base/event';
import { silentLog } from '../../../../src/base/log';

const source = (key: string, accountId?: string): ResultSource => ({
  key,
  title: key,
  ...(accountId !== undefined && { accountId }),
  restore: { key },
  path: () => Promise.resolve('masks.zip'),
});
const job = source('job:ada:1', 'ada');

class FakeView implements ResultView {
  readonly content: ContentState;
  readonly closed = new Emitter<void>();
  isActive = false;
  column: number | undefined;
  revealed = 0;
  loaded = 0;
  readonly titles: string[] = [];
  isClosed = false;

  constructor(
    readonly shown: ShownPart,
    readonly targetColumn?: TargetColumn,
    readonly keepsFocus?: boolean,
  ) {
    this.content = new ContentState(this.closed.event);
  }

  get name(): string {
    return `${this.shown.part} of ${this.shown.session.source.key}`;
  }

  reveal(): void {
    this.revealed++;
  }

  load(): void {
    this.loaded++;
  }

  retitle(): void {
    this.titles.push(this.shown.session.source.title);
  }

  runInPage(): void {
    throw new Error('Runs nothing here');
  }

  close(): void {
    this.isClosed = true;
    this.closed.fire();
  }

  dispose(): void {
    this.content.dispose();
  }
}

describe('Open results', () => {
  let views: FakeView[];
  let failure: Error | undefined;
  let results: OpenResults;

  beforeEach(() => {
    views = [];
    failure = undefined;
    results = new OpenResults({
      begin: from =>
        new ResultSession({
          source: from,
          startEngine: () => {
            throw new Error('No engine is needed here');
          },
          log: silentLog,
          tableMemory: () => 64,
          addParts: [],
        }),
      createView: (shown, targetColumn, { keepsFocus }) => {
        if (failure) throw failure;
        const view = new FakeView(shown, targetColumn, keepsFocus);
        views.push(view);
        return view;
      },
      revive: restored => {
        const { key } = (restored ?? {}) as { key?: string };
        return key === undefined ? undefined : source(key, 'ada');
      },
    });
  });
  afterEach(() => results.dispose());

  const view = (at: number): FakeView => {
    const found = views[at];
    if (!found) throw new Error(`View ${at} wasn't created`);
    return found;
  };
  const unreadable = new CodedError('not-found', 'Not there');
  /** Shows a part whose content appears at once. */
  const open = async (of: ResultSource, part: ShownPart['part']) => {
    const showing = results.show(of, part);
    view(views.length - 1).content.markShown();
    await showing;
  };
  const assertEnded = async (session: ResultSession) =>
    rejects(session.masks.open(new AbortController().signal), { code: 'cancelled' });

  it('open by themselves where they cover nothing, and leave a view that exists alone', async () => {
    const events: string[] = [];
    results.onDidShow(({ source: { key }, part }) => events.push(`${part} of ${key}`));
    const showing = results.show(job, 'masks', { keepsFocus: true });
    view(0).content.markShown();
    await showing;
    deepEqual([view(0).targetColumn, view(0).keepsFocus], ['aside', true]);
    await results.show(job, 'masks', { keepsFocus: true });
    deepEqual([views.length, view(0).revealed], [1, 0]);
    await results.show(job, 'masks');
    deepEqual([view(0).revealed, events], [1, Array<string>(3).fill(`masks of ${job.key}`)]);
    view(0).column = 1;
    void results.show(job, 'objects', { keepsFocus: true });
    deepEqual(view(1).targetColumn, { beside: 1 });
    view(1).content.markShown();
  });

  it('know whether anything came to the front meanwhile, which what opens by itself never does', async () => {
    const { openings } = results;
    const byItself = results.show(job, 'objects', { keepsFocus: true });
    view(0).content.markShown();
    await byItself;
    equal(results.openings, openings);
    await open(job, 'objects');
    const revealed = results.openings;
    equal(revealed > openings, true);
    const showing = results.show(source('other'), 'masks');
    // As soon as the view is there, whenever it has content.
    equal(results.openings > revealed, true);
    view(1).content.markShown();
    await showing;
  });

  it('show an image in several editors, with one session until the last is closed', async () => {
    const views = [0, 1].map(() => {
      let made: FakeView | undefined;
      results.adopt(job, 'image', shown => (made = new FakeView(shown)));
      if (!made) throw new Error('No view was made');
      return made;
    });
    const [first, second] = views as [FakeView, FakeView];
    equal(first.shown.session, second.shown.session);
    second.isActive = true;
    equal(results.activeView, second);
    second.close();
    equal(results.sessionOf(job), first.shown.session);
    first.close();
    equal(results.sessionOf(job), undefined);
    await assertEnded(first.shown.session);
  });

  it('reveal a part that is opened twice', async () => {
    await open(job, 'masks');
    await open(job, 'masks');
    equal(views.length, 1);
    deepEqual([view(0).revealed, view(0).loaded], [1, 0]);
  });

  it('load a part again that failed, and show it once that works', async () => {
    const first = results.show(job, 'masks');
    view(0).content.fail(unreadable);
    await rejects(first, { code: 'not-found' });
    const again = results.show(job, 'masks');
    equal(view(0).loaded, 1);
    view(0).content.markShown();
    await again;
    equal(views.length, 1);
  });

  it('are titled again when their job is renamed', async () => {
    const named = new JobResult({ of: () => Promise.reject(unreadable) }, 'ada', '1', 'Plate');
    await open(named, 'masks');
    await open(new JobResult({ of: () => Promise.reject(unreadable) }, 'ada', '1', 'Plate'), 'objects');
    results.renameJob('ada', '1', 'Plate 7');
    results.renameJob('ada', '1', 'Plate 7');
    results.renameJob('ada', '2', 'Other');
    deepEqual([view(0).titles, view(1).titles], [['Plate 7'], ['Plate 7']]);
    deepEqual(named.restore, { kind: 'job', accountId: 'ada', jobId: '1', title: 'Plate 7' });
  });

  it('share one session between two parts opened at once', async () => {
    const showing = Promise.all([
      results.show(job, 'masks'),
      results.show(source(job.key, 'ada'), 'objects'),
      results.show(source(job.key, 'ada'), 'masks'),
    ]);
    for (const { content } of views) content.markShown();
    await showing;
    deepEqual(
      views.map(({ name }) => name),
      ['masks of job:ada:1', 'objects of job:ada:1'],
    );
    equal(view(0).shown.session, view(1).shown.session);
  });

  it('end their session with the last view', async () => {
    await open(job, 'masks');
    await open(job, 'objects');
    const { session } = view(0).shown;
    view(0).close();
    equal(results.sessionOf(job), session);
    view(1).close();
    equal(results.sessionOf(job), undefined);
    await assertEnded(session);
  });

  it('are used by programs without a view, with the session of a view where there is one', async () => {
    let used: ResultSession | undefined;
    await results.use(job, session => {
      used = session;
      equal(results.sessionOf(job), session);
      return Promise.resolve();
    });
    equal(results.sessionOf(job), undefined);
    const shown = results.show(job, 'masks');
    view(0).content.markShown();
    await shown;
    const own = results.sessionOf(job);
    await rejects(
      results.use(job, session => {
        equal(session, own);
        // The view is closed while the program works on.
        view(0).close();
        equal(results.sessionOf(job), own);
        return Promise.reject(new Error('over'));
      }),
      /over/,
    );
    equal(results.sessionOf(job), undefined);
    equal(used === own, false);
  });

  it('begin a new session when they are opened again', async () => {
    await open(job, 'masks');
    view(0).close();
    await open(job, 'masks');
    equal(results.sessionOf(job), view(1).shown.session);
    equal(view(0).shown.session === view(1).shown.session, false);
  });

  it('close with their account, and only with theirs', async () => {
    await open(job, 'masks');
    await open(job, 'objects');
    await open(source('job:grace:1', 'grace'), 'masks');
    await open(source('masks:file:///plate.zip'), 'masks');
    results.keepAccounts(new Set(['grace']));
    deepEqual(
      views.map(({ isClosed }) => isClosed),
      [true, true, false, false],
    );
    equal(results.sessionOf(job), undefined);
  });

  it('close with any of their accounts, where they have several', async () => {
    const of = (accountIds: string[]) => ({ ...source(`pairs:${accountIds.join()}`), accountIds });
    await open(of(['ada', 'grace']), 'objects');
    await open(of(['grace']), 'objects');
    await open(of([]), 'objects');
    results.keepAccounts(new Set(['grace']));
    deepEqual(
      views.map(({ isClosed }) => isClosed),
      [true, false, false],
    );
  });

  it('tell when the session of a result begins, and when it is over', async () => {
    const events: string[] = [];
    results.onDidBegin(({ source: { key } }) => events.push(`${key} begins`));
    results.onDidEnd(({ source: { key } }) => events.push(`${key} ends`));
    await open(job, 'masks');
    await open(job, 'objects');
    view(0).close();
    deepEqual(events, [`${job.key} begins`]);
    view(1).close();
    deepEqual(events, [`${job.key} begins`, `${job.key} ends`]);
  });

  it('open where they are wanted, unless others of the result are in sight', async () => {
    const beside = { targetColumn: { beside: 2 } };
    void results.show(job, 'objects', beside);
    view(0).content.markShown();
    view(0).column = 1;
    void results.show(job, 'aggregate', beside);
    view(1).content.markShown();
    deepEqual([view(0).targetColumn, view(1).targetColumn], [{ beside: 2 }, 1]);
  });

  describe('that fail', () => {
    it('leave nothing where a program opened them', async () => {
      const showing = results.show(job, 'masks', { closeOnFailure: true });
      const { session } = view(0).shown;
      view(0).content.fail(unreadable);
      await rejects(showing, { code: 'not-found' });
      equal(view(0).isClosed, true);
      equal(results.sessionOf(job), undefined);
      await assertEnded(session);
    });

    it('stay open for a person to retry', async () => {
      const showing = results.show(job, 'masks');
      view(0).content.fail(unreadable);
      await rejects(showing, { code: 'not-found' });
      equal(view(0).isClosed, false);
      equal(results.sessionOf(job), view(0).shown.session);
    });

    it('leave nothing where the window has no view for them', async () => {
      failure = new Error('The window is closing');
      await rejects(results.show(job, 'masks'), /closing/);
      equal(results.sessionOf(job), undefined);
      failure = undefined;
      await open(job, 'objects');
      failure = new Error('The window is closing');
      await rejects(results.show(job, 'masks'), /closing/);
      equal(results.sessionOf(job), view(0).shown.session);
    });

    it('are closed when opening is canceled', async () => {
      const controller = new AbortController();
      const showing = results.show(job, 'masks', { signal: controller.signal });
      controller.abort();
      await rejects(showing, { code: 'cancelled' });
      equal(view(0).isClosed, true);
      await rejects(results.show(job, 'masks', { signal: controller.signal }), { code: 'cancelled' });
      equal(views.length, 1);
    });

    it('reject when a person closes them before they are shown', async () => {
      const showing = results.show(job, 'masks');
      view(0).close();
      await rejects(showing, { code: 'cancelled' });
    });
  });

  describe('after a reload', () => {
    const stored = (what: string, key = job.key) => ({ keep: { restore: { key }, what } });

    it('come back with what their pages stored', () => {
      const revived = results.revived(viewTypes.table, stored('objects'));
      deepEqual([revived?.source.key, revived?.part], [job.key, 'objects']);
    });

    it('share one session again', () => {
      results.adopt(job, 'objects', shown => new FakeView(shown));
      const revived = results.revived(viewTypes.masks, stored('masks'));
      if (!revived) throw new Error('The masks were not brought back');
      const session = results.sessionOf(job);
      results.adopt(revived.source, revived.part, shown => {
        equal(shown.session, session);
        return new FakeView(shown);
      });
    });

    it("don't come back twice, nor from what isn't valid", () => {
      results.adopt(job, 'objects', shown => new FakeView(shown));
      equal(results.revived(viewTypes.table, stored('objects')), undefined);
      equal(results.revived(viewTypes.masks, stored('objects', 'job:ada:2')), undefined);
      equal(results.revived(viewTypes.table, stored('toString', 'job:ada:2')), undefined);
      for (const state of [undefined, null, 7, {}, { keep: null }, { keep: { what: 'objects' } }])
        equal(results.revived(viewTypes.table, state), undefined);
    });
  });

  it('outlive a custom editor that another one has replaced', () => {
    const adopted: FakeView[] = [];
    const adopt = () =>
      results.adopt(job, 'file', shown => {
        const made = new FakeView(shown);
        adopted.push(made);
        return made;
      });
    adopt();
    adopt();
    adopted[0]?.close();
    equal(results.sessionOf(job), adopted[1]?.shown.session);
    adopted[1]?.close();
    equal(results.sessionOf(job), undefined);
  });

  it("leave nothing of a custom editor that can't be filled", () => {
    throws(
      () =>
        results.adopt(job, 'file', () => {
          throw new Error('The editor is gone');
        }),
      /gone/,
    );
    equal(results.sessionOf(job), undefined);
  });

  it('know whose masks are in the active view', async () => {
    await open(job, 'objects');
    await open(job, 'masks');
    view(0).isActive = true;
    equal(results.activeMasks, undefined);
    equal(results.activeView, view(0));
    view(0).isActive = false;
    equal(results.activeView, undefined);
    view(1).isActive = true;
    equal(results.activeMasks, job);
    equal(results.activeView, view(1));
  });

  it('place tables in one column, and masks beside them', async () => {
    await open(job, 'objects');
    equal(view(0).targetColumn, 'active');
    view(0).column = 1;
    await open(job, 'masks');
    deepEqual(view(1).targetColumn, { beside: 1 });
    view(1).column = 2;
    await open(job, 'aggregate');
    equal(view(2).targetColumn, 1);
    await open(source('job:ada:2', 'ada'), 'masks');
    equal(view(3).targetColumn, 'active');
  });

  it('open beside a column in another that is there, to the right first', () => {
    const beside = [columnBeside(1, [1, 2]), columnBeside(2, [1, 2]), columnBeside(2, [1, 2, 3])];
    deepEqual(beside, [2, 1, 3]);
    equal(columnBeside(1, [1]), undefined);
  });

  it('end when the window does, without closing their views', async () => {
    await open(job, 'masks');
    const { session } = view(0).shown;
    results.dispose();
    deepEqual([view(0).isClosed, view(0).content.isClosed], [false, true]);
    await assertEnded(session);
  });
});
