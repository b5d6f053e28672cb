import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { areSame, withChanges } from '../../base/namedList';
import { PartKey } from '../../base/parts';
import { type PlotAdditions, plotAdditions } from '../../drawing/page/plotAddition';
import { t } from '../../pages/page/l10n';
import type { NamedPopulation } from '../../table/page/state/namedPopulations';
import type { OpenedParts, TableContribution, TableShortcut } from '../../table/page/contribution';
import { keyNames } from '../../table/page/keyNames';
import type { Population } from '../population';
import { renamedOne, withRenamedColumns } from '../renamedPopulations';
import type {} from '../populationsPage';
import type { populationsLater } from './populationsLater';
import type { PopulationsModel } from './populationsModel';
import { CLOSED, type PopulationsState, savedPopulationsPart, undonePopulations } from './populationsSaved';

declare module '../../table/page/addedLater' {
  interface AddedLater {
    populations: typeof populationsLater;
  }
}

/** The state of populations on a table's page. Their model's script loads later. */
class PopulationsInTable {
  readonly isOpen: ReadonlySignal<boolean>;
  readonly width: ReadonlySignal<number>;
  private readonly state: Signal<PopulationsState>;
  private loadedModel: PopulationsModel | undefined;
  private later: typeof populationsLater | undefined;
  /** The populations whose shares were last offered as measures. */
  private offered: readonly Population[] = [];
  /** Whether the view was saved before there were populations, or never, and none were read since. */
  private isOfEarlierVersion: boolean;

  constructor(readonly parts: OpenedParts) {
    const { start, view, port, panel } = parts;
    this.isOfEarlierVersion = view.populations === undefined;
    this.state = signal({ ...CLOSED, ...view.populationsPart });
    this.isOpen = computed(() => this.state.value.open);
    this.width = computed(() => this.state.value.width);
    const plots = parts.added.find(plotAdditions);
    if (plots) this.drawIn(plots);
    // The stored populations are newer than the view: other views may have changed them.
    if (start.populations) port.updateView({ populations: start.populations });
    panel.on('populations', populations => {
      parts.withoutUndo(() => {
        port.updateView({ populations });
        this.offer(populations);
        this.followFormerNames();
      });
      if (this.loadedModel) this.loadedModel.changedElsewhere(populations);
      // Comparisons can filter to a population before anything else needs the model.
      else if (parts.model.latestFilters.some(({ filter }) => filter.kind === 'population'))
        void this.model().then(
          model => model.changedElsewhere(populations),
          (error: unknown) => parts.messages.log(error),
        );
    });
    this.offer(port.view.populations ?? []);
    parts.model.onDidChange(change => {
      if (change === 'table') this.offer(this.offered, true);
    });
  }

  /** The model of the populations, once its script is loaded. */
  async model(): Promise<PopulationsModel> {
    return this.modelOf((await this.parts.loadLater()).populations.PopulationsModel);
  }

  /** Call when the first rows are shown: loads what they don't need. */
  begin(): void {
    if (this.parts.start.populations) this.parts.withoutUndo(() => this.followFormerNames());
    this.parts
      .loadLater()
      .then(({ populations }) => {
        this.later = populations;
        this.parts.populations.refine(this.named(this.offered));
      })
      .catch((error: unknown) => void this.parts.messages.log(error));
  }

  modelOf(Model: typeof PopulationsModel): PopulationsModel {
    return (this.loadedModel ??= new Model(this.parts, this.state, (populations, again) =>
      this.offer(populations, again),
    ));
  }

  /** Adds populations to plots once these are shown. */
  private drawIn({ isOpen, addition }: PlotAdditions): void {
    const end = effect(() => {
      if (!isOpen.value) return;
      void this.parts
        .loadLater()
        .then(({ populations: { PopulationsModel: Model, gatesInPlots } }) => {
          addition.value ??= gatesInPlots(this.modelOf(Model), this.parts);
          end();
        })
        .catch((error: unknown) => void this.parts.messages.log(error));
    });
  }

  toggle(): void {
    this.state.value = { ...this.state.peek(), open: !this.isOpen.peek() };
    this.parts.port.updateView({ populationsPart: this.state.peek() });
  }

