import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { GroupOrder } from '../../columns/columnStatistics';
import type { TablePageRequests } from '../../columns/tableRequests';
import type { Filter } from '../../columns/viewSpec';
import type { AddedLater } from './addedLater';
import type { AddedMeasure, GroupMeasure, GroupsSpec, GroupsState, GroupUnit } from './state/groupsState';

/** Which groups there are to be, of the rows that match the filters, and what of them. */
export interface GroupsView extends GroupsSpec {
  filters: readonly Filter[];
}

/** A part of the groups, [start, end) in an order. */
export interface GroupWindow {
  start: number;
  end: number;
  order?: GroupOrder | undefined;
}

/** Statistics as they are found, with what has to be said of them. */
export type NotedStatistics = TablePageRequests['tableGroups']['result'] & { notes?: readonly string[] };

/** The groups of a view, whatever their statistics are of. */
export interface GroupSource {
  /** Of the measures of the view those that there are, in order. */
  readonly measures: readonly GroupMeasure[];
  /** The same for the same groups, beside those measures. */
  readonly mark: unknown;
  /** As many of them as a message holds. */
  fetch(window: GroupWindow, signal?: AbortSignal): Promise<NotedStatistics>;
  /** Lets the user save all of them. */
  save(header: readonly string[], order: GroupOrder | undefined): Promise<void>;
}

/** What a measure is now: as it is called, and whether the table has what it is of. */
export interface MeasureNow {
  measure: AddedMeasure;
  isThere: boolean;
}

/** What is chosen of groups, and choices of it. */
export interface ChosenGroups {
  readonly state: ReadonlySignal<GroupsState>;
  /** Undefined for rows. */
  readonly unit: GroupUnit | undefined;
  keyOf(measure: GroupMeasure): string;
  choose(changes: Partial<GroupsSpec>): void;
}

/**
 * Statistics of groups that are of something other than rows, such as of images. One subject at
 * most adds them.
 */
export interface GroupUnits {
  /** What they can be of, in order. */
  readonly units: readonly GroupUnit[];
  /** The same for measures that are one and the same. */
  keyOf(measure: AddedMeasure): string;
  nameOf(measure: AddedMeasure): string;
  /**
   * Measures are called otherwise, or have other values: what a measure is now, undefined where it
   * is none of those.
   */
  onDidChange(listener: (now: (measure: AddedMeasure) => MeasureNow | undefined) => void): void;
  /** The groups of a view of one of the units, or the text that says why there are none. */
  source(view: GroupsView, unit: GroupUnit, signal: AbortSignal): Promise<GroupSource | string>;
  /** The options are opened. */
  offer(): void;
  /** The choice of measures besides columns, among the options. */
  options(later: AddedLater, groups: ChosenGroups): ComponentChildren;
}
