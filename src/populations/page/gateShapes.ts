import { type AxisScales, fromAxis, onAxis } from '../../columns/axisScale';
import type { ColumnAxis } from '../../drawing/page/plotFrame';
import { type GateOf, type GatePoint, type SimpleGate, simpleGates, withSimpleGates } from '../gate';

/*
 * Gates over a plot's axes, in pixels of its drawing. A gate's lines are straight on the gate's
 * scales, and curves on axes with other scales.
 */

export type Pixel = readonly [x: number, y: number];

/** The axes of a plot. A histogram has no `y`, since that axis shows counts. */
export interface GateAxes {
  x: ColumnAxis;
  y?: ColumnAxis | undefined;
  box: { left: number; top: number; width: number; height: number };
}

type GateOfKind<K extends GateOf<number>['kind']> = Extract<GateOf<number>, { kind: K }>;
type AreaGate = GateOfKind<'rectangle' | 'polygon' | 'ellipse'>;
type LineGate = GateOfKind<'range'> | (GateOfKind<'percentile' | 'statistic'> & { frozen: number });
/** A gate that can be drawn. A threshold has its number in `frozen`: moving its line freezes it. */
export type ShapeGate = AreaGate | LineGate;

/** The tools that draw gates. */
export type GateTool = 'interval' | 'rectangle' | 'ellipse' | 'polygon';

/** A gate that can be drawn over the axes: a population's gate, or a simple gate within it. */
interface GatePart {
  /** Its position among the simple gates, see simpleGates. */
  part: number;
  gate: ShapeGate;
  /** Set for a band from the least to the greatest threshold over images, which can't be moved. */
  isBand?: true;
}

/**
 * The parts of a gate that can be drawn over these axes. `thresholds`: the least and the greatest
 * threshold of each percentile and statistic gate in it, in order.
 */
export function shapesOn(
  gate: GateOf<number>,
  { x, y }: GateAxes,
  thresholds: readonly (readonly [number | null, number | null])[] = [],
): GatePart[] {
  let next = 0;
  return simpleGates(gate).flatMap((simple, part): GatePart[] => {
    switch (simple.kind) {
      case 'range':
        return simple.column === x.column || simple.column === y?.column ? [{ part, gate: simple }] : [];
      case 'percentile':
      case 'statistic': {
        const { column } = simple;
        const [from, to] = thresholds[next++] ?? [null, null];
        const frozen = simple.frozen ?? from;
        if (frozen === null || (column !== x.column && column !== y?.column)) return [];
        const isLine = simple.frozen !== undefined || from === to;
        return [
          isLine
            ? { part, gate: { ...simple, frozen } }
            : { part, gate: { kind: 'range', column, from, to }, isBand: true },
        ];
      }
      case 'rectangle':
      case 'polygon':
      case 'ellipse': {
        const isOn = simple.x === x.column && simple.y === y?.column;
        const isTurned = simple.y === x.column && simple.x === y?.column;
        return isOn || isTurned ? [{ part, gate: simple }] : [];
      }
      default:
        return [];
    }
  });
}

/** A gate in which the simple gate of this position is changed. */
export function withPart<C>(
  gate: GateOf<C>,
  part: number,
  change: (simple: SimpleGate<C>) => GateOf<C>,
): GateOf<C> {
  let next = 0;
  return withSimpleGates<C, C>(gate, simple => (next++ === part ? change(simple) : simple));
}

/**
 * The numbers of a gate, in order: an interval's ends, null for an open one; a rectangle's ends of
 * its first column, then of the second; else points, of an ellipse its center and half-axes.
 */
export function numbersIn(gate: ShapeGate): (number | null)[] {
  switch (gate.kind) {
    case 'percentile':
    case 'statistic':
      return [gate.frozen];
    case 'range':
      return [gate.from ?? null, gate.to ?? null].map(end => (end === null ? null : Number(end)));
    case 'rectangle':
      return [gate.from[0], gate.to[0], gate.from[1], gate.to[1]];
    case 'polygon':
      return gate.points.flat();
    case 'ellipse':
      return [gate.center, ...gate.axes].flat();
  }
}