  /** Restores a change of the list, by undo or redo, and opens the part to show it. */
  restore(from: readonly Population[], to: readonly Population[]): void {
    const { populations = [] } = this.parts.port.view;
    const restored = withChanges(populations, from, to);
    this.change(restored);
    if (!this.isOpen.peek()) this.toggle();
  }

  columnsRenamed(all: ReadonlyMap<string, string>): void {
    // The window that renames columns also stores the gates. If a column now has another one's old
    // name, a gate with that name may have been renamed already, so it stays.
    const newNames = new Set(all.values());
    const names = new Map([...all].filter(([from]) => !newNames.has(from)));
    const { populations = [] } = this.parts.port.view;
    if (populations.length > 0) this.change(withRenamedColumns(populations, names));
  }

  /** Stores a list. */
  private change(populations: readonly Population[]): void {
    // Doesn't wait for the model to load: a change in between would be another step for undo.
    if (this.loadedModel) this.loadedModel.restore(populations);
    else this.store(populations);
  }

  /**
   * Offers the shares of the table's populations as measures. `again`: even if the definitions are
   * the same, since their rows may differ.
   */
  private offer(populations: readonly Population[], again = false): void {
    const before = this.offered;
    this.offered = populations;
    const definitionsOf = (all: readonly Population[]) =>
      JSON.stringify(all.map(({ name, parent, gate }) => [name, parent, gate]));
    if (!again && definitionsOf(before) === definitionsOf(populations)) return;
    this.parts.populations.set(this.named(populations), renamedOne(before, populations));
  }

  /** Populations for measures; without columns and words until the later script is loaded. */
  private named(populations: readonly Population[]): NamedPopulation[] {
    const { model } = this.parts;
    const refined = this.later?.namedPopulations(populations, () => model.table.columns);
    return refined ?? populations.map(({ name }) => ({ name, columns: [] }));
  }

  /** Makes measures that were saved with a named filter use its population. */
  private followFormerNames(): void {
    if (!this.isOfEarlierVersion) return;
    this.isOfEarlierVersion = false;
    // Begins with the last: a name may be the former name of a later population.
    for (const { formerName, name } of this.offered.toReversed())
      if (formerName !== undefined)
        this.parts.populations.set(this.named(this.offered), { from: formerName, to: name });
  }

  private store(populations: readonly Population[]): void {
    const { port, panel, messages } = this.parts;
    const before = [...(port.view.populations ?? [])];
    if (areSame(before, populations)) return;
    port.updateView({ populations });
    this.offer(populations);
    panel
      .request('countPopulations', { before, populations: [...populations] })
      .then(() => this.offer(populations, true))
      .catch((error: unknown) => messages.failed(t.later("Couldn't save the populations: {0}"), error));
  }
}

const shortcuts: readonly TableShortcut[] = [
  { keys: [['G'], ['H']], does: t.later('In a plot: select a gate, one of its handles; arrow keys move it') },
  { keys: [[keyNames.delete]], does: t.later('In a plot: delete the selected gate or its corner') },
];

export const populationsOfTable = new PartKey<PopulationsInTable>('populations');

/** The tree of populations beside the rows. */
export const populationsInTable: TableContribution = {
  saved: savedPopulationsPart,
  undo: undonePopulations,
  open: parts => {
    // Rows of an aggregate table aren't objects.
    if (parts.start.kind === 'aggregate') return {};
    const part = parts.added.add(populationsOfTable, new PopulationsInTable(parts));
    return {
      buttons: [
        {
          icon: 'type-hierarchy-sub',
          label: t('Populations'),
          place: 'views',
          isOpen: part.isOpen,
          toggle: () => part.toggle(),
        },
      ],
      side: {
        name: t('Populations'),
        isOpen: part.isOpen,
        width: part.width,
        content: ({ populations: { PopulationsPart, PopulationsModel: Model } }) => (
          <PopulationsPart model={part.modelOf(Model)} parts={parts} close={() => part.toggle()} />
        ),
      },
      shortcuts,
      begin: () => part.begin(),
      columnsRenamed: names => part.columnsRenamed(names),
      restore: ({ populations }, _open, from) => {
        if (populations) part.restore(from.populations ?? [], populations);
      },
    };
  },
};
