import { signal } from '@preact/signals';
import { columnName, type TableText } from '../../pages/page/pageText';
import type { TableTextKey } from '../../pages/tableTexts';
import type { OpenedParts } from '../../table/page/contribution';
import type { GroupSource, GroupUnits, GroupsView } from '../../table/page/groupUnits';
import type { AddedMeasure, GroupMeasure, GroupUnit } from '../../table/page/state/groupsState';
import type { TablePanelSide } from '../../table/tablePage';
import type { ComparisonRequests } from '../comparisonRequests';
import {
  chosenName,
  classesOf,
  type ImageMeasure,
  measureKey,
  measureOf,
  type OfferedMeasures,
} from './chosenMeasure';
import { alikeWords } from './alikeWords';

/** A measure of groups as one of images: no other subject adds any. */
export const chosenOf = (measure: AddedMeasure) => measure as ImageMeasure;

/** Statistics of groups that are of images or of replicates. */
export class GroupedImages implements GroupUnits {
  readonly units: readonly GroupUnit[];
  /** What is known of images: their classes, and whether they have areas. */
  private readonly known = signal<Omit<OfferedMeasures, 'filterSets'>>({ classes: [], hasAreas: false });

  constructor(
    readonly parts: Pick<OpenedParts, 'model' | 'text' | 'panel' | 'messages' | 'filterSets' | 'textsOf'>,
  ) {
    const { text } = parts;
    this.units = [
      { id: 'images', name: text.get('groupsOf.images'), isReplicated: false },
      { id: 'replicates', name: text.get('groupsOf.replicates'), isReplicated: true },
    ];
  }

  /** Measures of images to choose from. */
  get offered(): OfferedMeasures {
    return { ...this.known.value, filterSets: this.parts.filterSets.all.value };
  }

  keyOf(measure: AddedMeasure): string {
    return measureKey(chosenOf(measure));
  }

  nameOf(measure: AddedMeasure): string {
    return chosenName(chosenOf(measure), this.parts.text);
  }

  /** Filters were given a name, or lost it; a share of those that were renamed follows them. */
  onDidChange(listener: Parameters<GroupUnits['onDidChange']>[0]): void {
    this.parts.filterSets.onDidChange(renamed =>
      listener(measure => {
        const chosen = chosenOf(measure);
        if (chosen.kind !== 'filter') return undefined;
        const now = chosen.name === renamed?.from ? { ...chosen, name: renamed.to } : chosen;
        return { measure: now, isThere: this.requested(now) !== undefined };
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
  ): Promise<GroupSource | TableTextKey> {
    const { model, panel, text } = this.parts;
    const of = id === 'replicates' ? 'replicates' : 'images';
    // Asking for them lists the images without objects, too.
    const levels = await this.replicateColumns(canceled);
    if (of === 'replicates' && levels.replicate.length === 0) return 'noGroupReplicates';
    const found = wanted.flatMap(measure => {
      const measured = this.requested(measure);
      return measured ? [{ measure, measured }] : [];
    });
    const measures = found.map(({ measure }) => measure);
    const measured = found.map(each => each.measured);
    const units = { of, ...levels, measures: measured, statistics, mean: 'objects' } as const;
    const nameOf = (measure: GroupMeasure) =>
      typeof measure === 'number' ? columnName(model.table.columns, measure, text) : this.nameOf(measure);
    return {
      measures,
      mark: [measured, levels],
      fetch: async (window, signal) => {
        const params = { ...units, filters, by, ...window };
        const response = await panel.request('tableUnitGroups', params, signal);
        return { ...response, notes: notesOf(response, measures.map(nameOf), text) };
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
    const { panel, text, messages } = this.parts;
    try {
      const { saved } = await panel.request('saveUnitGroups', params);
      if (saved) messages.say(text.get('savedGroups', saved.groups, saved.name));
    } catch (error) {
      messages.failed('saveFailed', error);
    }
  }

  /** Finds out what measures of images there are; a failure leaves those that are there in any case. */
  private async find(): Promise<void> {
    const { model, panel, messages, textsOf } = this.parts;
    try {
      const { hasAreas } = await panel.request('compareStart', {});
      this.known.value = { classes: await classesOf(model.table.columns, textsOf), hasAreas };
    } catch (error) {
      messages.log(error);
    }
  }

  /** What to request for a measure; undefined where the table lacks what it is of. */
  private requested(measure: GroupMeasure) {
    if (typeof measure === 'number') return { kind: 'column' as const, column: measure };
    const { model, filterSets } = this.parts;
    return measureOf(chosenOf(measure), model.table.columns, filterSets.all.peek());
  }
}

/** What has to be said of groups. `names`: of their measures. */
function notesOf(
  {
    areImagesUnknown,
    areLevelsOpen,
    alike = [],
    unjudged = [],
  }: ComparisonRequests['tableUnitGroups']['result'],
  names: readonly string[],
  text: TableText,
): string[] {
  return [
    ...(areImagesUnknown ? [text.get('compareUnknownImages')] : []),
    ...(areLevelsOpen ? [text.get('groupLevelsOpen')] : []),
    ...alikeWords(alike, text),
    ...names.flatMap((name, at) => {
      const count = unjudged[at] ?? 0;
      return count > 0 ? [text.count('groupsUnjudged', count, name)] : [];
    }),
  ];
}
