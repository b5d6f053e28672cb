import type { MissingReason } from './formulaFunctions';

/** What there is to say of the values of a computed column; what is zero is absent. */
export interface FormulaReport extends Partial<Record<MissingReason, number>> {
  rows: number;
  /**
   * Cells without a value: those of which an operand is missing, and those for the reasons that are
   * counted.
   */
  missing: number;
  infinite?: number;
  /** Numbers from 2⁵³ on: integers among them may be rounded. */
  large?: number;
  /** Columns with integers beyond 2⁵³, which are computed with as doubles. */
  rounded?: string[];
}
