/** How the values of a column are written where a format has types. */
export type WrittenType = 'number' | 'integer' | 'text';

export interface WrittenColumn {
  name: string;
  type: WrittenType;
}
