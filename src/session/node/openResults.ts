import type { Disposable } from '../../base/disposable';
import { throwIfCanceled } from '../../base/errors';
import { Emitter } from '../../base/event';
import { untilCanceled } from '../../base/waiting';
import { viewTypes } from '../../host/manifestNames';
import type { PageMenuCommand } from '../../protocol/menuCommands';
import { type ResultPart, resultParts } from '../../service/resultParts';
import type { ContentState } from './contentState';
import { ImageFileResult } from './imageFileResult';
import type { ResultSession } from './resultSession';
import { keyOfJob, type ResultSource } from './resultSource';

/** A view of a part of a result in the editor. */
export interface ResultView extends Disposable {
  /** The state of the content; it is over once the view is closed. */
  readonly content: ContentState;
  /** Whether the view is the active one. */
  readonly isActive: boolean;
  /** The column of the window that shows the view; undefined while hidden. */
  readonly column: number | undefined;
  reveal(): void;
  /** Loads the content again. */
  load(): void;
  /** Updates the title from the source. */
  retitle(): void;
  /** Makes its page run an entry of its context menu. */
  runInPage(entry: PageMenuCommand): void;
  close(): void;
  /** Releases the view without closing it, because the window ends and may restore it. */
  dispose(): void;
}

/** The part of a result that a view shows. */
export interface ShownPart {
  session: ResultSession;
  part: ResultPart;
}

/** Where a view opens: in a column, the active column, beside a column, or in an unused one. */
export type TargetColumn = number | 'active' | 'aside' | { beside: number };

/** The stored state of a view, to restore it after a reload. */
export interface StoredView {
  restore: unknown;
  what: ResultPart;
}

interface OpenResultsOptions {
  /** Begins the session of a result. */
  begin: (source: ResultSource) => ResultSession;
  createView: (
    shownView: ShownPart,
    targetColumn: TargetColumn,
    options: { keepsFocus: boolean },
  ) => ResultView;
  /** Makes a source from its `restore` value; undefined if that is no longer valid. */
  revive: (restored: unknown) => ResultSource | undefined;
}

interface ShowOptions {
  closeOnFailure?: boolean;
  keepsFocus?: boolean;
  /** Where the view opens if the result has no other visible views. */
  targetColumn?: TargetColumn;
  signal?: AbortSignal;
}

/** A result and its views: one per part, except an image in several editors. */
interface OpenResult {
  session: ResultSession;
  views: Set<PartView>;
  /** Number of programs that use it. */
  users: number;
}

interface PartView {
  part: ResultPart;
  view: ResultView;
}

/** All results in use. A result has one session, until its last view and program end. */
export class OpenResults implements Disposable {
  private readonly open = new Map<string, OpenResult>();
  private readonly showing = new Emitter<{ source: ResultSource; part: ResultPart }>();

  private readonly beginning = new Emitter<ResultSession>();
  private readonly ending = new Emitter<ResultSession>();

  /** Fires when a person or a program opens a part of a result. */
  readonly onDidShow = this.showing.event;
  /** Fires when the session of a result begins. */
  readonly onDidBegin = this.beginning.event;
  /** Fires when the session of a result has ended. */
  readonly onDidEnd = this.ending.event;

  private openingCount = 0;

  constructor(private readonly options: OpenResultsOptions) {}

  /**
   * Number of times that a part was brought to the front. If it changes during slow work, the user
   * has opened something else, which should stay in front.
   */
  get openings(): number {
    return this.openingCount;
  }

  /**
   * Shows a part of a result, in a new view if it has none. Resolves when the first content is on
   * the screen, or rejects with the coded error that prevented it. The view also shows the error
   * and offers to retry, unless `closeOnFailure` is set, as for programs. With `keepsFocus`, it
   * takes no focus and doesn't reveal an existing view.
   */
  async show(
    source: ResultSource,
    part: ResultPart,
    {
      closeOnFailure = false,
      keepsFocus = false,
      targetColumn: requestedColumn = keepsFocus ? 'aside' : 'active',
      signal,
    }: ShowOptions = {},
  ): Promise<void> {
    throwIfCanceled(signal);
    if (!keepsFocus) this.openingCount++;
    const shownView = this.viewOf(source, part);
    if (shownView) {
      this.showing.fire({ source, part });
      if (!keepsFocus) shownView.reveal();
      if (shownView.content.hasFailed) {
        shownView.content.startOver();
        shownView.load();
      }
      return untilCanceled(shownView.content.whenShown(), signal);
    }
    const view = this.attach(source, part, (session, { views }) => {
      const targetColumn = targetColumnFor(views, part) ?? requestedColumn;
      return this.options.createView({ session, part }, targetColumn, { keepsFocus });
    });
    this.showing.fire({ source, part });
    try {
      await untilCanceled(view.content.whenShown(), signal);
    } catch (error) {
      if ((signal?.aborted || closeOnFailure) && !view.content.isClosed) view.close();
      throw error;
    }
  }

  /** Shows a part of a result in a view that the window already has, such as a custom editor. */
  adopt(source: ResultSource, part: ResultPart, view: (shownView: ShownPart) => ResultView): void {
    this.attach(source, part, session => view({ session, part }));
  }

  /**
   * The source and part of a view that the window restored; `state` is the stored state of its
   * page. Undefined if it is invalid, or if the part already has a view.
   */
  revived(viewType: string, state: unknown): { source: ResultSource; part: ResultPart } | undefined {
    const { restore, what: part } = storedView(state);
    if (!part || viewType !== viewTypeOf(part)) return undefined;
    const source = this.options.revive(restore);
    return source && !this.viewOf(source, part) ? { source, part } : undefined;
  }

