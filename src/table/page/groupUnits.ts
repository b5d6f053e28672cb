import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { GroupOrder } from '../../columns/columnStatistics';
import type { TablePageRequests } from '../../columns/tableRequests';
import type { Filter } from '../../columns/viewSpec';
import type { AddedLater } from './addedLater';
import type { AddedMeasure, GroupMeasure, GroupsSpec, GroupsState, GroupUnit } from './state/groupsState';

/** Which groups of the matching rows are requested, with which statistics. */
export interface GroupsView extends GroupsSpec {
  filters: readonly Filter[];
}

/** A part of the groups: [start, end) in an order. */
export interface GroupWindow {
  start: number;
  end: number;
  order?: GroupOrder | undefined;
}

/** Computed statistics, with notes about them. */
export type NotedStatistics = TablePageRequests['tableGroups']['result'] & { notes?: readonly string[] };

/** The groups of a view, with statistics of any unit. */
export interface GroupSource {
  /** The available measures of the view, in order. */
  readonly measures: readonly GroupMeasure[];
  /** Equal for the same groups, if the measures are equal, too. */
  readonly mark: unknown;
  /** Fetches groups; fewer than requested if a message can't hold all. */
  fetch(window: GroupWindow, signal?: AbortSignal): Promise<NotedStatistics>;
  /** Lets the user save all groups. */
  save(header: readonly string[], order: GroupOrder | undefined): Promise<void>;
}

/** The current form of a measure, and whether the table has its data. */
interface CurrentMeasure {
  measure: AddedMeasure;
  isAvailable: boolean;
}

/** The settings of groups, for their controls. */
export interface ChosenGroups {
  readonly state: ReadonlySignal<GroupsState>;
  /** The unit of statistics; undefined for rows. */
  readonly unit: GroupUnit | undefined;
  keyOf(measure: GroupMeasure): string;
  choose(changes: Partial<GroupsSpec>): void;
}

/**
 * Statistics of groups of other units than rows, such as images. At most one subject provides them.
 */
export interface GroupUnits {
  /** The units of groups, in order. */
  readonly units: readonly GroupUnit[];
  /** A key that is equal for equal measures. */
  keyOf(measure: AddedMeasure): string;
  nameOf(measure: AddedMeasure): string;
  /**
   * Measures were renamed, or their values changed. `currentOf` returns the current form of a
   * measure; undefined if it isn't affected.
   */
  onDidChange(listener: (currentOf: (measure: AddedMeasure) => CurrentMeasure | undefined) => void): void;
  /** The groups of a view with another unit, or a text why there are none. */
  source(view: GroupsView, unit: GroupUnit, signal: AbortSignal): Promise<GroupSource | string>;
  /** The options were opened. */
  offer(): void;
  /** The control for measures other than columns, for the options. */
  options(later: AddedLater, groups: ChosenGroups): ComponentChildren;
}
