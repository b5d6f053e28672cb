/** The fields of a record: the first ones are whole numbers, in the order of `RecordFields.numbers`. */
export const enum Field {
  /** Four of them: x1, y1, x2, y2. */
  Box,
  Height = 4,
  Width,
  Id,
  Score,
  Counts,
  ClassName,
  /** Any other member; skipped. */
  Other,
}

/** The fields of the record read last; NaN and −1 where one is missing. One object for all records, so that none is made for each. */
export class RecordFields {
  /** x1, y1, x2, y2 of its box; height and width of its mask; its ID. */
  readonly numbers = new Float64Array(7);
  score = NaN;
  /** Where the run lengths and the class name are among the bytes. */
  countsStart = -1;
  countsEnd = -1;
  classStart = -1;
  classEnd = -1;

  clear(): void {
    const { numbers } = this;
    for (let field = 0; field < numbers.length; field++) numbers[field] = NaN;
    this.score = NaN;
    this.countsStart = this.classStart = -1;
  }
}
