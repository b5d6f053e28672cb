import type { PlotWindow } from '../../../columns/plotWindow';
import type { PlotColors } from '../plotColors';
import type { DrawnPlot, PlotLook } from '../plotDrawing';
import { bottomAxis, leftAxis, leftRoom, niceScale, plotFrame, windowScale } from '../plotFrame';
import type { PointLayer } from '../layers/pointLayer';
import { pointColors, type PointColors } from './pointColors';
import { ring } from './ring';
import { dotRadius, pixelPoints, type PixelPoints } from './pixelPoints';
import type { ScatterData, ScatterWords } from './scatterData';
import { legendBelow, legendBeside } from './scatterLegend';
import { ScatterTargets } from './scatterTargets';

const LEGEND_WIDTH = 132;
/** Below this width the legend has no room beside the plot. */
const NARROW = 420;
/** Points beyond which dots are more transparent. */
const MANY_POINTS = 3000;

export interface ScatterPlot {
  data: ScatterData;
  words: ScatterWords;
  look: PlotLook;
  /** The columns of the axes. */
  columns: { x: number; y: number };
}

/** What a plot of these ranges shows when not zoomed: its axes end on round numbers, a single value gets room around it. */
export function wholeWindow({ x, y }: PlotWindow): PlotWindow {
  const domain = ([low, high]: [number, number]): [number, number] => {
    const [from = low, to = high] = niceScale(low, high, 0, 1).domain();
    return [from, to];
  };
  return { x: domain(x), y: domain(y) };
}

/** Draws points, or their density, over two axes; below them in gray the rows that don't match the filters. */
export function drawScatter({ data, words, look, columns }: ScatterPlot): DrawnPlot {
  const { size, colors } = look;
  const window = look.window ?? wholeWindow(data.ranges);
  const { meaning } = data;
  const isNarrow = size.width < NARROW;
  const below = meaning && isNarrow ? legendBelow({ meaning, words, colors }, size.width - 16) : undefined;
  const [top, bottom] = [12, 40];
  const left = leftRoom(windowScale(window.y, size.height - top - bottom, 0));
  const right = meaning && !isNarrow ? LEGEND_WIDTH : 20;
  const legendHeight = below?.height ?? 0;
  const frame = plotFrame(
    { width: size.width, height: size.height + legendHeight },
    { top, right, bottom: bottom + legendHeight, left },
    colors,
    words.label,
  );
  const { box } = frame;
  const x = windowScale(window.x, 0, box.width);
  const y = windowScale(window.y, box.height, 0);
  bottomAxis(frame, x, words.x, colors);
  leftAxis(frame, y, words.y, colors);
  if (below) frame.root.append(below.at(8, size.height + 2));
  else if (meaning)
    frame.root.append(
      legendBeside(
        { meaning, words, colors },
        { left: box.left + box.width + 14, top: box.top, width: LEGEND_WIDTH - 18, height: box.height },
      ),
    );
  const shown = pixelPoints(data.shown, x, y);
  const filteredOut = data.filteredOut && pixelPoints(data.filteredOut, x, y);
  const colored = data.color && meaning && pointColors(data.color, meaning, colors);
  const toData = (px: number, py: number): [number, number] => [
    x.invert(px - box.left),
    y.invert(py - box.top),
  ];
  return {
    frame,
    layers: [
      ...(filteredOut ? layersOf(filteredOut, colors, colors.filteredOut) : []),
      ...layersOf(shown, colors, colors.mark, colored),
    ],
    targets: new ScatterTargets({
      data,
      words,
      colors,
      box,
      toPixels: (valueX, valueY) => [x(valueX), y(valueY)],
      shown,
      filteredOut,
      pointColors: colored,
    }),
    toData,
    drag: {
      shape: 'lasso',
      done: path => ({
        kind: 'lasso',
        lasso: { ...columns, polygon: path.flatMap(([px, py]) => toData(px, py)) },
      }),
    },
    clear: { kind: 'clearLasso', ...columns },
    mark: {
      columns: [columns.x, columns.y],
      draw: ([markX, markY]) => {
        if (typeof markX !== 'number' || typeof markY !== 'number') return undefined;
        const [px, py] = [x(markX), y(markY)];
        if (px < -1 || px > box.width + 1 || py < -1 || py > box.height + 1) return undefined;
        return ring({ x: px + box.left, y: py + box.top }, { radius: 7, width: 2.5 }, colors);
      },
    },
  };
}

function layersOf(
  { x, y, cells }: PixelPoints,
  { background }: PlotColors,
  color: string,
  colored?: PointColors,
): PointLayer[] {
  if (cells) return cells.layers(color, background);
  const count = x.length;
  if (count === 0) return [];
  const dots = {
    kind: 'dots' as const,
    radius: dotRadius(count),
    opacity: count > MANY_POINTS ? 0.6 : 0.8,
    x,
    y,
  };
  if (!colored) return [{ ...dots, palette: [color] }];
  const { palette, indexOf } = colored;
  const indexes = new Uint8Array(count);
  for (let point = 0; point < count; point++) indexes[point] = indexOf(point);
  return [{ ...dots, palette, colors: indexes }];
}
