import { CodedError } from '../../base/errors';
import { Pacer } from '../../base/node/slices';
import { MISSING_CODES, MISSING_HIGH } from '../../columns/csv/csvScan';
import {
  type DerivedColumn,
  type DerivedFrom,
  EMPTY_CODE,
  missingOf,
  numbersByCode,
  textsOf,
  writtenNumber,
} from '../../columns/engine/read/derivedColumn';
import { type CodeColumn, FIRST_TEXT, type NumberColumn } from '../../columns/engine/read/tableSource';
import { type CheckedColumn, shown } from '../computedColumns';
import type { CheckedFormula } from '../formula';
import { flagText, type FormulaType, type MissingReason, Texts } from '../formulaFunctions';
import type { FormulaReport } from '../formulaRequests';
import { BATCH, Evaluator } from './evaluate';

/** From this number on, some integers aren't doubles. */
const MIN_ROUNDED = 2 ** 53;

/** A column that a formula computes. If the formula isn't valid, all cells are empty. */
export class FormulaColumn implements DerivedColumn {
  readonly column: DerivedColumn['column'];
  readonly from: readonly number[];
  /** The codes of texts, or of yes and no; undefined for numbers. */
  readonly codes?: NonNullable<DerivedColumn['codes']>;
  private readonly formula: CheckedFormula | undefined;
  private readonly type: FormulaType;

  constructor(column: CheckedColumn) {
    this.column = shown(column);
    this.formula = 'checked' in column ? column.checked : undefined;
    this.type = this.formula?.plan.type ?? 'text';
    this.from = this.formula?.uses.map(use => use.column) ?? [];
    if (this.type !== 'number') this.codes = (table, signal) => this.codesOfTexts(table, signal);
  }

  async numbers(table: DerivedFrom, signal?: AbortSignal): Promise<NumberColumn> {
    if (this.codes) {
      const codes = await this.codes(table, signal);
      return numbersByCode(
        codes,
        () => NaN,
        () => MISSING_CODES.other,
        signal,
      );
    }
    const numbers = new Float64Array(table.rowCount);
    const halves = new Uint32Array(numbers.buffer);
    await this.eachBatch(table, signal, ({ start, end, evaluator, inputs }) => {
      evaluator.run(inputs, numbers.subarray(start, end));
      for (let at = start; at < end; at++) {
        const value = numbers[at] as number;
        if (value === value) continue;
        halves[2 * at] = MISSING_CODES.empty;
        halves[2 * at + 1] = MISSING_HIGH;
      }
    });
    return { values: [numbers], firstRows: [0] };
  }

  texts(cells: readonly (readonly string[])[], table: DerivedFrom): string[] {
    const { formula } = this;
    if (!formula) return cells.map(() => '');
    const texts = textsIn(table);
    const evaluator = new Evaluator(formula, texts);
    const readers = formula.uses.map(({ column, type }) => valueOfText(column, type, texts, table));
    const columnTexts: string[] = [];
    for (let start = 0; start < cells.length; start += BATCH) {
      const batch = cells.slice(start, start + BATCH);
      const inputs = readers.map((valueOf, at) => Float64Array.from(batch, row => valueOf(row[at] ?? '')));
      const results = new Float64Array(batch.length);
      evaluator.run(inputs, results);
      for (const value of results) columnTexts.push(this.textOf(value, texts));
    }
    return columnTexts;
  }

  /** Notes about all values. */
  async report(table: DerivedFrom, signal?: AbortSignal): Promise<FormulaReport> {
    const report: FormulaReport = { rows: table.rowCount, missing: 0 };
    const count = (field: 'missing' | 'infinite' | 'large' | MissingReason | undefined) => {
      if (field) report[field] = (report[field] ?? 0) + 1;
    };
    const batch = new Float64Array(BATCH);
    const explain = ({ start, end, evaluator, inputs }: Batch) => {
      const values = batch.subarray(0, end - start);
      evaluator.run(inputs, values);
      for (let at = 0; at < values.length; at++) {
        const value = values[at] as number;
        if (value !== value) {
          count('missing');
          count(evaluator.whyMissing(at));
        } else if (this.type === 'number' && (value >= MIN_ROUNDED || value <= -MIN_ROUNDED))
          count(Number.isFinite(value) ? 'large' : 'infinite');
      }
    };
    await this.eachBatch(table, signal, explain, true);
    const { uses = [], rounded = [] } = this.formula ?? {};
    const roundedColumns = uses.flatMap(({ column, type }) => {
      const { name, isRounded } = table.columns[column] ?? {};
      return type === 'number' && isRounded && name !== undefined ? [name] : [];
    });
    const allRounded = [...roundedColumns, ...rounded];
    return allRounded.length > 0 ? { ...report, rounded: allRounded } : report;
  }

