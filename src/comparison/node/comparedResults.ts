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
  /** The open comparison: hovering doesn't open it again. */
  opened: () => OpenedComparison | undefined;
  /** An object was selected in a side's table or masks, or none is; likewise for hovering. */
  onSelect: (object: ObjectOfSide | null) => void;
  onHover: (object: ObjectOfSide | null) => void;
}

/**
 * The open tables and masks of both compared results: they follow the selection in the comparison,
 * which follows their selected and hovered objects.
 */
export class ComparedResults implements Disposable {
  private readonly store = new DisposableStore();
  /** Listeners on each side's session. */
  private readonly following: Partial<Record<ComparedSide, DisposableStore>> = {};
  /** The comparison itself selects something in them. */
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

  /** Selects objects of the comparison in them. */
  show(selected: SelectedPair): void {
    const opened = this.options.opened();
    if (!opened) return;
    for (const side of ['a', 'b'] as const) this.showIn(opened, side, selected);
  }

  dispose(): void {
    this.store.dispose();
  }

  private showIn(opened: OpenedComparison, side: ComparedSide, selected: SelectedPair): void {
    const { sources, results } = this.options;
    const { [side]: object } = selected;
    const { id, objectCount } = opened[side].summary.images[selected.images[side]] ?? {};
    const session = results.sessionOf(sources[side]);
    // The open one may be another file by now.
    const image = session?.masks.images?.find(each => each.id === id && each.objectCount === objectCount);
    if (object === undefined || !image) return;
    this.isShowing = true;
    void session?.get(sessionLinks).selected.show({ image: image.index, object });
    this.isShowing = false;
  }

  private follow(side: ComparedSide, session: ResultSession): void {
    const links = session.get(sessionLinks);
    this.following[side]?.dispose();
    const store = (this.following[side] = this.store.add(new DisposableStore()));
    const tell = (what: 'onSelect' | 'onHover') => (object: ObjectRef | null) => {
      if (!this.isShowing) this.tell(what, side, session, object);
    };
    store.add(links.selected.onDidMark(tell('onSelect')));
    store.add(links.hovered.onDidMark(tell('onHover')));
  }

  private tell(
    what: 'onSelect' | 'onHover',
    side: ComparedSide,
    session: ResultSession,
    object: ObjectRef | null,
  ): void {
    const { options } = this;
    if (!object) return options[what](null);
    const opened = options.opened();
    const image = session.masks.images?.[object.image];
    const found = opened?.[side].summary.images.findIndex(
      ({ id, objectCount }) => id === image?.id && objectCount === image.objectCount,
    );
    // Images outside the comparison aren't shown: the selection here stays.
    const isCompared = opened?.pairs.pairs.some(pair => pair[side] === found) === true;
    if (found !== undefined && isCompared) options[what]({ side, image: found, object: object.object });
    else if (what === 'onHover') options.onHover(null);
  }
}
