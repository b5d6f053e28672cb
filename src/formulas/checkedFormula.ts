import { FORMULA_FUNCTIONS, type FormulaFunction } from './formulaFunctions';
import {
  fail,
  type FormulaNode,
  type FormulaProblem,
  type FormulaType,
  parseFormula,
  unlessInvalid,
} from './formula';

/* Checks formulas against the columns of a table: the meaning of names, and matching types. */

/** A column that formulas may name. */
export interface NamedColumn {
  name: string;
  type: FormulaType;
  /** Set where it is computed by a formula that isn't valid. */
  isInvalid?: boolean;
}

/** The node to evaluate. */
export type Plan =
  | { kind: 'constant'; type: FormulaType; value: number | string }
  /** `of`: its position among the columns used; `type`: the type to read it as. */
  | { kind: 'column'; type: FormulaType; of: number }
  | { kind: 'call'; type: FormulaType; function: FormulaFunction; args: readonly Plan[] }
  /** A number or yes or no as text. */
  | { kind: 'written'; type: 'text'; of: Plan };

/** A formula that can be evaluated. */
export interface CheckedFormula {
  plan: Plan;
  type: FormulaType;
  /**
   * The columns used, by their positions in the given list, once for each type that they are read
   * as.
   */
  uses: readonly { column: number; as: FormulaType }[];
  /** Integers of the formula that doubles round, as they are written. */
  rounded: readonly string[];
}

export type Checked = { checked: CheckedFormula } | { problem: FormulaProblem };

/** Whether an integer is another number than the double that it is computed with. */
function isRounded(digits: string, value: number): boolean {
  return /^\d+$/.test(digits) && Number.isFinite(value) && BigInt(digits) !== BigInt(value);
}

/** Parses a formula and resolves its names in a table of these columns. */
export function checkFormula(text: string, columns: readonly NamedColumn[]): Checked {
  const parsed = parseFormula(text);
  if ('problem' in parsed) return parsed;
  const checker = new Checker(columns, text);
  return unlessInvalid(() => {
    const plan = checker.plan(parsed.node);
    return { checked: { plan, type: plan.type, uses: checker.uses, rounded: checker.rounded } };
  });
}

class Checker {
  readonly uses: { column: number; as: FormulaType }[] = [];
  readonly rounded: string[] = [];

  constructor(
    private readonly columns: readonly NamedColumn[],
    private readonly text: string,
  ) {}

  plan(node: FormulaNode): Plan {
    switch (node.kind) {
      case 'number':
        if (isRounded(this.text.slice(node.start, node.end), node.value))
          this.rounded.push(this.text.slice(node.start, node.end));
        return { kind: 'constant', type: 'number', value: node.value };
      case 'text':
        return { kind: 'constant', type: 'text', value: node.value };
      case 'flag':
        return { kind: 'constant', type: 'flag', value: Number(node.value) };
      case 'column': {
        const { column, type } = this.columnOf(node);
        return this.read(column, type);
      }
      case 'call':
        return this.call(node);
    }
  }

  private call({ name, args, start, end }: FormulaNode & { kind: 'call' }): Plan {
    const definition = FORMULA_FUNCTIONS.find(item => item.name === name) as FormulaFunction;
    const span = { start, end };
    const { takes } = definition;
    if (takes === 'text') {
      const texts = args.map(arg => this.asText(arg));
      return { kind: 'call', type: definition.gives ?? 'text', function: definition, args: texts };
    }
    const plans = args.map(arg => this.plan(arg));
    const spanOf = (at: number) => args[at] ?? span;
    const needs = (at: number, expected: FormulaType) => {
      const given = plans[at]?.type ?? expected;
      if (given !== expected) fail({ kind: 'argument-type', name, expected, given }, spanOf(at));
    };
    const alike = (at: number, other: number) => {
      const [first, second] = [plans[at]?.type ?? 'number', plans[other]?.type ?? 'number'];
      if (first !== second) fail({ kind: 'types-differ', name, first, second }, span);
    };
    if (takes === 'if') {
      needs(0, 'flag');
      if (plans.length > 2) alike(1, 2);
    } else if (takes === 'same') alike(0, 1);
    else plans.forEach((_, at) => needs(at, takes));
    const type = definition.gives ?? plans[1]?.type ?? 'number';
    return { kind: 'call', type, function: definition, args: plans };
  }

  /** A column as the text of its cells, to the last digit; anything else as it is written. */
  private asText(node: FormulaNode): Plan {
    if (node.kind === 'column') return this.read(this.columnOf(node).column, 'text');
    const plan = this.plan(node);
    return plan.type === 'text' ? plan : { kind: 'written', type: 'text', of: plan };
  }

  private read(column: number, as: FormulaType): Plan {
    let of = this.uses.findIndex(use => use.column === column && use.as === as);
    if (of < 0) of = this.uses.push({ column, as }) - 1;
    return { kind: 'column', type: as, of };
  }

  private columnOf(node: FormulaNode & { kind: 'column' }): { column: number; type: FormulaType } {
    const { name } = node;
    const [match, another] = this.columns.filter(column => column.name === name);
    if (!match) return fail({ kind: 'unknown-column', name }, node);
    if (another) return fail({ kind: 'several-columns', name }, node);
    if (match.isInvalid) return fail({ kind: 'invalid-column', name }, node);
    return { column: this.columns.indexOf(match), type: match.type };
  }
}