  private async codesOfTexts(table: DerivedFrom, signal?: AbortSignal): Promise<CodeColumn> {
    const codes = new Uint32Array(table.rowCount).fill(EMPTY_CODE);
    const distinct = ['', ''];
    // By the position of a text in `texts`; texts of intermediate results get no code.
    const codeOf: number[] = [];
    const results = new Float64Array(BATCH);
    await this.eachBatch(table, signal, ({ start, end, evaluator, inputs, texts }) => {
      evaluator.run(inputs, results.subarray(0, end - start));
      for (let at = start; at < end; at++) {
        const value = results[at - start] as number;
        if (value !== value) continue;
        let code = codeOf[value];
        if (code === undefined) {
          const text = this.textOf(value, texts);
          code = text === '' ? EMPTY_CODE : distinct.push(text) - 1;
          codeOf[value] = code;
        }
        codes[at] = code;
      }
    });
    return { values: [codes], firstRows: [0], texts: textsOf(distinct) };
  }

  private textOf(value: number, texts: Texts): string {
    if (value !== value) return '';
    if (this.type === 'number') return texts.numberText(value);
    return this.type === 'flag' ? flagText(value) : texts.text(value);
  }

  /** Calls `work` for each batch of rows; doesn't if the formula isn't valid. */
  private async eachBatch(
    table: DerivedFrom,
    signal: AbortSignal | undefined,
    work: (batch: Batch) => void,
    keepsResults = false,
  ): Promise<void> {
    const { formula } = this;
    if (!formula) return;
    const texts = textsIn(table);
    const evaluator = new Evaluator(formula, texts, keepsResults);
    const columns: InputColumn[] = [];
    for (const { column, type } of formula.uses) {
      if (type === 'number') columns.push({ valuesFrom: partsOf(await table.numbers(column, signal)) });
      else {
        const codes = await table.codes(column, signal);
        const numbers = numbersOfCodes(codes.texts, valueOfText(column, type, texts, table));
        columns.push({ valuesFrom: partsOf(codes), numbers });
      }
    }
    const pacer = new Pacer(signal);
    try {
      for (let start = 0; start < table.rowCount;) {
        const parts = columns.map(({ valuesFrom }) => valuesFrom(start));
        const end = Math.min(table.rowCount, start + Math.min(BATCH, ...parts.map(({ length }) => length)));
        const inputs = columns.map(({ numbers }, at) => {
          const part = parts[at] as Float64Array | Uint32Array;
          return numbers ? numbers(part as Uint32Array, end - start) : (part as Float64Array);
        });
        work({ start, end, evaluator, inputs, texts });
        start = end;
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

interface InputColumn {
  /** The values of the part with a row, from that row on. */
  valuesFrom: (row: number) => Float64Array | Uint32Array;
  /** Converts codes to values; absent for columns of numbers. */
  numbers?: (codes: Uint32Array, count: number) => Float64Array;
}

/**
 * Finds the part of a column with a row, and its values from that row on. Must be called with
 * ascending rows. Throws `bad-request` for a row after the last part.
 */
function partsOf({ values, firstRows }: NumberColumn | CodeColumn): InputColumn['valuesFrom'] {
  let part = 0;
  return row => {
    while ((firstRows[part + 1] ?? Infinity) <= row) part++;
    const partValues = values[part]?.subarray(row - (firstRows[part] ?? 0));
    if (!partValues || partValues.length === 0)
      throw new CodedError('bad-request', `A column has no row ${row}`);
    return partValues;
  };
}

/** Converts codes to the values of their texts; each distinct text is converted once. */
function numbersOfCodes(
  texts: CodeColumn['texts'],
  valueOf: (text: string) => number,
): NonNullable<InputColumn['numbers']> {
  // Infinity until the value of a text is needed.
  const valueOfCode = new Float64Array(texts.size).fill(Infinity);
  valueOfCode.fill(NaN, 0, FIRST_TEXT);
  const batch = new Float64Array(BATCH);
  return (codes, count) => {
    for (let at = 0; at < count; at++) {
      const code = codes[at] as number;
      let value = valueOfCode[code] as number;
      if (value === Infinity) value = valueOfCode[code] = valueOf(texts.text(code));
      batch[at] = value;
    }
    return batch;
  };
}

function textsIn({ mark }: DerivedFrom): Texts {
  return new Texts(number => writtenNumber(number, mark));
}

/** Returns a function that converts cells to their values in a formula; NaN if missing. */
function valueOfText(
  column: number,
  targetType: FormulaType,
  texts: Texts,
  table: DerivedFrom,
): (text: string) => number {
  if (targetType === 'number') return text => table.numberIn(column, text);
  if (targetType === 'flag') return text => (text === 'yes' ? 1 : text === 'no' ? 0 : NaN);
  // Words such as "NA" are missing values only in columns of numbers.
  const isNumeric = table.columns[column]?.kind === 'number';
  return text => (text === '' || (isNumeric && missingOf(text) !== undefined) ? NaN : texts.positionOf(text));
}
