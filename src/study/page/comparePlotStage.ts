import { t } from '../../pages/page/l10n';
import { element } from '../../pages/page/widgets/element';
import { RowNames } from '../../drawing/page/plotCaches';
import { RedrawnElement } from '../../drawing/page/redrawnElement';
import { plotColors } from '../../drawing/page/plotColors';
import type { PlotSource } from '../../drawing/page/plottedTable';
import { listenToPlotKeys, PlotPointer } from '../../drawing/page/plotPointer';
import { PlotStage } from '../../drawing/page/plotStage';
import { PlotZoom } from '../../drawing/page/plotZoom';
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
     * Called on a click on a part of the plot that isn't about single rows; `element` is its text.
     */
    act: (part: PlotPart, element: SVGElement | undefined) => void;
    hover: (row: number | null) => void;
    say: (words: string) => void;
  };
}

/** A comparison's plot on the screen. It updates itself, without the store. */
export class ComparePlotStage {
  private readonly stage: PlotStage;
  private readonly pointer: PlotPointer;
  private readonly place: RedrawnElement;
  private drawn: ComparisonDrawing | undefined;
  private marked: { part?: SelectedPart | undefined; row: number | null } = { row: null };
  private shown: [comparison: ShownComparison, words: CompareWords, effects: boolean] | undefined;

  constructor({ place, source, actions }: ComparePlotStageDependencies) {
    const role = { role: 'application', 'aria-roledescription': t('comparison') };
    const root = element('div', { class: 'plot-stage', tabindex: 0, ...role });
    const { hover, run, say } = actions;
    const act = (action: PlotAction) => {
      if (action.kind !== 'part') return run(action);
      const part = action.part as PlotPart;
      actions.act(part, this.drawn?.elementOf(part));
    };
    this.stage = new PlotStage(root, { hover, act, say }, new RowNames(source));
    // The plot always shows everything.
    const zoom = new PlotZoom({ window: null, save: () => undefined, load: () => undefined });
    this.pointer = new PlotPointer(this.stage, zoom, () => plotColors().foreground);
    listenToPlotKeys(this.stage, this.pointer, zoom);
    place.append(root);
    this.place = new RedrawnElement(place, MIN_SIZE, () => this.draw());
  }

  /** Shows a comparison; `effects`: whether to show the differences beside the conditions. */
  show(...shown: [comparison: ShownComparison, words: CompareWords, effects: boolean]): void {
    const before = this.shown;
    this.shown = shown;
    if (before?.[0] !== shown[0] || before[2] !== shown[2]) this.draw();
  }

  /** Marks the selected part of the plot, or else the object of the selected row. */
  mark(part: SelectedPart | undefined, row: number | null): void {
    this.marked = { part, row };
    const { drawn } = this;
    const target = row === null ? undefined : drawn?.targets.targetOfRow?.(row);
    const ofRow = target === undefined ? undefined : drawn?.targets.outline(target);
    this.stage.showMark((part && drawn?.outlineOf(part)) ?? ofRow);
  }

  dispose(): void {
    this.place.dispose();
    this.pointer.dispose();
    this.stage.dispose();
    this.stage.root.remove();
  }

  private draw(): void {
    const { shown } = this;
    if (!shown) return;
    const [comparison, words, effects] = shown;
    const look = { ...this.place.size, colors: plotColors() };
    this.drawn = drawComparison(comparison, words, look, effects);
    this.stage.show(this.drawn);
    this.mark(this.marked.part, this.marked.row);
  }
}
