import type { TableGroup } from '../../../columns/tableStatistics';
import { columnName } from '../../../pages/page/columnName';
import { formatNumber } from '../../../pages/page/formatNumber';
import type { PlotText } from '../../../pages/page/pageText';
import type { PlotColumns, PlotParts } from '../plotDefinition';
import type { DrawnPlot, LoadedPlot, LoadedZoom, TipLine } from '../plotDrawing';
import { drawBars } from './barPlot';
import { drawBoxes, zoomOfBoxes } from './boxPlot';
import type { GroupPlot, GroupWords } from './groupPlot';
import { shownGroups, type ShownGroup } from './shownGroups';

const MAX_GROUPS = 40;
/** Groups with matching rows that are requested, as the first ones may all be filtered out. */
const MAX_MATCHING = 10_000;

export function loadBoxes(
  columns: PlotColumns,
  parts: PlotParts,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  const { text } = parts;
  const ids = ['count', 'min', 'q1', 'median', 'q3', 'max'] as const;
  return loadGroups(columns, parts, signal, {
    draw: drawBoxes,
    axisName: name => name,
    explanation: text.get('whiskers'),
    tip: group => statisticLines(group, ids, text),
    zoom: zoomOfBoxes,
  });
}

export function loadBars(
  columns: PlotColumns,
  parts: PlotParts,
  signal: AbortSignal,
): Promise<LoadedPlot | undefined> {
  const { text } = parts;
  const countsRows = (columns.measure ?? null) === null;
  return loadGroups(columns, parts, signal, {
    draw: drawBars,
    axisName: name => text.get('meanOf', name),
    explanation: text.get(countsRows ? 'onlyGroupsWithRows' : 'errorBars'),
    tip: group =>
      countsRows
        ? [{ label: text.get('rowsAxis'), value: text.number(group.rows) }]
        : statisticLines(group, ['count', 'mean', 'sd'], text),
  });
}

function statisticLines(
  { measures: [measure] }: TableGroup,
  ids: readonly ('count' | 'min' | 'q1' | 'median' | 'q3' | 'max' | 'mean' | 'sd')[],
  text: PlotText,
): TipLine[] {
  return ids.map(id => {
    const value = measure?.[id];
    return {
      label: text.get(`statistic.${id}`),
      value: typeof value === 'number' ? formatNumber(value, text) : '–',
    };
  });
}

interface GroupPlotType {
  draw: (plot: GroupPlot) => DrawnPlot;
  /** Names the axis of a measured column. */
  axisName: (column: string) => string;
  /** Says what the marks mean. */
  explanation: string;
  tip: (group: TableGroup) => TipLine[];
  /** Absent where the axis can't be zoomed: bars begin at 0. */
  zoom?: (groups: readonly ShownGroup[]) => Omit<LoadedZoom, 'window'> | undefined;
}

async function loadGroups(
  { measure = null, by = null }: PlotColumns,
  { source, text, allGroups }: PlotParts,
  signal: AbortSignal,
  { draw, axisName, explanation, tip, zoom }: GroupPlotType,
): Promise<LoadedPlot | undefined> {
  if (by === null) return undefined;
  const { plotsAreFiltered: isFiltered } = source;
  const params = { by: [by], measures: measure === null ? [] : [measure] };
  const all = isFiltered ? await allGroups({ ...params, limit: MAX_GROUPS }) : undefined;
  const found = await source.groups({ ...params, limit: isFiltered ? MAX_MATCHING : MAX_GROUPS }, signal);
  const groups = shownGroups(found.groups, all?.groups, MAX_GROUPS);
  if (groups.length === 0) return undefined;
  const { total } = all ?? found;
  const name = (column: number) => columnName(source.table.columns, column, text);
  const title =
    measure === null ? text.get('countBy', name(by)) : text.get('measureBy', name(measure), name(by));
  const words: GroupWords = {
    label: title,
    axis: measure === null ? text.get('rowsAxis') : axisName(name(measure)),
    missing: text.get('missingValue'),
    tip: group => [
      ...(group.shown ? tip(group.shown) : [{ label: text.get('noMatchingRows') }]),
      ...(group.all ? [{ label: text.get('allTableRows'), value: text.number(group.all.rows) }] : []),
    ],
  };
  const note = [
    total > groups.length && text.get('someGroups', groups.length, total),
    explanation,
    isFiltered && text.get('allInGray'),
  ]
    .filter(Boolean)
    .join(' ');
  const zoomed = zoom?.(groups);
  return {
    draw: look => ({ ...draw({ groups, by, measure, words, look }), title, note }),
    // All is loaded, whatever part of it is in view.
    ...(zoomed && { zoom: { ...zoomed, window: null } }),
  };
}
