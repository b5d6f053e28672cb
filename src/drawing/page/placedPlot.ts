import type { Disposable } from '../../base/disposable';
import { element } from '../../pages/page/widgets/element';
import { FrameQueue } from '../../pages/page/widgets/timing';
import type { RowNames } from './plotCaches';
import { plotColors, type PlotColors } from './plotColors';
import type { PlotDrawing } from './plotDrawing';
import type { PlotSize } from './plotFrame';
import type { PlotActions } from './plottedTable';
import { listenToPlotKeys, PlotPointer, type PressOfPlot } from './plotPointer';
import { PlotStage } from './plotStage';
import { PlotZoom } from './plotZoom';

interface PlacedPlotOptions {
  /** The element that the plot fills. */
  place: HTMLElement;
  /** In a smaller place, the plot scrolls. */
  minSize: PlotSize;
  /** The kind of plot, for screen readers. */
  kind: string;
  actions: PlotActions;
  /** Absent without targets that are rows. */
  names?: Pick<RowNames, 'cached' | 'load'>;
  /** Absent without keys of its own. */
  press?: PressOfPlot;
}

/** Size and colors of a drawing that fills its place. */
export type PlacedLook = PlotSize & { colors: PlotColors };

const NO_NAMES = { cached: () => [], load: () => Promise.resolve([]) };

/**
 * A plot that fills an element and always shows everything. It is drawn again when the size of the
 * element or the theme changes.
 */
export class PlacedPlot<Drawing extends PlotDrawing> implements Disposable {
  private readonly stage: PlotStage;
  private readonly pointer: PlotPointer;
  private readonly sizes: ResizeObserver;
  private readonly theme: MutationObserver;
  private latest: Drawing | undefined;
  private drawIn: ((look: PlacedLook) => Drawing) | undefined;
  private markOn: (drawn: Drawing) => SVGElement | undefined = () => undefined;

  constructor(private readonly options: PlacedPlotOptions) {
    const { place, kind, actions, names = NO_NAMES, press } = options;
    const role = { role: 'application', 'aria-roledescription': kind };
    const root = element('div', { class: 'plot-stage', tabindex: 0, ...role });
    this.stage = new PlotStage(root, actions, names);
    const zoom = new PlotZoom({ window: null, save: () => undefined, load: () => undefined });
    this.pointer = new PlotPointer(this.stage, zoom, () => plotColors().foreground);
    listenToPlotKeys(this.stage, this.pointer, zoom, press);
    place.append(root);
    const drawing = new FrameQueue(() => this.redraw());
    const drawAgain = () => drawing.schedule();
    this.sizes = new ResizeObserver(drawAgain);
    this.theme = new MutationObserver(drawAgain);
    this.sizes.observe(place);
    this.theme.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  }

  get drawn(): Drawing | undefined {
    return this.latest;
  }

  /** Draws the plot, now and whenever its place changes. */
  draw(drawIn: (look: PlacedLook) => Drawing): void {
    this.drawIn = drawIn;
    this.redraw();
  }

  /** Marks what is selected, on this drawing and those that follow. */
  mark(markOn: (drawn: Drawing) => SVGElement | undefined): void {
    this.markOn = markOn;
    this.stage.showMark(this.latest && markOn(this.latest));
  }

  dispose(): void {
    this.sizes.disconnect();
    this.theme.disconnect();
    this.pointer.dispose();
    this.stage.dispose();
    this.stage.root.remove();
  }

  private redraw(): void {
    const { drawIn, stage, options } = this;
    if (!drawIn) return;
    const { clientWidth, clientHeight } = options.place;
    const width = Math.max(options.minSize.width, clientWidth);
    const height = Math.max(options.minSize.height, clientHeight);
    this.latest = drawIn({ width, height, colors: plotColors() });
    stage.show(this.latest);
    this.mark(this.markOn);
  }
}