/** The gate with other numbers, see numbersIn. Swaps ends in the wrong order. */
export function withNumbersIn(gate: ShapeGate, numbers: readonly (number | null)[]): ShapeGate {
  if (gate.kind === 'percentile' || gate.kind === 'statistic')
    return { ...gate, frozen: numbers[0] ?? gate.frozen };
  if (gate.kind === 'range') {
    const [before, [from = null, to = null]] = [numbersIn(gate), numbers];
    // Unchanged numbers keep all of their digits.
    const ends = {
      from: from === before[0] ? gate.from : from,
      to: to === before[1] ? gate.to : to,
    };
    const isReversed = from !== null && to !== null && from > to;
    return { ...gate, ...(isReversed ? { from: ends.to, to: ends.from } : ends) };
  }
  const numberOf = (index: number) => numbers[index] ?? 0;
  const pointOf = (index: number): GatePoint => [numberOf(2 * index), numberOf(2 * index + 1)];
  switch (gate.kind) {
    case 'rectangle':
      return { ...gate, ...rectangleBetween([numberOf(0), numberOf(2)], [numberOf(1), numberOf(3)]) };
    case 'polygon':
      return { ...gate, points: Array.from({ length: numbers.length / 2 }, (_, index) => pointOf(index)) };
    case 'ellipse':
      return { ...gate, center: pointOf(0), axes: [pointOf(1), pointOf(2)] };
  }
}

/** The pixel of numbers that are far away, or that an axis can't show. */
const FAR = 1e5;

function pixelOf(value: number, { scale, toPixel, toPlace }: ColumnAxis): number {
  const pixel = toPixel(onAxis(value, scale));
  // A logarithmic axis can't show numbers ≤ 0: they are below it.
  if (Number.isNaN(pixel)) return toPlace(1) > toPlace(0) ? -FAR : FAR;
  return Math.max(-FAR, Math.min(FAR, pixel));
}

/** The number at a pixel, with as many digits as pixels distinguish. */
export function numberAt(pixel: number, { scale, toPlace }: ColumnAxis): number {
  const value = fromAxis(toPlace(pixel), scale);
  const rounded = roundedBy(value, Math.abs(fromAxis(toPlace(pixel + 1), scale) - value));
  return scale === 'log' && !(rounded > 0) ? value : rounded;
}

/** A number rounded to the digits that a step distinguishes. */
function roundedBy(value: number, step: number): number {
  if (!(step > 0) || !Number.isFinite(step)) return value;
  const exponent = Math.floor(Math.log10(step));
  if (exponent < 0) return exponent < -100 ? value : Number(value.toFixed(-exponent));
  const unit = 10 ** exponent;
  return Math.round(value / unit) * unit;
}

/** Converts between a plot's pixels and a gate's numbers. The gate's x may be the plot's y. */
class AreaAxes {
  readonly isTurned: boolean;
  /** The axis of the gate's first column, and that of its second. */
  readonly first: ColumnAxis;
  readonly second: ColumnAxis;
  readonly scales: AxisScales;

  constructor({ x, y, scales = ['linear', 'linear'] }: AreaGate, axes: GateAxes) {
    const other = axes.y ?? axes.x;
    this.isTurned = !(x === axes.x.column && y === other.column);
    [this.first, this.second] = this.isTurned ? [other, axes.x] : [axes.x, other];
    this.scales = scales;
  }

  pixel([first, second]: GatePoint): Pixel {
    const [a, b] = [pixelOf(first, this.first), pixelOf(second, this.second)];
    return this.isTurned ? [b, a] : [a, b];
  }

  /** The pixel of a position on the gate's scales. */
  pixelAt(first: number, second: number): Pixel {
    return this.pixel([fromAxis(first, this.scales[0]), fromAxis(second, this.scales[1])]);
  }

  numbers([x, y]: Pixel): GatePoint {
    const [a, b] = this.isTurned ? [y, x] : [x, y];
    return [numberAt(a, this.first), numberAt(b, this.second)];
  }

