import { t } from '../../pages/page/l10n';
import { RowNames } from '../../drawing/page/plotCaches';
import { PlacedPlot } from '../../drawing/page/placedPlot';
import type { PlotSource } from '../../drawing/page/plottedTable';
import type { PlotAction } from '../../drawing/page/plotDrawing';
import type { SelectedPart, ShownComparison } from './compareModel';
import { type ComparisonDrawing, type CompareWords, drawComparison } from './comparePlot';
import type { PlotPart } from './comparisonTargets';

const MIN_SIZE = { width: 280, height: 220 };

interface ComparePlotStageDependencies {
  /** The element that the plot fills. */
  place: HTMLElement;
  source: PlotSource;
  actions: {
    run: (action: PlotAction) => void;
    /**
     * Handles a click on a part of the plot that isn't a single row; `element` is the part's text.
     */
    act: (part: PlotPart, element: SVGElement | undefined) => void;
    hover: (row: number | null) => void;
    say: (words: string) => void;
  };
}

/** A comparison's plot on the screen. It updates itself, without the store. */
export class ComparePlotStage {
  private readonly plot: PlacedPlot<ComparisonDrawing>;
  private shown: [comparison: ShownComparison, words: CompareWords, effects: boolean] | undefined;

  constructor({ place, source, actions }: ComparePlotStageDependencies) {
    const { hover, run, say } = actions;
    const act = (action: PlotAction) => {
      if (action.kind !== 'part') return run(action);
      const part = action.part as PlotPart;
      actions.act(part, this.plot.drawn?.elementOf(part));
    };
    const names = new RowNames(source);
    const kind = t('comparison');
    this.plot = new PlacedPlot({ place, minSize: MIN_SIZE, kind, names, actions: { hover, act, say } });
  }

  /** Shows a comparison; `effects`: whether to show the differences beside the conditions. */
  show(...shown: [comparison: ShownComparison, words: CompareWords, effects: boolean]): void {
    const [comparison, words, effects] = shown;
    const lastShown = this.shown;
    this.shown = shown;
    if (lastShown?.[0] !== comparison || lastShown[2] !== effects)
      this.plot.draw(look => drawComparison(comparison, words, look, effects));
  }

  /** Marks the selected part of the plot, or else the object of the selected row. */
  mark(part: SelectedPart | undefined, row: number | null): void {
    this.plot.mark(({ outlineOf, targets }) => {
      const target = row === null ? undefined : targets.targetOfRow?.(row);
      return (part && outlineOf(part)) ?? (target === undefined ? undefined : targets.outline(target));
    });
  }

  dispose(): void {
    this.plot.dispose();
  }
}
