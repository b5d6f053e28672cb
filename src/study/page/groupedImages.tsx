import { t } from '../../pages/page/l10n';
import { signal } from '@preact/signals';
import { columnName } from '../../pages/page/columnName';
import type { OpenedParts } from '../../table/page/contribution';
import type { GroupSource, GroupUnits, GroupsView } from '../../table/page/groupUnits';
import type { AddedMeasure, GroupMeasure, GroupUnit } from '../../table/page/state/groupsState';
import type { TablePanelSide } from '../../table/tablePage';
import type { ConditionRequests } from '../conditionRequests';
import {
  chosenName,
  classesOf,
  type ImageMeasure,
  measureKey,
  measureOf,
  type OfferedMeasures,
  populationOf,
  withRenamedPopulation,
} from './chosenMeasure';
import { alikeWords } from './alikeWords';

/** A measure of groups as one of images: no other subject adds any. */
export const chosenOf = (measure: AddedMeasure) => measure as ImageMeasure;

/** Statistics of groups that are of images or of replicates. */
export class GroupedImages implements GroupUnits {
  readonly units: readonly GroupUnit[];
  /** Metadata of images: their classes, and whether they have areas. */
  private readonly known = signal<Omit<OfferedMeasures, 'populations'>>({ classes: [], hasAreas: false });

  constructor(readonly parts: Pick<OpenedParts, 'model' | 'panel' | 'messages' | 'populations' | 'textsOf'>) {
    this.units = [
      { id: 'images', name: t('Image Means'), isReplicated: false },
      { id: 'replicates', name: t('Replicate Means'), isReplicated: true },
    ];
  }

  /** Measures of images to choose from. */
  get offered(): OfferedMeasures {
    return { ...this.known.value, populations: this.parts.populations.all.value };
  }

  keyOf(measure: AddedMeasure): string {
    return measureKey(chosenOf(measure));
  }

  nameOf(measure: AddedMeasure): string {
    return chosenName(chosenOf(measure));
  }

  /** Populations are others; a measure of one that was renamed follows it. */
  onDidChange(listener: Parameters<GroupUnits['onDidChange']>[0]): void {
    this.parts.populations.onDidChange(renamed =>
      listener(measure => {
        const chosen = chosenOf(measure);
        if (populationOf(chosen) === undefined) return undefined;
        const now = renamed ? withRenamedPopulation(chosen, renamed) : chosen;
        return { measure: now, isAvailable: this.requested(now) !== undefined };
      }),
    );
  }

  offer(): void {
    void this.find();
  }

  options: GroupUnits['options'] = ({ conditions: { GroupMeasures } }, groups) => (
    <GroupMeasures images={this} groups={groups} />
  );

  async source(
    { by, measures: wanted, statistics, filters }: GroupsView,
    { id }: GroupUnit,
    canceled: AbortSignal,
  ): Promise<GroupSource | string> {
    const { model, panel } = this.parts;
    const of = id === 'replicates' ? 'replicates' : 'images';
    // Asking for them lists the images without objects, too.
    const levels = await this.replicateColumns(canceled);
    if (of === 'replicates' && levels.replicate.length === 0)
      return t('No column has the role of replicates.');
    const found = wanted.flatMap(measure => {
      const measured = this.requested(measure);
      return measured ? [{ measure, measured }] : [];
    });
    const measures = found.map(({ measure }) => measure);
    const measured = found.map(each => each.measured);
    const units = { of, ...levels, measures: measured, statistics, mean: 'objects' } as const;
    const nameOf = (measure: GroupMeasure) =>
      typeof measure === 'number' ? columnName(model.table.columns, measure) : this.nameOf(measure);
    return {
      measures,
      mark: [measured, levels],
      fetch: async (window, signal) => {
        const params = { ...units, filters, by, ...window };
        const response = await panel.request('tableUnitGroups', params, signal);
        return { ...response, notes: notesOf(response, measures.map(nameOf)) };
      },
      save: (header, order) => this.save({ ...units, filters: [...filters], by, header: [...header], order }),
    };
  }

  /** The columns whose role is replicate or technical replicate. */
  private async replicateColumns(
    canceled: AbortSignal,
  ): Promise<Record<'replicate' | 'technical', number[]>> {
    const { replicate, technical } = await this.parts.panel.request('compareStart', {}, canceled);
    return { replicate, technical };
  }

  /** Lets the user save groups. */
  private async save(params: TablePanelSide['requests']['saveUnitGroups']['params']): Promise<void> {
    const { panel, messages } = this.parts;
    try {
      const { saved } = await panel.request('saveUnitGroups', params);
      if (saved) messages.say(t('{0} groups saved as {1}', saved.groups, saved.name));
    } catch (error) {
      messages.failed(t.later("Couldn't save: {0}"), error);
    }
  }

  /** Finds the measures of images; after a failure, only those that always exist. */
  private async find(): Promise<void> {
    const { model, panel, messages, textsOf } = this.parts;
    try {
      const { hasAreas } = await panel.request('compareStart', {});
      this.known.value = { classes: await classesOf(model.table.columns, textsOf), hasAreas };
    } catch (error) {
      messages.log(error);
    }
  }

  /** The request for a measure; undefined if the table lacks its data. */
  private requested(measure: GroupMeasure) {
    if (typeof measure === 'number') return { kind: 'column' as const, column: measure };
    const { model, populations } = this.parts;
    return measureOf(chosenOf(measure), model.table.columns, populations.all.peek());
  }
}

/** Notes on groups. `names`: of their measures. */
function notesOf(
  {
    areImagesUnknown,
    areLevelsOpen,
    alike = [],
    unjudged = [],
  }: ConditionRequests['tableUnitGroups']['result'],
  names: readonly string[],
): string[] {
  return [
    ...(areImagesUnknown ? [t('Images without objects are unknown, and not counted.')] : []),
    ...(areLevelsOpen
      ? [
          t(
            'Several columns of replicates multiply n: no SEM and no interval. Say in Compare Conditions or by their roles which counts.',
          ),
        ]
      : []),
    ...alikeWords(alike),
    ...names.flatMap((name, at) => {
      const count = unjudged[at] ?? 0;
      return count > 0
        ? [
            t.count(
              count,
              '{1}: 1 object has no value for it and is left out.',
              '{1}: {0} objects have no value for it and are left out.',
              name,
            ),
          ]
        : [];
    }),
  ];
}
