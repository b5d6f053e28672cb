import { signal } from '@preact/signals';
import { areSame, withChanges } from '../../base/namedList';
import type { ComputedColumn } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import type { OpenedParts } from '../../table/page/contribution';
import { gridColumn } from '../../table/page/grid/columnLayout';
import type { FormulaReport } from '../formulaRequests';
import { withRenamedInFormulas } from '../formulaTokens';

/** Number of rows with shown values while the user writes a formula. */
const PREVIEWED_ROWS = 5;

/** The draft of a new or edited column. */
export interface FormulaDraft extends ComputedColumn {
  /** The name of the column that is edited; absent for a new one. */
  of?: string;
}

/** The computed columns of a table, which the panel stores and the engine computes. */
export class FormulasModel {
  /** Whether the editor is open. */
  readonly isOpen = signal(false);
  /** The last draft that wasn't added: the editor shows it again if a click outside closed it. */
  draft: FormulaDraft | undefined;
  /** The change that the panel is applying. */
  private requested: { before: readonly ComputedColumn[]; after: readonly ComputedColumn[] } | undefined;

  constructor(private readonly parts: OpenedParts) {}

  get columns(): readonly TableColumn[] {
    return this.parts.model.table.columns;
  }

  get computed(): ComputedColumn[] {
    return computedOf(this.columns);
  }

  /** Opens the editor below a column's header, or below the button that has the focus. */
  async edit(column?: TableColumn, begun = this.draft ?? { name: '', formula: '' }): Promise<void> {
    const { loadLater, messages } = this.parts;
    const header = column && document.querySelector(`.ag-header-cell[col-id="${gridColumn(column.index)}"]`);
    const anchor = column ? header : document.activeElement;
    this.isOpen.value = true;
    const onClosed = () => (this.isOpen.value = false);
    try {
      const { formulas } = await loadLater();
      formulas.openFormulaEditor(this, { begun, ...(anchor && { anchor }), onClosed });
    } catch (error) {
      onClosed();
      messages.log(error);
    }
  }

  /** The results of a valid formula in the first rows of the view, and notes about all rows. */
  preview(
    { formula, of }: FormulaDraft,
    until: AbortSignal,
  ): Promise<{ cells: string[]; report: FormulaReport | null }> {
    const { model, panel } = this.parts;
    const { sort, filters } = model.spec;
    const view = { sort: [...sort], ...(filters && { filters: [...filters] }) };
    const params = { ...view, formula, rows: PREVIEWED_ROWS, ...(of !== undefined && { replacedName: of }) };
    return panel.request('tableFormulaPreview', params, until);
  }

  /** Notes about a computed column. */
  async report({ name, formula }: ComputedColumn, until: AbortSignal): Promise<FormulaReport | null> {
    const params = { sort: [], formula, rows: 0, replacedName: name, isWhole: true };
    return (await this.parts.panel.request('tableFormulaPreview', params, until)).report;
  }

  /** The computed columns of the table whose formulas were changed last. */
  async last(): Promise<ComputedColumn[]> {
    return (await this.parts.panel.request('lastFormulas', {})).computed;
  }

  /**
   * Adds the draft, or changes its column; other formulas use its new name. Rejects with the reason
   * if it can't.
   */
  async save({ name, formula, of }: FormulaDraft): Promise<void> {
    const { grid, messages } = this.parts;
    const column = { name, formula };
    if (of === undefined) await this.set([...this.computed, column]);
    else {
      const renamed = withRenamedInFormulas(this.computed, new Map([[of, name]]));
      await this.set(renamed.map(other => (other.name === of ? column : other)));
    }
    messages.say(of === undefined ? t('Added {0}.', name) : t('Changed {0}.', name));
    const shown = grid();
    // A new column is the last one, maybe out of sight.
    const position = this.columns.findIndex(other => other.computed && other.name === name);
    if (of === undefined && shown && position >= 0) shown.reveal(shown.firstVisible, null, position);
  }

  /** Adds columns of another table. */
  add(columns: readonly ComputedColumn[]): Promise<void> {
    const names = columns.map(({ name }) => name).join(', ');
    return this.setAndSay([...this.computed, ...columns], t('Added {0}.', names));
  }

  remove(name: string): Promise<void> {
    const others = this.computed.filter(column => column.name !== name);
    return this.setAndSay(others, t('Removed {0}.', name));
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
    // Changes of other windows aren't part of the undo step.
    withoutUndo(() => port.updateView({ formulas: this.computed }));
  }

  /** New names by former ones, if the columns include the change that this page requested. */
  changedHere(columns: readonly TableColumn[]): ReadonlyMap<string, string> | undefined {
    if (!this.requested) return undefined;
    const { before, after } = this.requested;
    const computed = computedOf(columns);
    if (!areSame(withChanges(computed, before, after), computed)) return undefined;
    // A changed column keeps its position.
    const isEdit = before.length === after.length;
    return new Map(isEdit ? before.map(({ name }, at) => [name, after[at]?.name ?? name]) : []);
  }

  /** Updates the view after the columns of the table changed. */
  extended(): void {
    const changed = this.changedHere(this.columns) ? this.requested?.after : undefined;
    this.parts.port.updateView({ formulas: [...(changed ?? this.computed)] });
  }

  private async setAndSay(computed: readonly ComputedColumn[], words: string): Promise<void> {
    const { messages } = this.parts;
    try {
      await this.set(computed);
      messages.say(words);
    } catch (error) {
      messages.failed(t.later("Couldn't change the computed columns: {0}"), error);
    }
  }
}

/** The computed columns of a table. */
export function computedOf(columns: readonly TableColumn[]): ComputedColumn[] {
  return columns.flatMap(({ name, computed }) => (computed ? [{ name, formula: computed.formula }] : []));
}
