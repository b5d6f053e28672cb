import { PartKey } from '../../base/parts';
import type { ComputedColumn } from '../../columns/computedColumn';
import type { TableColumn } from '../../columns/tableSummary';
import { t } from '../../pages/page/l10n';
import type { OpenedParts } from '../../table/page/contribution';
import type { NamedColumn } from '../checkedFormula';
import { type CheckedColumn, checkColumns, namedColumn, usersOf } from '../computedColumns';
import { bracketed, withRenamedInFormula } from '../formula';
import type { FormulaReport } from '../formulaReport';
import { problemWords } from '../formulaWords';

/** Rows whose values are shown while a formula is written. */
const PREVIEWED = 5;

/** What is written of a new column, or one that is edited. */
export interface FormulaDraft extends ComputedColumn {
  /** The name of the column that is edited; absent for a new one. */
  of?: string;
}

export const formulasOfTable = new PartKey<FormulasModel>('formulas');

/** The computed columns of a table, which the panel stores and the engine computes. */
export class FormulasModel {
  /** What was written last and not added; it is there again where the editor is closed by a click beside it. */
  draft: FormulaDraft | undefined;

  constructor(private readonly parts: OpenedParts) {}

  get columns(): readonly TableColumn[] {
    return this.parts.model.table.columns;
  }

  get computed(): ComputedColumn[] {
    return computedOf(this.columns);
  }

  /** The columns that a formula may use, in place of the one named. */
  usable(instead?: string): NamedColumn[] {
    return this.columns.filter(({ computed, name }) => !computed || name !== instead).map(namedColumn);
  }

  /** What a draft means, with what is wrong with it in words: of its name, or of its formula at a place. */
  check({ name, formula, of }: FormulaDraft): { column: CheckedColumn; nameFault?: string } {
    const others = this.computed.filter(each => each.name !== of);
    const files = this.columns.filter(({ computed }) => !computed);
    const isTaken = [...files, ...others].some(each => each.name === name);
    // Those that use it use it by its new name.
    const renamed = of === undefined ? others : others.map(each => withRenamed(each, of, name));
    const checked = checkColumns([{ name, formula }, ...renamed], files.map(namedColumn));
    const nameFault =
      name.trim() === ''
        ? t('Enter a name.')
        : isTaken
          ? t('There already is a column "{0}".', name)
          : undefined;
    return { column: checked[0] as CheckedColumn, ...(nameFault !== undefined && { nameFault }) };
  }

  /** What a valid formula gives in the first rows that are shown, and what there is to say of all rows. */
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

  /** What there is to say of a computed column. */
  async report({ name, computed }: TableColumn, signal: AbortSignal): Promise<FormulaReport | null> {
    const params = { sort: [], formula: computed?.formula ?? '', rows: 0, instead: name };
    return (await this.parts.panel.request('tableFormulaPreview', params, signal)).report;
  }

  /** Why the formula of a column isn't valid; undefined where it is. */
  fault(column: TableColumn): string | undefined {
    if (!column.computed?.isInvalid) return undefined;
    const files = this.columns.filter(({ computed }) => !computed);
    const found = checkColumns(this.computed, files.map(namedColumn)).find(each => each.name === column.name);
    return found && 'problem' in found ? problemWords(t, found.problem) : undefined;
  }

  /** Those of another result's table that this one hasn't and could compute. */
  async offered(): Promise<ComputedColumn[]> {
    const { computed: last } = await this.parts.panel.request('lastFormulas', {});
    const names = new Set(this.columns.map(({ name }) => name));
    const fresh = last.filter(({ name }) => !names.has(name));
    const files = this.columns.filter(({ computed }) => !computed);
    const checked = checkColumns([...this.computed, ...fresh], files.map(namedColumn));
    return fresh.filter(({ name }) => checked.some(each => each.name === name && 'checked' in each));
  }

  /** Adds what was written, or changes the column that it is of; the others follow its name. Rejects with why it isn't possible. */
  async save({ name, formula, of }: FormulaDraft): Promise<void> {
    const { computed } = this;
    const column = { name, formula };
    const changed =
      of === undefined
        ? [...computed, column]
        : computed.map(each => (each.name === of ? column : withRenamed(each, of, name)));
    await this.set(changed);
    const { messages } = this.parts;
    messages.say(of === undefined ? t('Added {0}.', name) : t('Changed {0}.', name));
  }

  /** Adds columns of another table. */
  async add(columns: readonly ComputedColumn[]): Promise<void> {
    await this.set([...this.computed, ...columns]);
    this.parts.messages.say(t('Added {0}.', columns.map(({ name }) => name).join(', ')));
  }

  /** The columns that keep one from being removed. */
  usersOf(name: string): string[] {
    return usersOf(name, this.computed);
  }

  async remove(name: string): Promise<void> {
    await this.tried(async () => {
      await this.set(this.computed.filter(each => each.name !== name));
      this.parts.messages.say(t('Removed {0}.', name));
    });
  }

  /** Goes back or forth to columns that there were. */
  restore(computed: readonly ComputedColumn[]): void {
    // The step is over before the panel has done it.
    this.parts.port.updateView({ formulas: [...computed] });
    void this.tried(() => this.set(computed));
  }

  private async set(computed: readonly ComputedColumn[]): Promise<void> {
    const { panel, port } = this.parts;
    await panel.request('setFormulas', { computed: [...computed] });
    // A step of the user's that can be undone.
    port.updateView({ formulas: [...computed] });
  }

  private async tried(work: () => Promise<void>): Promise<void> {
    const { messages, port } = this.parts;
    try {
      await work();
    } catch (error) {
      port.updateView({ formulas: this.computed });
      messages.say(t("Couldn't change the computed columns: {0}", messages.log(error)), true);
    }
  }
}

/** The computed columns of a table. */
export function computedOf(columns: readonly TableColumn[]): ComputedColumn[] {
  return columns.flatMap(({ name, computed }) => (computed ? [{ name, formula: computed.formula }] : []));
}

function withRenamed({ name, formula }: ComputedColumn, of: string, to: string): ComputedColumn {
  return { name, formula: of === to ? formula : withRenamedInFormula(formula, new Map([[of, to]])) };
}

/** A formula to begin with: that of one column. */
export function formulaOf(name: string): string {
  return bracketed(name);
}