  places(pixel: Pixel): GatePoint {
    const [first, second] = this.numbers(pixel);
    return [onAxis(first, this.scales[0]), onAxis(second, this.scales[1])];
  }

  /** Whether lines that are straight on the gate's scales are straight in the plot. */
  get isStraight(): boolean {
    return this.first.scale === this.scales[0] && this.second.scale === this.scales[1];
  }
}

/** Number of straight pieces of a curved line, and of an ellipse. */
const CURVE_PARTS = 32;
const ELLIPSE_PARTS = 96;

/** Pixels by which bands extend beyond the plot. */
const BEYOND = 50;

/** The outline of a gate, closed; an interval is a band as high or as wide as the plot. */
export function outlineOf(gate: ShapeGate, axes: GateAxes): Pixel[] {
  switch (gate.kind) {
    case 'percentile':
    case 'statistic':
    case 'range': {
      const { from, to, isAcross } = bandOf(gate, axes);
      // A band extends beyond the plot, so that only the ends of the interval show as lines.
      const [left, top] = [axes.box.left - BEYOND, axes.box.top - BEYOND];
      const [right, bottom] = [left + axes.box.width + 2 * BEYOND, top + axes.box.height + 2 * BEYOND];
      return isAcross ? corners([left, from], [right, to]) : corners([from, top], [to, bottom]);
    }
    case 'rectangle': {
      const areaAxes = new AreaAxes(gate, axes);
      return corners(areaAxes.pixel(gate.from), areaAxes.pixel(gate.to));
    }
    case 'polygon': {
      const areaAxes = new AreaAxes(gate, axes);
      const { points } = gate;
      if (areaAxes.isStraight) return points.map(point => areaAxes.pixel(point));
      return points.flatMap((point, at) =>
        lineParts(areaAxes, point, points[(at + 1) % points.length] ?? point),
      );
    }
    case 'ellipse': {
      const areaAxes = new AreaAxes(gate, axes);
      return Array.from({ length: ELLIPSE_PARTS }, (_, at) =>
        ellipsePixel(gate, areaAxes, (2 * Math.PI * at) / ELLIPSE_PARTS),
      );
    }
  }
}

/** The pixels along a line, straight on the gate's scales, without its end. */
function lineParts(areaAxes: AreaAxes, from: GatePoint, to: GatePoint): Pixel[] {
  const ends = ([first, second]: GatePoint) =>
    [onAxis(first, areaAxes.scales[0]), onAxis(second, areaAxes.scales[1])] as const;
  const [[x0, y0], [x1, y1]] = [ends(from), ends(to)];
  return Array.from({ length: CURVE_PARTS }, (_, at) => {
    const share = at / CURVE_PARTS;
    return areaAxes.pixelAt(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share);
  });
}

function ellipsePixel(
  { center, axes: [a, b] }: GateOfKind<'ellipse'>,
  areaAxes: AreaAxes,
  angle: number,
): Pixel {
  const [u, w] = [Math.cos(angle), Math.sin(angle)];
  const [x, y] = [onAxis(center[0], areaAxes.scales[0]), onAxis(center[1], areaAxes.scales[1])];
  return areaAxes.pixelAt(x + u * a[0] + w * b[0], y + u * a[1] + w * b[1]);
}

