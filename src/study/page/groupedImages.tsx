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
import { severalJobsWords } from '../severalJobsWords';
import { alikeWords } from './alikeWords';

/** Converts an added measure of groups: all of them are measures of images. */
export const chosenOf = (measure: AddedMeasure) => measure as ImageMeasure;

/** Statistics of groups over images or replicates. */
export class GroupedImages implements GroupUnits {
  readonly units: readonly GroupUnit[];
  /** Classes of the images, and whether sizes of images may be known. */
  private readonly imageFacts = signal<Omit<OfferedMeasures, 'populations'>>({
    classes: [],
    hasAreas: false,
  });

  constructor(readonly parts: Pick<OpenedParts, 'model' | 'panel' | 'messages' | 'populations' | 'textsOf'>) {
    this.units = [
      { id: 'images', name: t('Image Means'), isReplicated: false },
      { id: 'replicates', name: t('Replicate Means'), isReplicated: true },
    ];
  }

  /** The measures of images to select from. */
  get measureOptions(): OfferedMeasures {
    return { ...this.imageFacts.value, populations: this.parts.populations.all.value };
  }

  keyOf(measure: AddedMeasure): string {
    return measureKey(chosenOf(measure));
  }

  nameOf(measure: AddedMeasure): string {
    return chosenName(chosenOf(measure));
  }

  /** Updates measures after populations changed or were renamed. */
  onDidChange(listener: Parameters<GroupUnits['onDidChange']>[0]): void {
    this.parts.populations.onDidChange(renamed =>
      listener(measure => {
        const chosen = chosenOf(measure);
        if (populationOf(chosen) === undefined) return undefined;
        const renamedMeasure = renamed ? withRenamedPopulation(chosen, renamed) : chosen;
        return { measure: renamedMeasure, isAvailable: this.measureRequest(renamedMeasure) !== undefined };
      }),
    );
  }

  offer(): void {
    void this.loadImageFacts();
  }

  options: GroupUnits['options'] = ({ conditions: { GroupMeasures } }, groups) => (
    <GroupMeasures images={this} groups={groups} />
  );

  async source(
    { by, measures: requestedMeasures, statistics, filters }: GroupsView,
    { id }: GroupUnit,
    canceled: AbortSignal,
  ): Promise<GroupSource | string> {
    const { model, panel } = this.parts;
    const units = id === 'replicates' ? 'replicates' : 'images';
    // This request also lists the images without objects.
    const levels = await this.replicateColumns(canceled);
    if (units === 'replicates' && levels.replicate.length === 0)
      return t('No column has the role of replicates.');
    const available = requestedMeasures.flatMap(measure => {
      const measured = this.measureRequest(measure);
      return measured ? [{ measure, measured }] : [];
    });
    const measures = available.map(({ measure }) => measure);
    const measured = available.map(entry => entry.measured);
    const unitParams = { of: units, ...levels, measures: measured, statistics, mean: 'objects' } as const;
    const nameOf = (measure: GroupMeasure) =>
      typeof measure === 'number' ? columnName(model.table.columns, measure) : this.nameOf(measure);
    return {
      measures,
      mark: [measured, levels],
      fetch: async (window, signal) => {
        const params = { ...unitParams, filters, by, ...window };
        const response = await panel.request('tableUnitGroups', params, signal);
        return { ...response, notes: notesOf(response, measures.map(nameOf)) };
      },
      save: (header, order) =>
        this.save({ ...unitParams, filters: [...filters], by, header: [...header], order }),
    };
  }

  /** The columns of replicates and technical replicates. */
  private async replicateColumns(
    canceled: AbortSignal,
  ): Promise<Record<'replicate' | 'technical', number[]>> {
    const { replicate, technical } = await this.parts.panel.request('studyColumns', {}, canceled);
    return { replicate, technical };
  }

  /** Lets the user select a file, and saves groups. */
  private async save(params: TablePanelSide['requests']['saveUnitGroups']['params']): Promise<void> {
    const { panel, messages } = this.parts;
    try {
      const { saved } = await panel.request('saveUnitGroups', params);
      if (saved) messages.say(t('{0} groups saved as {1}', saved.groups, saved.name));
    } catch (error) {
      messages.failed(t.later("Couldn't save: {0}"), error);
    }
  }

  /** Loads the data of measures; after a failure, only measures without such data are offered. */
  private async loadImageFacts(): Promise<void> {
    const { model, panel, messages, textsOf } = this.parts;
    try {
      const { hasAreas } = await panel.request('studyColumns', {});
      this.imageFacts.value = { classes: await classesOf(model.table.columns, textsOf), hasAreas };
    } catch (error) {
      messages.log(error);
    }
  }

  /** The request for a measure; undefined if the table lacks the data. */
  private measureRequest(measure: GroupMeasure) {
    if (typeof measure === 'number') return { kind: 'column' as const, column: measure };
    const { model, populations } = this.parts;
    return measureOf(chosenOf(measure), model.table.columns, populations.all.peek());
  }
}

/** Notes below the groups. `names`: names of the measures. */
function notesOf(
  {
    areImagesUnknown,
    areLevelsOpen,
    inSeveralJobs,
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
    ...(inSeveralJobs === undefined ? [] : [severalJobsWords(t, inSeveralJobs)]),
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
