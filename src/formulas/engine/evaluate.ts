import type { Plan } from '../checkedFormula';
import type { MissingReason, TextList } from '../formulaFunctions';

/** Rows that are evaluated at once: their results stay in the processor's cache. */
export const BATCH = 4096;
/** Different texts of a formula, at most: each takes memory that no file has. */
const MAX_TEXTS = 4_000_000;

/** The different texts of a formula's values: each is compared and joined by its position. */
export class Texts implements TextList {
  private readonly all: string[] = [];
  private readonly lowered: (string | undefined)[] = [];
  private readonly places = new Map<string, number>();

  text(place: number): string {
    return this.all[place] ?? '';
  }

  lower(place: number): string {
    return (this.lowered[place] ??= this.text(place).toLowerCase());
  }

  /** Throws a RangeError for too many. */
  place(text: string): number {
    let place = this.places.get(text);
    if (place === undefined) {
      if (this.all.length >= MAX_TEXTS) throw new RangeError(`More than ${MAX_TEXTS} texts`);
      place = this.all.push(text) - 1;
      this.places.set(text, place);
    }
    return place;
  }
}

/** Why a value is missing: OPERAND if one of its operands is, else a position in REASONS, from 2. */
const NOT_MISSING = 0;
export const OPERAND = 1;
export const REASONS: readonly MissingReason[] = [
  'divisionsByZero',
  'logarithms',
  'roots',
  'undefinedResults',
];

/**
 * Evaluates a formula in batches of rows. `inputs` are a batch's values of the columns that the
 * formula uses, in that order and as formulaFunctions.ts describes them. Arrays are reused for the
 * next batch.
 */
export class Evaluator {
  private readonly slots: Float64Array[] = [];
  private readonly constants = new Map<Plan, Float64Array>();
  private readonly whys: Uint8Array[] = [];

  constructor(
    private readonly plan: Plan,
    private readonly texts: TextList,
    /** A number as text. */
    private readonly written: (number: number) => string,
  ) {}

  /** Puts the results of a batch into `out`. */
  run(inputs: readonly Float64Array[], out: Float64Array): void {
    const results = this.values(this.plan, inputs, out.length, 0, out);
    if (results !== out) out.set(results.subarray(0, out.length));
  }

  /**
   * Why each result of a batch is missing: NOT_MISSING, OPERAND, or OPERAND + 1 + its position in
   * REASONS. Evaluates the batch again.
   */
  whyMissing(inputs: readonly Float64Array[], count: number): Uint8Array {
    return this.explain(this.plan, inputs, count, 0).why;
  }

  private values(
    plan: Plan,
    inputs: readonly Float64Array[],
    count: number,
    depth: number,
    out?: Float64Array,
  ): Float64Array {
    switch (plan.kind) {
      case 'constant':
        return this.constant(plan);
      case 'column':
        return inputs[plan.of] as Float64Array;
      case 'written': {
        const values = this.values(plan.of, inputs, count, depth);
        return this.write(plan.of, values, out ?? this.slot(depth), count);
      }
      case 'call': {
        const { args } = plan;
        const values = args.map((arg, at) => this.values(arg, inputs, count, depth + at));
        const result = out ?? this.slot(depth);
        plan.function.kernel(result, values, count, this.texts);
        return result;
      }
    }
  }

  /** As `values`, with the reason for each one that is missing. */
  private explain(
    plan: Plan,
    inputs: readonly Float64Array[],
    count: number,
    depth: number,
  ): { values: Float64Array; why: Uint8Array } {
    if (plan.kind === 'written') {
      const { values, why } = this.explain(plan.of, inputs, count, depth);
      return { values: this.write(plan.of, values, this.slot(depth), count), why };
    }
    const why = this.why(depth).fill(NOT_MISSING);
    if (plan.kind !== 'call') {
      const values = this.values(plan, inputs, count, depth);
      for (let at = 0; at < count; at++) if (values[at] !== values[at]) why[at] = OPERAND;
      return { values, why };
    }
    const { args, function: definition } = plan;
    const explained = args.map((arg, at) => this.explain(arg, inputs, count, depth + 1 + at));
    const operands = explained.map(({ values }) => values);
    const values = this.slot(depth);
    definition.kernel(values, operands, count, this.texts);
    const isChoice = definition.name === 'if';
    for (let at = 0; at < count; at++) {
      if (values[at] === values[at]) continue;
      // Only the selected branch gives the reason.
      const causes = isChoice ? selectedBranch(explained, at) : explained;
      const ofOperand = causes.find(arg => arg.why[at] !== NOT_MISSING)?.why[at];
      const reason =
        definition.reasonOf?.(operands.map(operand => operand[at] as number)) ?? 'undefinedResults';
      why[at] = ofOperand ?? (isChoice ? OPERAND : OPERAND + 1 + REASONS.indexOf(reason));
    }
    return { values, why };
  }

  private constant(plan: Plan & { kind: 'constant' }): Float64Array {
    let values = this.constants.get(plan);
    if (!values) {
      const { value } = plan;
      values = new Float64Array(BATCH).fill(typeof value === 'string' ? this.texts.place(value) : value);
      this.constants.set(plan, values);
    }
    return values;
  }

  private write({ type }: Plan, values: Float64Array, out: Float64Array, count: number): Float64Array {
    for (let at = 0; at < count; at++) {
      const value = values[at] as number;
      if (value !== value) out[at] = NaN;
      else out[at] = this.texts.place(type === 'flag' ? flagText(value) : this.written(value));
    }
    return out;
  }

  private slot(depth: number): Float64Array {
    return (this.slots[depth] ??= new Float64Array(BATCH));
  }

  private why(depth: number): Uint8Array {
    return (this.whys[depth] ??= new Uint8Array(BATCH));
  }
}

/** The argument of an `if` that gives its result in a row; the condition where that is missing. */
function selectedBranch<T extends { values: Float64Array }>(
  [condition, then, otherwise]: readonly T[],
  at: number,
): T[] {
  const choice = condition?.values[at];
  const branch = choice === 1 ? then : choice === 0 ? otherwise : condition;
  return branch ? [branch] : [];
}

/** The texts of yes and no in cells. */
export function flagText(value: number): string {
  return value === 1 ? 'yes' : 'no';
}

/** The value of such a text; NaN for others. */
export function flagOf(text: string): number {
  return text === 'yes' ? 1 : text === 'no' ? 0 : NaN;
}