  /** The result whose masks are in the active view. */
  get activeMasks(): ResultSource | undefined {
    return this.activeOf('masks');
  }

  /** The image file in the active view. */
  get activeImage(): ImageFileResult | undefined {
    const source = this.activeOf('image');
    return source instanceof ImageFileResult ? source : undefined;
  }

  /** The active view. */
  get activeView(): ResultView | undefined {
    const views = [...this.open.values()].flatMap(result => [...result.views]);
    return views.find(({ view }) => view.isActive)?.view;
  }

  /** The session of a result that has a view. */
  sessionOf(source: ResultSource): ResultSession | undefined {
    return this.open.get(source.key)?.session;
  }

  /** Uses a result's session; without a view, the session ends afterwards. */
  async use<T>(source: ResultSource, work: (session: ResultSession) => Promise<T>): Promise<T> {
    const result = this.open.get(source.key) ?? this.begin(source);
    result.users++;
    try {
      return await work(result.session);
    } finally {
      result.users--;
      this.endIfUnused(result);
    }
  }

  /** The sessions of all results in use. */
  get all(): ResultSession[] {
    return [...this.open.values()].map(({ session }) => session);
  }

  /** Updates the titles of a job's views after the job was renamed. */
  renameJob(accountId: string, jobId: string, title: string): void {
    const result = this.open.get(keyOfJob(accountId, jobId));
    if (!result || result.session.source.title === title) return;
    result.session.source.rename?.(title);
    for (const { view } of result.views) view.retitle();
  }

  /** Closes views of results that belong to an account outside the set. */
  keepAccounts(accountIds: ReadonlySet<string>): void {
    for (const { session, views } of [...this.open.values()]) {
      const { accountId, accountIds: ownerIds = accountId === undefined ? [] : [accountId] } = session.source;
      if (ownerIds.every(id => accountIds.has(id))) continue;
      for (const { view } of [...views]) view.close();
    }
  }

  /** Ends the sessions. The views stay on screen: the window restores them after a reload. */
  dispose(): void {
    const results = [...this.open.values()];
    this.open.clear();
    for (const emitter of [this.showing, this.beginning, this.ending]) emitter.dispose();
    for (const { session, views } of results) {
      for (const { view } of views) view.dispose();
      session.dispose();
    }
  }

  private attach(
    source: ResultSource,
    part: ResultPart,
    create: (session: ResultSession, result: OpenResult) => ResultView,
  ): ResultView {
    const result = this.open.get(source.key) ?? this.begin(source);
    try {
      const view = create(result.session, result);
      const shownView = { part, view };
      result.views.add(shownView);
      const onClosed = () => {
        result.views.delete(shownView);
        this.endIfUnused(result);
      };
      view.content.signal.addEventListener('abort', onClosed, { once: true });
      return view;
    } catch (error) {
      this.endIfUnused(result);
      throw error;
    }
  }

  private begin(source: ResultSource): OpenResult {
    const session = this.options.begin(source);
    const result: OpenResult = { session, views: new Set(), users: 0 };
    this.open.set(source.key, result);
    this.beginning.fire(session);
    return result;
  }

  /** Whether a part of a result is visible. */
  isInView(source: ResultSource, part: ResultPart): boolean {
    return this.viewOf(source, part)?.column !== undefined;
  }

  private viewOf(source: ResultSource, part: ResultPart): ResultView | undefined {
    return [...(this.open.get(source.key)?.views ?? [])].find(shownView => shownView.part === part)?.view;
  }

  /** The result whose part `part` is in the active view. */
  private activeOf(part: ResultPart): ResultSource | undefined {
    const isActive = (shownView: PartView) => shownView.part === part && shownView.view.isActive;
    return [...this.open.values()].find(({ views }) => [...views].some(isActive))?.session.source;
  }

  /** Ends the session of a result that has no views and no programs. */
  private endIfUnused({ session, views, users }: OpenResult): void {
    const { key } = session.source;
    if (views.size > 0 || users > 0 || this.open.get(key)?.session !== session) return;
    this.open.delete(key);
    session.dispose();
    this.ending.fire(session);
  }
}

/** The type of view that shows a part. */
export function viewTypeOf(part: ResultPart): (typeof viewTypes)['masks' | 'table' | 'imageEditor'] {
  if (part === 'image') return viewTypes.imageEditor;
  return part === 'masks' ? viewTypes.masks : viewTypes.table;
}

/** The column of a new view: tables share one, masks go beside tables. Undefined without views. */
function targetColumnFor(views: OpenResult['views'], part: ResultPart): TargetColumn | undefined {
  const visible = [...views].flatMap(({ part: shownPart, view: { column } }) =>
    column === undefined ? [] : [{ column, isSameType: viewTypeOf(shownPart) === viewTypeOf(part) }],
  );
  const column = visible.find(({ isSameType }) => isSameType)?.column;
  if (column !== undefined) return column;
  return visible[0] && { beside: visible[0].column };
}

/** The next column to the right of `column`, else to the left; undefined without other columns. */
export function columnBeside(column: number, columns: readonly number[]): number | undefined {
  const otherColumns = columns.filter(other => other !== column).sort((a, b) => a - b);
  return otherColumns.find(other => other > column) ?? otherColumns.at(-1);
}

/** Parses the state of a view that its page saved; see the event `panelState` of the protocol. */
function storedView(state: unknown): Partial<StoredView> {
  const keep = ((state ?? {}) as { keep?: unknown }).keep;
  const { restore, what } = (keep ?? {}) as { restore?: unknown; what?: unknown };
  const resultPart = resultParts.find(part => part === what);
  return { restore, ...(resultPart && { what: resultPart }) };
}
