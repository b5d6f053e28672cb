/** A condition on rows, as protocol/tableEngine has it; said again here because results do not know the protocol. */
export type RowFilter =
  | { kind: 'range'; column: number; from: number | null; to: number | null }
  | { kind: 'values'; column: number; values: string[]; missing?: boolean; exclude?: boolean }
  | {
      kind: 'text';
      column: number;
      match: 'contains' | 'equals' | 'regex';
      text: string;
      caseSensitive?: boolean;
      exclude?: boolean;
    }
  | { kind: 'missing'; column: number; missing: boolean }
  | { kind: 'rowSet'; set: number; exclude?: boolean };
