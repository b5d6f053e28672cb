import { sessionLinks } from '../../linking/node/sessionLinks';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { ObjectRef } from '../../archives/masksSummary';
import type { ComparedSide } from '../comparison';
import type { ObjectOfSide, SelectedPair } from '../comparisonPage';
import type { OpenedComparison } from './masksComparer';
import type { OpenResults } from '../../session/node/openResults';
import type { ResultSession } from '../../session/node/resultSession';
import type { ResultSource } from '../../session/node/resultSource';

interface ComparedResultsOptions {
  sources: Record<ComparedSide, ResultSource>;
  results: Pick<OpenResults, 'sessionOf' | 'onDidBegin'>;
  /** The comparison if it is open: hovering doesn't open it again. */
  opened: () => OpenedComparison | undefined;
  /** These are called when an object is selected or hovered in a side's table or masks. */
  onSelect: (object: ObjectOfSide | null) => void;
  onHover: (object: ObjectOfSide | null) => void;
}

/**
 * Connects a comparison with the open tables and masks of both results: each follows the other's
 * selection, and the comparison follows hovered objects.
 */
export class ComparedResults implements Disposable {
  private readonly store = new DisposableStore();
  /** Listeners on each side's session. */
  private readonly listeners: Partial<Record<ComparedSide, DisposableStore>> = {};
  /** Whether the comparison is changing the selection of a side. */
  private isShowing = false;

  constructor(private readonly options: ComparedResultsOptions) {
    const { sources, results } = options;
    for (const side of ['a', 'b'] as const) {
      const session = results.sessionOf(sources[side]);
      if (session) this.follow(side, session);
      this.store.add(
        results.onDidBegin(begun => {
          if (begun.source.key === sources[side].key) this.follow(side, begun);
        }),
      );
    }
  }

  /** Selects objects of the comparison in tables and masks. */
  show(selected: SelectedPair): void {
    const opened = this.options.opened();
    if (!opened) return;
    for (const side of ['a', 'b'] as const) this.selectOnSide(opened, side, selected);
  }

  dispose(): void {
    this.store.dispose();
  }

  private selectOnSide(opened: OpenedComparison, side: ComparedSide, selected: SelectedPair): void {
    const { sources, results } = this.options;
    const { [side]: object } = selected;
    const { id, objectCount } = opened[side].summary.images[selected.images[side]] ?? {};
    const session = results.sessionOf(sources[side]);
    // The user may have opened another file with the same name since.
    const image = session?.masks.images?.find(
      candidate => candidate.id === id && candidate.objectCount === objectCount,
    );
    if (object === undefined || !image) return;
    this.isShowing = true;
    void session?.get(sessionLinks).selected.show({ image: image.index, object });
    this.isShowing = false;
  }

  private follow(side: ComparedSide, session: ResultSession): void {
    const links = session.get(sessionLinks);
    this.listeners[side]?.dispose();
    const store = (this.listeners[side] = this.store.add(new DisposableStore()));
    const listener = (event: 'onSelect' | 'onHover') => (object: ObjectRef | null) => {
      if (!this.isShowing) this.report(event, side, session, object);
    };
    store.add(links.selected.onDidMark(listener('onSelect')));
    store.add(links.hovered.onDidMark(listener('onHover')));
  }

  private report(
    event: 'onSelect' | 'onHover',
    side: ComparedSide,
    session: ResultSession,
    object: ObjectRef | null,
  ): void {
    const { options } = this;
    if (!object) return options[event](null);
    const opened = options.opened();
    const image = session.masks.images?.[object.image];
    const imageIndex = opened?.[side].summary.images.findIndex(
      ({ id, objectCount }) => id === image?.id && objectCount === image.objectCount,
    );
    // Images outside the comparison aren't shown: the selection stays.
    const isCompared = opened?.pairs.pairs.some(pair => pair[side] === imageIndex) === true;
    if (imageIndex !== undefined && isCompared)
      options[event]({ side, image: imageIndex, object: object.object });
    else if (event === 'onHover') options.onHover(null);
  }
}
