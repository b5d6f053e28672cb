/** How a column is read while scanning: not at all, as numbers, or as codes of texts. */
export const SKIP = 0;
export const NUMBER = 1;
export const TEXT = 2;

/** Low word of the NaN that stands for a missing number: how the cell is missing. */
export const MISSING_CODES = { empty: 1, NA: 2, NaN: 3, null: 4, other: 5, absent: 6 } as const;
/** Low word of the NaN of a cell that is text in a column of numbers. */
export const TEXT_CODE = 7;
/** High word of those NaNs. */
export const MISSING_HIGH = 0x7ff8_0000;
