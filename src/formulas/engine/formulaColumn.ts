import { Pacer } from '../../base/node/slices';
import { CodedError } from '../../base/errors';
import { MISSING_CODES, MISSING_HIGH } from '../../columns/csv/csvScan';
import {
  type DerivedColumn,
  type DerivedFrom,
  EMPTY_CODE,
  missingOf,
  textsOf,
  writtenNumber,
} from '../../columns/engine/read/derivedColumn';
import { type CodeColumn, FIRST_TEXT, type NumberColumn } from '../../columns/engine/read/tableSource';
import type { CheckedFormula } from '../checkedFormula';
import type { FormulaType } from '../formula';
import type { FormulaReport } from '../formulaRequests';
import { BATCH, Evaluator, flagOf, flagText, OPERAND, REASONS, Texts } from './evaluate';

/** Integers from here on aren't all doubles. */
const FIRST_ROUNDED = 2 ** 53;

/** A column that a formula computes; without `checked`, all of its cells are empty. */
export class FormulaColumn implements DerivedColumn {
  readonly column: DerivedColumn['column'];
  readonly from: readonly number[];
  /** Of texts, and of yes and no; numbers have no codes. */
  readonly codes?: NonNullable<DerivedColumn['codes']>;

  constructor(
    name: string,
    formula: string,
    private readonly checked: CheckedFormula | undefined,
  ) {
    const type = checked?.type ?? 'text';
    if (type !== 'number') this.codes = (table, signal) => this.codesOfTexts(table, signal);
    this.column = {
      name,
      kind: type === 'number' ? 'number' : 'text',
      computed: { formula, type, ...(!checked && { isInvalid: true }) },
    };
    this.from = checked?.uses.map(({ column }) => column) ?? [];
  }

  async numbers(table: DerivedFrom, signal?: AbortSignal): Promise<NumberColumn> {
    const numbers = new Float64Array(table.rowCount);
    const words = new Uint32Array(numbers.buffer);
    const isNumeric = this.checked?.type === 'number';
    if (this.checked && isNumeric)
      await this.eachBatch(table, this.checked, signal, ({ start, end, evaluator, inputs }) => {
        evaluator.run(inputs, numbers.subarray(start, end));
      });
    else numbers.fill(NaN);
    const pacer = new Pacer(signal);
    for (let at = 0; at < numbers.length; at++) {
      if (at % BATCH === 0 && pacer.isDue) await pacer.pause();
      const value = numbers[at] as number;
      if (value === value) continue;
      words[2 * at] = isNumeric ? MISSING_CODES.empty : MISSING_CODES.other;
      words[2 * at + 1] = MISSING_HIGH;
    }
    return { values: [numbers], firstRows: [0] };
  }

  texts(cells: readonly (readonly string[])[], table: DerivedFrom): string[] {
    const { checked } = this;
    if (!checked) return cells.map(() => '');
    const texts = new Texts();
    const evaluator = evaluatorOf(checked, texts, table);
    const read = checked.uses.map(({ column, as }) => valueOfText(column, as, texts, table));
    const out: string[] = [];
    for (let start = 0; start < cells.length; start += BATCH) {
      const batch = cells.slice(start, start + BATCH);
      const inputs = read.map((valueOf, at) => Float64Array.from(batch, row => valueOf(row[at] ?? '')));
      const results = new Float64Array(batch.length);
      evaluator.run(inputs, results);
      for (const value of results) out.push(textOf(value, checked.type, texts, table));
    }
    return out;
  }

  /** Notes about all values. */
  async report(table: DerivedFrom, signal?: AbortSignal): Promise<FormulaReport> {
    const report: FormulaReport = { rows: table.rowCount, missing: 0 };
    const { checked } = this;
    if (!checked) return { ...report, missing: report.rows };
    const results = new Float64Array(BATCH);
    const counts = new Array<number>(OPERAND + 1 + REASONS.length).fill(0);
    let infinite = 0;
    let large = 0;
    await this.eachBatch(table, checked, signal, ({ start, end, evaluator, inputs }) => {
      const values = results.subarray(0, end - start);
      evaluator.run(inputs, values);
      let missing = 0;
      for (let at = 0; at < values.length; at++) {
        const value = values[at] as number;
        if (value !== value) missing++;
        else if (value >= FIRST_ROUNDED || value <= -FIRST_ROUNDED) {
          if (Number.isFinite(value)) large++;
          else infinite++;
        }
      }
      if (missing === 0) return;
      report.missing += missing;
      for (const why of evaluator.whyMissing(inputs, values.length).subarray(0, values.length))
        counts[why] = (counts[why] ?? 0) + 1;
    });
    REASONS.forEach((reason, at) => {
      const count = counts[OPERAND + 1 + at] ?? 0;
      if (count > 0) report[reason] = count;
    });
    const isNumeric = checked.type === 'number';
    if (isNumeric && infinite > 0) report.infinite = infinite;
    if (isNumeric && large > 0) report.large = large;
    const ofColumns = checked.uses.flatMap(({ column, as }) => {
      const { name, isRounded } = table.columns[column] ?? {};
      return as === 'number' && isRounded && name !== undefined ? [name] : [];
    });
    const rounded = [...ofColumns, ...checked.rounded];
    if (rounded.length > 0) report.rounded = rounded;
    return report;
  }

