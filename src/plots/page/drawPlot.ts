import { t } from '../../pages/page/l10n';
import { effect } from '@preact/signals';
import { columnName } from '../../pages/page/columnName';
import { FrameQueue } from '../../pages/page/widgets/timing';
import type { DrawerModel } from './drawerModel';
import { followColors } from './followColors';
import { loadBars, loadBoxes } from './groupPlots';
import { loadHistogram } from './histogramPlot';
import { plotColors, type PlotColors } from '../../drawing/page/plotColors';
import type { PlotTable } from '../../drawing/page/plottedTable';
import type { PlotColumn } from './plotDefinition';
import type { LoadedPlot, PlotDrawing } from '../../drawing/page/plotDrawing';
import type { LoadPlot, PlotModel } from './plotModel';
import { listenToPlotKeys, PlotPointer } from '../../drawing/page/plotPointer';
import { PlotStage } from '../../drawing/page/plotStage';
import { type PlotSpec, type PlotType, plotTypes } from './plotTypes';
import { loadScatter } from './scatterPlot';

const loaders: Record<PlotType, LoadPlot> = {
  histogram: loadHistogram,
  scatter: loadScatter,
  box: loadBoxes,
  bar: loadBars,
};

/** Loads the data of a plot. The result draws itself. */
export const loadPlot: LoadPlot = (spec, input, signal) => loaders[spec.kind](spec, input, signal);

const MIN_WIDTH = 150;
const MIN_HEIGHT = 112;
const MAX_HEIGHT = 420;
const NARROW_HEIGHT = 300;

interface PlotElements {
  card: HTMLElement;
  stage: HTMLElement;
  /**
   * Text that explains the plot. Drawn together with it, as the text's height reduces the plot's.
   */
  note: HTMLElement;
}

/**
 * Draws a plot at its card's size, at most once a frame, whenever its models or the theme change.
 * Connects pointer and keys. Returns a function that ends this.
 */
export function drawPlot(
  { card, stage: root, note }: PlotElements,
  drawer: DrawerModel,
  plot: PlotModel,
): () => void {
  const { options, cards, isOpen } = drawer;
  const stage = new PlotStage(root, options, drawer.names);
  let colors: PlotColors | undefined;
  /** Measured height of the card's other content, in pixels. */
  let otherHeight = 0;
  let plotHeight = 0;
  const drawAt = (loaded: LoadedPlot, size: { width: number; height: number }): PlotDrawing => {
    colors ??= plotColors();
    const drawn = loaded.draw({ size, colors, window: plot.zoom.window });
    const overlayElement = overlay?.draw(drawn, colors);
    const drawing = overlayElement ? { ...drawn, overlay: overlayElement } : drawn;
    stage.show(drawing);
    note.textContent = noteOn(drawing, plot.spec, options);
    otherHeight = card.offsetHeight - size.height;
    plotHeight = size.height;
    return drawing;
  };
  const draw = () => {
    const { plot: loaded } = plot.zoom;
    const room = cards.peek();
    if (!loaded || !room || !isOpen.peek() || !root.isConnected) return;
    const width = Math.max(MIN_WIDTH, room.width);
    // Narrow plots are nearly square: flat ones would have little room for points and tips.
    const maxHeight = Math.min(
      MAX_HEIGHT,
      Math.max(Math.round(width * 0.62), Math.min(width, NARROW_HEIGHT)),
    );
    const fittingHeight = () => Math.max(MIN_HEIGHT, Math.min(maxHeight, room.height - otherHeight));
    const height = fittingHeight();
    const drawing = drawAt(loaded, { width, height });
    // The heights of note and legend are known only once drawn: then the plot is fitted again.
    plot.drawn(fittingHeight() === height ? drawing : drawAt(loaded, { width, height: fittingHeight() }));
  };
  const drawing = new FrameQueue(draw);
  const drawAnew = () => {
    colors = undefined;
    drawing.schedule();
  };
  // Made first, so that it gets pointer and key events before the plot.
  const overlay = options.addition.peek()?.overlay(plot, stage);
  const pointer = new PlotPointer(stage, plot.zoom, () => colors?.foreground ?? '');
  listenToPlotKeys(stage, pointer, plot.zoom);
  // Other content in the card may change in height, which leaves less or more for the plot.
  const resized = new ResizeObserver(() => {
    if (plotHeight > 0 && card.offsetHeight - plotHeight !== otherHeight) {
      otherHeight = card.offsetHeight - plotHeight;
      drawing.schedule();
    }
  });
  resized.observe(card);
  const theme = new MutationObserver(drawAnew);
  theme.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
  const endEffects = [
    effect(() => {
      if (isOpen.value && cards.value && plot.zoom.plot) drawAnew();
    }),
    effect(() => {
      void plot.zoom.window;
      drawing.schedule();
    }),
    followColors(plot, drawer, () => drawing.schedule()),
    // Marks the selected row once its values are loaded.
    effect(() => {
      const { mark } = plot.drawing ?? {};
      const row = options.selected.value;
      const values = isOpen.value && mark && row !== null ? plot.values.of(row, mark) : undefined;
      stage.showMark(values && mark?.draw(values.numbers, values.text));
    }),
    effect(() => {
      if (isOpen.value) stage.showHovered(options.hovered.value);
    }),
  ];
  return () => {
    for (const endEffect of endEffects) endEffect();
    theme.disconnect();
    resized.disconnect();
    pointer.dispose();
    overlay?.dispose();
    stage.dispose();
    plot.drawn(undefined);
    note.textContent = '';
  };
}

function noteOn({ note, drag }: PlotDrawing, spec: PlotSpec, { source }: PlotTable): string {
  const { columns } = source.table;
  const hint =
    drag?.shape === 'lasso'
      ? t('Drag around points to filter.')
      : drag
        ? t('Click a bar or drag to filter.')
        : t('Click a group to filter.');
  // Columns whose numbers the plot rounds.
  const rounded = plotTypes[spec.kind].columns
    .map(({ role }: PlotColumn) => (role === 'by' ? null : (spec[role] ?? null)))
    .filter(column => column !== null && columns[column]?.isRounded)
    .map(column =>
      t('{0} has integers beyond 2⁵³. Plots and statistics round them.', columnName(columns, column ?? 0)),
    );
  const rowsNote = source.statisticsAreNarrower && t('Image rows only.');
  return [note, rowsNote, ...rounded, hint].filter(Boolean).join(' ');
}
