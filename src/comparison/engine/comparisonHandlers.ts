import type { Disposable } from '../../base/disposable';
import { PartKey } from '../../base/parts';
import { engineLinks } from '../../linking/engine/linkHandlers';
import { type RequestHandlers, handlersLoadedLater } from '../../protocol/rpc';
import type { OpenInEngine } from '../../session/engine/openInEngine';
import type { ComparisonRequests } from '../comparisonRequests';
import type { ComparedInEngine } from './comparedInEngine';

/** A comparison whose code is loaded by its first request: most threads never get one. */
class LazyComparison implements Disposable {
  /** Undefined before the first request. */
  loaded: ComparedInEngine | undefined;
  private loading: Promise<ComparedInEngine> | undefined;
  private isDisposed = false;

  constructor(private readonly open: Pick<OpenInEngine, 'startProgress'>) {}

  load(): Promise<ComparedInEngine> {
    return (this.loading ??= this.create().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    }));
  }

  dispose(): void {
    this.isDisposed = true;
    this.loaded?.dispose();
  }

  private async create(): Promise<ComparedInEngine> {
    const { ComparedInEngine } = await import('./comparedInEngine');
    this.loaded = new ComparedInEngine(this.open.startProgress);
    if (this.isDisposed) this.loaded.dispose();
    return this.loaded;
  }
}

const openComparison = new PartKey<LazyComparison>('comparison');

/**
 * Handlers of requests about a comparison. Rows of the table of pairs link to objects of both
 * sides.
 */
export function comparisonHandlers(open: OpenInEngine): RequestHandlers<ComparisonRequests> {
  const comparison = open.parts.add(openComparison, new LazyComparison(open));
  open.parts.get(engineLinks).linkToOtherMasks = () => comparison.loaded?.links;
  return handlersLoadedLater<ComparisonRequests>(
    {
      openCompared: true,
      compareImages: true,
      comparisonCurve: true,
      comparisonScores: true,
      comparedObjects: true,
      comparedTile: true,
      comparedObjectsAt: true,
      comparedFacts: true,
      comparedIou: true,
      writePairsTable: true,
      saveComparison: true,
      comparisonSettled: true,
    },
    async () => (await comparison.load()).handlers,
  );
}
