import type { CheckedFormula, Plan } from '../formula';
import type { MissingReason, Texts } from '../formulaFunctions';

/** Number of rows that are evaluated at once: their results stay in the processor's cache. */
export const BATCH = 4096;

/**
 * Evaluates a formula in batches of rows. `inputs` are the values of a batch for each column in
 * `formula.uses`, as doubles like those in formulaFunctions.ts.
 */
export class Evaluator {
  private inputs: readonly Float64Array[] = [];
  /** The values of constants, and those of calls in the latest batch if they are kept. */
  private readonly values = new Map<Plan, Float64Array>();
  /** Arrays of results that no call needs anymore. */
  private readonly free: Float64Array[] = [];

  constructor(
    private readonly formula: CheckedFormula,
    private readonly texts: Texts,
    /** Keeps the results of each call for `whyMissing`; a long formula then takes many arrays. */
    private readonly keepsResults = false,
  ) {}

  /** Puts the results of a batch into `out`. */
  run(inputs: readonly Float64Array[], out: Float64Array): void {
    this.inputs = inputs;
    const results = this.evaluate(this.formula.plan, out.length, out);
    if (results !== out) out.set(results.subarray(0, out.length));
  }

  /**
   * Why a result of the latest batch is missing, if results are kept; undefined if an operand is.
   * Reasons aren't recorded during evaluation, as `if` also evaluates the operand that it doesn't
   * choose.
   */
  whyMissing(row: number, plan: Plan = this.formula.plan): MissingReason | undefined {
    if (plan.kind !== 'call') return undefined;
    const { args, function: definition } = plan;
    const operands = args.map(arg => this.valuesOf(arg)[row] as number);
    if (definition.name === 'if') {
      const choice = operands[0] === 1 ? 1 : operands[0] === 0 ? 2 : 0;
      return args[choice] && this.whyMissing(row, args[choice]);
    }
    const missing = args[operands.findIndex(Number.isNaN)];
    if (missing) return this.whyMissing(row, missing);
    return definition.reasonOf?.(operands) ?? 'undefinedResults';
  }

  private evaluate(plan: Plan, count: number, out?: Float64Array): Float64Array {
    if (plan.kind !== 'call') return this.valuesOf(plan);
    const args = plan.args.map(arg => this.evaluate(arg, count));
    const results = out ?? (this.keepsResults ? this.valuesOf(plan) : this.freeArray());
    plan.function.kernel(results, args, count, this.texts);
    if (!this.keepsResults) this.free.push(...args.filter((_, at) => plan.args[at]?.kind === 'call'));
    return results;
  }

  private freeArray(): Float64Array {
    return this.free.pop() ?? new Float64Array(BATCH);
  }

  private valuesOf(plan: Plan): Float64Array {
    if (plan.kind === 'column') return this.inputs[this.formula.uses.indexOf(plan)] as Float64Array;
    let values = this.values.get(plan);
    if (!values) {
      values = new Float64Array(BATCH);
      const value = plan.kind === 'constant' ? plan.value : NaN;
      values.fill(typeof value === 'string' ? this.texts.positionOf(value) : value);
      this.values.set(plan, values);
    }
    return values;
  }
}
