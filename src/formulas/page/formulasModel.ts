import { areSame, withChanges } from '../../base/namedList';
import type { ComputedColumn } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import type { OpenedParts } from '../../table/page/contribution';
import { withRenamedInFormulas } from '../columnReferences';
import type { FormulaReport } from '../formulaRequests';

/** Rows whose values are shown while a formula is written. */
const PREVIEWED = 5;

/** The draft of a new or edited column. */
export interface FormulaDraft extends ComputedColumn {
  /** The name of the column that is edited; absent for a new one. */
  of?: string;
}

/** Opens the editor: for a new column, one that begins with another, or the named one. */
export type EditColumn = (column?: TableColumn, of?: string) => void;

/** The computed columns of a table, which the panel stores and the engine computes. */
export class FormulasModel {
  /** The last draft that wasn't added; it returns after a click outside closes the editor. */
  draft: FormulaDraft | undefined;
  /** The changes for the panel. */
  private requested: { before: readonly ComputedColumn[]; after: readonly ComputedColumn[] } | undefined;

  constructor(private readonly parts: OpenedParts) {}

  get columns(): readonly TableColumn[] {
    return this.parts.model.table.columns;
  }

  get computed(): ComputedColumn[] {
    return computedOf(this.columns);
  }

  /** The results of a valid formula in the first rows of the view, and notes about all rows. */
  preview(
    { formula, of }: FormulaDraft,
    signal: AbortSignal,
  ): Promise<{ cells: string[]; report: FormulaReport | null }> {
    const { model, panel } = this.parts;
    const { sort, filters } = model.spec;
    const view = { sort: [...sort], ...(filters && { filters: [...filters] }) };
    const params = { ...view, formula, rows: PREVIEWED, ...(of !== undefined && { instead: of }) };
    return panel.request('tableFormulaPreview', params, signal);
  }

  /** Notes about a computed column. */
  async report({ name, computed }: TableColumn, signal: AbortSignal): Promise<FormulaReport | null> {
    const params = { sort: [], formula: computed?.formula ?? '', rows: 0, instead: name, isWhole: true };
    return (await this.parts.panel.request('tableFormulaPreview', params, signal)).report;
  }

  /** The computed columns of the table that was given some last. */
  async last(): Promise<ComputedColumn[]> {
    return (await this.parts.panel.request('lastFormulas', {})).computed;
  }

  /**
   * Adds the draft, or changes its column; others follow its name. Rejects with the reason if it
   * can't.
   */
  async save({ name, formula, of }: FormulaDraft): Promise<void> {
    const { computed } = this;
    const column = { name, formula };
    const renamed = of === undefined ? computed : withRenamedInFormulas(computed, new Map([[of, name]]));
    const changed =
      of === undefined ? [...computed, column] : renamed.map(other => (other.name === of ? column : other));
    await this.set(changed);
    const { messages } = this.parts;
    if (of === undefined) this.reveal(name);
    messages.say(of === undefined ? t('Added {0}.', name) : t('Changed {0}.', name));
  }

  /** Adds columns of another table. */
  async add(columns: readonly ComputedColumn[]): Promise<void> {
    await this.tried(async () => {
      await this.set([...this.computed, ...columns]);
      this.parts.messages.say(t('Added {0}.', columns.map(({ name }) => name).join(', ')));
    });
  }

  async remove(name: string): Promise<void> {
    await this.tried(async () => {
      await this.set(this.computed.filter(column => column.name !== name));
      this.parts.messages.say(t('Removed {0}.', name));
    });
  }

  set(computed: readonly ComputedColumn[]): Promise<void> {
    return this.change(this.computed, computed);
  }

  /**
   * Applies the change between two lists of computed columns; resolves once the table shows them.
   * Changes of other windows stay. Rejects with the reason if it can't.
   */
  async change(before: readonly ComputedColumn[], after: readonly ComputedColumn[]): Promise<void> {
    const { panel, extended, withoutUndo, port } = this.parts;
    this.requested = { before, after };
    try {
      await panel.request('setFormulas', { before: [...before], computed: [...after] });
      await extended();
    } finally {
      this.requested = undefined;
    }
    // Changes of other windows aren't part of the step.
    withoutUndo(() => port.updateView({ formulas: this.computed }));
  }

  /** New names by former ones, if the user's changes here are among these columns. */
  changedHere(columns: readonly TableColumn[]): ReadonlyMap<string, string> | undefined {
    if (!this.requested) return undefined;
    const { before, after } = this.requested;
    const computed = computedOf(columns);
    if (!areSame(withChanges(computed, before, after), computed)) return undefined;
    // A changed column keeps its place.
    const isEdit = before.length === after.length;
    return new Map(isEdit ? before.map(({ name }, at) => [name, after[at]?.name ?? name]) : []);
  }

  /** The table has other columns. */
  extended(): void {
    const changed = this.changedHere(this.columns) ? this.requested?.after : undefined;
    this.parts.port.updateView({ formulas: [...(changed ?? this.computed)] });
  }

  /** Scrolls to a column that was added, behind all others. */
  private reveal(name: string): void {
    const grid = this.parts.grid();
    const column = this.columns.findIndex(other => other.computed && other.name === name);
    if (grid && column >= 0) grid.reveal(grid.firstVisible, null, column);
  }

  /** Says a failure. */
  private async tried(work: () => Promise<void>): Promise<void> {
    const { messages } = this.parts;
    try {
      await work();
    } catch (error) {
      messages.say(t("Couldn't change the computed columns: {0}", messages.log(error)), true);
    }
  }
}

/** The computed columns of a table. */
export function computedOf(columns: readonly TableColumn[]): ComputedColumn[] {
  return columns.flatMap(({ name, computed }) => (computed ? [{ name, formula: computed.formula }] : []));
}