function corners([left, top]: Pixel, [right, bottom]: Pixel): Pixel[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** The axis of an interval or a threshold. `isAcross`: it is y. */
function axisOfLine({ column }: LineGate, { x, y }: GateAxes): { axis: ColumnAxis; isAcross: boolean } {
  const isAcross = column !== x.column && y !== undefined;
  return { axis: isAcross ? y : x, isAcross };
}

/** The ends of an interval in pixels; an open end is beyond the plot. A threshold has one number. */
function bandOf(gate: LineGate, axes: GateAxes): { from: number; to: number; isAcross: boolean } {
  const { axis, isAcross } = axisOfLine(gate, axes);
  const [low = null, high = low] = numbersIn(gate);
  const end = (value: number | null, beyond: number) => (value === null ? beyond : pixelOf(value, axis));
  const beyond = isAcross ? FAR : -FAR;
  return { from: end(low, beyond), to: end(high, -beyond), isAcross };
}

/** A draggable point of a gate. */
export interface Handle {
  pixel: Pixel;
  kind: 'corner' | 'edge' | 'vertex' | 'between' | 'axis' | 'end';
  /** The gate with this handle moved to a pixel. */
  movedTo: (pixel: Pixel) => ShapeGate;
}

/** The handles of a rectangle, as shares of its width and height: corners and middles of edges. */
const GRIPS = [
  [0, 0],
  [0.5, 0],
  [1, 0],
  [1, 0.5],
  [1, 1],
  [0.5, 1],
  [0, 1],
  [0, 0.5],
] as const;

/** The handles of a gate, in the order in which keys select them. */
export function handlesOf(gate: ShapeGate, axes: GateAxes): Handle[] {
  switch (gate.kind) {
    case 'percentile':
    case 'statistic':
    case 'range':
      return endHandles(gate, axes);
    case 'rectangle':
      return rectangleHandles(gate, axes);
    case 'polygon':
      return polygonHandles(gate, axes);
    case 'ellipse':
      return ellipseHandles(gate, axes);
  }
}

/** The middles of the lines at the ends of an interval, or of a threshold's line. */
function endHandles(gate: LineGate, axes: GateAxes): Handle[] {
  const { axis, isAcross } = axisOfLine(gate, axes);
  const { left, top, width, height } = axes.box;
  const numbers = numbersIn(gate);
  return numbers.flatMap((value, place): Handle[] => {
    if (value === null) return [];
    const end = pixelOf(value, axis);
    const pixel: Pixel = isAcross ? [left + width / 2, end] : [end, top + height / 2];
    const movedTo = (to: Pixel) =>
      withNumbersIn(gate, numbers.with(place, numberAt(to[isAcross ? 1 : 0], axis)));
    return [{ kind: 'end', pixel, movedTo }];
  });
}

function rectangleHandles(gate: GateOfKind<'rectangle'>, axes: GateAxes): Handle[] {
  const areaAxes = new AreaAxes(gate, axes);
  const [[x0, y0], [x1, y1]] = [areaAxes.pixel(gate.from), areaAxes.pixel(gate.to)];
  return GRIPS.map(([right, down]): Handle => {
    const pixel: Pixel = [x0 + (x1 - x0) * right, y0 + (y1 - y0) * down];
    const shares = areaAxes.isTurned ? [down, right] : [right, down];
    const movedTo = (to: Pixel): ShapeGate => {
      const numbers = numbersIn(gate);
      for (const [place, number] of areaAxes.numbers(to).entries()) {
        const share = shares[place] ?? 0.5;
        if (share !== 0.5) numbers[2 * place + share] = number;
      }
      return withNumbersIn(gate, numbers);
    };
    return { kind: right === 0.5 || down === 0.5 ? 'edge' : 'corner', pixel, movedTo };
  });
}

function rectangleBetween(a: GatePoint, b: GatePoint): { from: GatePoint; to: GatePoint } {
  return {
    from: [Math.min(a[0], b[0]), Math.min(a[1], b[1])],
    to: [Math.max(a[0], b[0]), Math.max(a[1], b[1])],
  };
}

/** The corners, then the middles of lines: dragging a middle turns it into a corner. */
function polygonHandles(gate: GateOfKind<'polygon'>, axes: GateAxes): Handle[] {
  const areaAxes = new AreaAxes(gate, axes);
  const { points } = gate;
  const vertices = points.map((point, at): Handle => ({
    kind: 'vertex',
    pixel: areaAxes.pixel(point),
    movedTo: to => ({ ...gate, points: points.with(at, areaAxes.numbers(to)) }),
  }));
  const between = points.map((point, at): Handle => {
    const middle = lineParts(areaAxes, point, points[(at + 1) % points.length] ?? point)[CURVE_PARTS / 2];
    return {
      kind: 'between',
      pixel: middle ?? areaAxes.pixel(point),
      movedTo: to => ({ ...gate, points: points.toSpliced(at + 1, 0, areaAxes.numbers(to)) }),
    };
  });
  return [...vertices, ...between];
}

function ellipseHandles(gate: GateOfKind<'ellipse'>, axes: GateAxes): Handle[] {
  const areaAxes = new AreaAxes(gate, axes);
  return [0, 1, 2, 3].map((quarter): Handle => ({
    kind: 'axis',
    pixel: ellipsePixel(gate, areaAxes, (quarter * Math.PI) / 2),
    movedTo: to => withAxisAt(gate, areaAxes, quarter, to),
  }));
}

/**
 * An ellipse with one half-axis ending at a pixel. The other half-axis keeps its length and stays
 * perpendicular, as seen in the plot. If the plot has other scales than the gate, there is no such
 * ellipse, and the other half-axis is unchanged.
 */
function withAxisAt(
  gate: GateOfKind<'ellipse'>,
  areaAxes: AreaAxes,
  quarter: number,
  pixel: Pixel,
): GateOfKind<'ellipse'> {
  const { center, axes } = gate;
  const [x, y] = [onAxis(center[0], areaAxes.scales[0]), onAxis(center[1], areaAxes.scales[1])];
  const sign = quarter < 2 ? 1 : -1;
  const [endX, endY] = areaAxes.places(pixel);
  const axis: GatePoint = [sign * (endX - x), sign * (endY - y)];
  const index = quarter % 2;
  const other = axes[1 - index] ?? [0, 0];
  const upright = areaAxes.isStraight ? uprightAxis(axis, other, areaAxes) : other;
  const turned: [GatePoint, GatePoint] = index === 0 ? [axis, upright] : [upright, axis];
  const [a, b] = turned;
  // With both half-axes on one line, the ellipse would contain nothing.
  const isFlat = Math.abs(a[0] * b[1] - a[1] * b[0]) <= 1e-9 * Math.hypot(...a) * Math.hypot(...b);
  return isFlat || !axis.every(Number.isFinite) ? gate : { ...gate, axes: turned };
}

function uprightAxis(axis: GatePoint, other: GatePoint, { first, second }: AreaAxes): GatePoint {
  const perPlace = ({ toPixel }: ColumnAxis) => toPixel(1) - toPixel(0);
  const [kx, ky] = [perPlace(first), perPlace(second)];
  const [dx, dy] = [axis[0] * kx, axis[1] * ky];
  const [ox, oy] = [other[0] * kx, other[1] * ky];
  const length = Math.hypot(dx, dy);
  if (length === 0) return other;
  const scale = (Math.hypot(ox, oy) / length) * (dx * oy - dy * ox < 0 ? -1 : 1);
  return [(-dy * scale) / kx, (dx * scale) / ky];
}

/** The gate moved by pixels. Numbers that an axis can't show stay. */
export function movedBy(gate: ShapeGate, axes: GateAxes, by: Pixel): ShapeGate {
  const moved = (value: number, axis: ColumnAxis, isAcross: boolean) => {
    const pixel = pixelOf(value, axis);
    return Math.abs(pixel) === FAR ? value : numberAt(pixel + by[isAcross ? 1 : 0], axis);
  };
  const numbers = numbersIn(gate);
  if (!('x' in gate)) {
    const { axis, isAcross } = axisOfLine(gate, axes);
    const ends = numbers.map(value => (value === null ? null : moved(value, axis, isAcross)));
    return withNumbersIn(gate, ends);
  }
  const { first, second, isTurned } = new AreaAxes(gate, axes);
  return withNumbersIn(
    gate,
    numbers.map((value, place) => {
      // Half-axes are lengths.
      if (value === null || (gate.kind === 'ellipse' && place >= 2)) return value;
      const isSecond = gate.kind === 'rectangle' ? place >= 2 : place % 2 === 1;
      return moved(value, isSecond ? second : first, isSecond !== isTurned);
    }),
  );
}

/** A polygon without one of its corners; undefined if fewer than three would be left. */
export function withoutVertex(gate: ShapeGate, at: number): ShapeGate | undefined {
  if (gate.kind !== 'polygon' || gate.points.length <= 3 || at >= gate.points.length) return undefined;
  return { ...gate, points: gate.points.toSpliced(at, 1) };
}

/** The gate that a tool draws on the axes' scales: between two pixels, or with several corners. */
export function drawnGate(tool: GateTool, axes: GateAxes, pixels: readonly Pixel[]): ShapeGate | undefined {
  const { x, y } = axes;
  const [first, last] = [pixels[0], pixels.at(-1)];
  if (!first || !last) return undefined;
  if (tool === 'interval') {
    if (Math.abs(first[0] - last[0]) < 1) return undefined;
    const [from, to] = [first[0], last[0]].map(pixel => numberAt(pixel, x)).sort((a, b) => a - b);
    return { kind: 'range', column: x.column, from, to, ...(x.scale === 'log' && { scale: x.scale }) };
  }
  if (!y) return undefined;
  const scales: AxisScales = [x.scale, y.scale];
  const columns = {
    x: x.column,
    y: y.column,
    ...(scales.includes('log') && { scales }),
  };
  if (tool === 'polygon') {
    const points = pixels.map(([px, py]): GatePoint => [numberAt(px, x), numberAt(py, y)]);
    return points.length < 3 ? undefined : { kind: 'polygon', ...columns, points };
  }
  const size: Pixel = [Math.abs(last[0] - first[0]) / 2, Math.abs(last[1] - first[1]) / 2];
  if (size[0] < 0.5 || size[1] < 0.5) return undefined;
  if (tool === 'rectangle') {
    const ends = [first, last].map(([px, py]): GatePoint => [numberAt(px, x), numberAt(py, y)]);
    const [a = [0, 0], b = [0, 0]] = ends;
    return { kind: 'rectangle', ...columns, ...rectangleBetween(a, b) };
  }
  const [px, py] = [(first[0] + last[0]) / 2, (first[1] + last[1]) / 2];
  const half = (pixel: number, by: number, { toPlace }: ColumnAxis) => {
    const length = Math.abs(toPlace(pixel + by) - toPlace(pixel));
    return roundedBy(length, length / (4 * by));
  };
  return {
    kind: 'ellipse',
    ...columns,
    center: [numberAt(px, x), numberAt(py, y)],
    axes: [
      [half(px, size[0], x), 0],
      [0, half(py, size[1], y)],
    ],
  };
}

/** A gate of default size in the middle of the plot, for drawing with keys. */
export function middleGate(tool: GateTool, axes: GateAxes): ShapeGate | undefined {
  const { left, top, width, height } = axes.box;
  const at = (right: number, down: number): Pixel => [left + width * right, top + height * down];
  const ends = [at(1 / 3, 1 / 3), at(2 / 3, 2 / 3)];
  return drawnGate(tool, axes, tool === 'polygon' ? corners(at(1 / 3, 1 / 3), at(2 / 3, 2 / 3)) : ends);
}

/** Distance of a pixel from the line between two others. */
function distanceTo([px, py]: Pixel, [ax, ay]: Pixel, [bx, by]: Pixel): number {
  const [dx, dy] = [bx - ax, by - ay];
  const size = dx * dx + dy * dy;
  const share = size > 0 ? Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / size)) : 0;
  return Math.hypot(px - ax - share * dx, py - ay - share * dy);
}

/** Distance of a pixel from an outline. */
export function distanceFrom(outline: readonly Pixel[], pixel: Pixel): number {
  return outline.reduce(
    (least, point, at) =>
      Math.min(least, distanceTo(pixel, point, outline[(at + 1) % outline.length] ?? point)),
    Infinity,
  );
}

/** Whether a pixel is inside an outline, by the even-odd rule. */
export function isWithin(outline: readonly Pixel[], [px, py]: Pixel): boolean {
  let isOdd = false;
  outline.forEach(([ax, ay], at) => {
    const [bx, by] = outline[(at + 1) % outline.length] ?? [ax, ay];
    if (ay > py !== by > py && px < ax + ((py - ay) / (by - ay)) * (bx - ax)) isOdd = !isOdd;
  });
  return isOdd;
}
