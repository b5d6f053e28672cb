import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { GroupOrder } from '../../columns/columnStatistics';
import type { TablePageRequests } from '../../columns/tableRequests';
import type { Filter } from '../../columns/viewSpec';
import type { AddedLater } from './addedLater';
import type { AddedMeasure, GroupMeasure, GroupsSpec, GroupsState, GroupUnit } from './state/groupsState';

/** The requested groups of the matching rows, and their statistics. */
export interface GroupsView extends GroupsSpec {
  filters: readonly Filter[];
}

/** A part of the groups, [start, end) in an order. */
export interface GroupWindow {
  start: number;
  end: number;
  order?: GroupOrder | undefined;
}

/** Computed statistics, with notes about them. */
export type NotedStatistics = TablePageRequests['tableGroups']['result'] & { notes?: readonly string[] };

/** The groups of a view, with statistics of any unit. */
export interface GroupSource {
  /** The view's available measures, in order. */
  readonly measures: readonly GroupMeasure[];
  /** The same for the same groups, in addition to those measures. */
  readonly mark: unknown;
  /** As many of them as a message holds. */
  fetch(window: GroupWindow, signal?: AbortSignal): Promise<NotedStatistics>;
  /** Lets the user save all of them. */
  save(header: readonly string[], order: GroupOrder | undefined): Promise<void>;
}

/** The current state of a measure: its name, and whether the table has its data. */
interface MeasureNow {
  measure: AddedMeasure;
  isThere: boolean;
}

/** The settings of groups, and their controls. */
export interface ChosenGroups {
  readonly state: ReadonlySignal<GroupsState>;
  /** Undefined for rows. */
  readonly unit: GroupUnit | undefined;
  keyOf(measure: GroupMeasure): string;
  choose(changes: Partial<GroupsSpec>): void;
}

/**
 * Statistics of groups of something other than rows, such as images. At most one subject adds them.
 */
export interface GroupUnits {
  /** The units of groups, in order. */
  readonly units: readonly GroupUnit[];
  /** The same for measures that mean the same. */
  keyOf(measure: AddedMeasure): string;
  nameOf(measure: AddedMeasure): string;
  /**
   * Measures were renamed or have other values: the current measure, undefined if it is none of
   * those.
   */
  onDidChange(listener: (now: (measure: AddedMeasure) => MeasureNow | undefined) => void): void;
  /** The groups of a view with another unit, or the text why there are none. */
  source(view: GroupsView, unit: GroupUnit, signal: AbortSignal): Promise<GroupSource | string>;
  /** The options are opened. */
  offer(): void;
  /** The control for measures besides columns, among the options. */
  options(later: AddedLater, groups: ChosenGroups): ComponentChildren;
}