  private async codesOfTexts(table: DerivedFrom, signal?: AbortSignal): Promise<CodeColumn> {
    const { checked } = this;
    const codes = new Uint32Array(table.rowCount).fill(EMPTY_CODE);
    const distinct = ['', ''];
    // By a text's position; texts that only lead to others get none.
    const codeOf: number[] = [];
    const results = new Float64Array(BATCH);
    if (checked)
      await this.eachBatch(table, checked, signal, ({ start, end, evaluator, inputs, texts }) => {
        evaluator.run(inputs, results.subarray(0, end - start));
        for (let at = start; at < end; at++) {
          const value = results[at - start] as number;
          if (value !== value) continue;
          let code = codeOf[value];
          if (code === undefined) {
            const text = textOf(value, checked.type, texts, table);
            code = text === '' ? EMPTY_CODE : distinct.push(text) - 1;
            codeOf[value] = code;
          }
          codes[at] = code;
        }
      });
    return { values: [codes], firstRows: [0], texts: textsOf(distinct) };
  }

  private async eachBatch(
    table: DerivedFrom,
    checked: CheckedFormula,
    signal: AbortSignal | undefined,
    work: (batch: Batch) => void,
  ): Promise<void> {
    const { rowCount } = table;
    const texts = new Texts();
    const evaluator = evaluatorOf(checked, texts, table);
    const columns: InputColumn[] = [];
    for (const { column, as } of checked.uses)
      columns.push(
        as === 'number'
          ? numberInput(await table.numbers(column, signal))
          : codeInput(await table.codes(column, signal), valueOfText(column, as, texts, table)),
      );
    const pacer = new Pacer(signal);
    try {
      for (let start = 0; start < rowCount;) {
        const end = columns.reduce((least, { endOf }) => Math.min(least, endOf(start)), start + BATCH);
        const until = Math.min(end, rowCount);
        const inputs = columns.map(({ values }) => values(start, until));
        work({ start, end: until, evaluator, inputs, texts });
        start = until;
        if (pacer.isDue) await pacer.pause();
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new CodedError('too-many-objects', error.message, { subject: this.column.name });
    }
  }
}

interface Batch {
  /** Rows of the table. */
  start: number;
  end: number;
  evaluator: Evaluator;
  inputs: readonly Float64Array[];
  texts: Texts;
}

/** A column in batches. */
interface InputColumn {
  /** The latest end of a batch that begins at a row: parts of a column aren't joined. */
  endOf: (row: number) => number;
  values: (start: number, end: number) => Float64Array;
}

function numberInput({ values, firstRows }: NumberColumn): InputColumn {
  const partAt = partFinder(values, firstRows);
  return {
    endOf: row => partAt(row).end,
    values: (start, end) => {
      const { values: part, first } = partAt(start);
      return part.subarray(start - first, end - first);
    },
  };
}

/** `valueOf` gives the value of a text. */
function codeInput({ values, firstRows, texts }: CodeColumn, valueOf: (text: string) => number): InputColumn {
  const partAt = partFinder(values, firstRows);
  // Infinity until the value of a text is needed.
  const valueOfCode = new Float64Array(texts.size).fill(Infinity);
  valueOfCode.fill(NaN, 0, FIRST_TEXT);
  const batch = new Float64Array(BATCH);
  return {
    endOf: row => partAt(row).end,
    values: (start, end) => {
      const { values: codes, first } = partAt(start);
      for (let row = start; row < end; row++) {
        const code = codes[row - first] as number;
        let value = valueOfCode[code] as number;
        if (value === Infinity) value = valueOfCode[code] = valueOf(texts.text(code));
        batch[row - start] = value;
      }
      return batch;
    },
  };
}

/**
 * Finds the part of a column with a row; call it with ascending rows. Throws `bad-request` for a
 * row after the last part.
 */
function partFinder<T extends Float64Array | Uint32Array>(
  values: readonly T[],
  firstRows: readonly number[],
): (row: number) => { values: T; first: number; end: number } {
  let part = 0;
  return row => {
    while (part + 1 < values.length && (firstRows[part + 1] ?? 0) <= row) part++;
    const first = firstRows[part] ?? 0;
    const numbers = values[part];
    if (!numbers || row >= first + numbers.length)
      throw new CodedError('bad-request', `A column has no row ${row}`);
    return { values: numbers, first, end: first + numbers.length };
  };
}

/** The value of a cell's text, as a formula reads it; NaN where it is missing. */
function valueOfText(
  column: number,
  as: FormulaType,
  texts: Texts,
  table: DerivedFrom,
): (text: string) => number {
  if (as === 'number') return text => table.numberIn(column, text);
  if (as === 'flag') return flagOf;
  // Words such as "NA" are missing among numbers alone.
  const isNumeric = table.columns[column]?.kind === 'number';
  return text => (text === '' || (isNumeric && missingOf(text) !== undefined) ? NaN : texts.place(text));
}

function evaluatorOf({ plan }: CheckedFormula, texts: Texts, { mark }: DerivedFrom): Evaluator {
  return new Evaluator(plan, texts, number => writtenNumber(number, mark));
}

function textOf(value: number, type: FormulaType, texts: Texts, { mark }: DerivedFrom): string {
  if (value !== value) return '';
  if (type === 'number') return writtenNumber(value, mark);
  return type === 'flag' ? flagText(value) : texts.text(value);
}
