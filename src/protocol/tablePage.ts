import type { LinkReport } from './linkEngine';
import type { SortKey, TableSummary } from './tableEngine';

export type TableKind = 'objects' | 'aggregate' | 'file';

/** The page's strings, translated by the host; the keys are listed in ui/panels/pageStrings. */
export type PageStrings = Record<string, string>;

export interface TableStart {
  strings: PageStrings;
  kind: TableKind;
  title: string;
  table: TableSummary;
  link?: LinkReport;
  /** The row pointed at or selected when the page arrived late. */
  hovered: number | null;
  selected: number | null;
}

/** What the panel offers the table page. */
export interface TablePanelSide {
  requests: {
    /** Answered at once, before `start`: a page needs words to say that it is opening, or that it failed. */
    strings: { params: Record<string, never>; result: PageStrings };
    /** First message of a page; answered when there is something to show, or with the error to show. */
    start: { params: Record<string, never>; result: TableStart };
    rows: {
      params: { start: number; end: number; sort: SortKey[] };
      result: { rows: string[][]; fileRows: number[] };
    };
    position: { params: { row: number; sort: SortKey[] }; result: { position: number } };
    copy: { params: { text: string }; result: Record<string, never> };
    /** A failure the user may try to mend: asks the panel to open its file again. */
    retry: { params: Record<string, never>; result: TableStart };
  };
  events: {
    /**
     * What the panel wants back after a reload, as JSON: the page keeps it as `keep` in its state, which VS Code hands to
     * the serializer.
     */
    keep: unknown;
    progress: { done: number; total: number; text: string };
    link: LinkReport;
    /** File row under the pointer in another panel, or none. */
    hovered: number | null;
    /** File row selected in another panel: mark it and bring it into view. */
    selected: number | null;
  };
}

/** What the table page tells its panel. */
export interface TablePageSide {
  requests: Record<string, never>;
  events: {
    hover: number | null;
    select: number | null;
    /** The first rows are on the screen. */
    shown: Record<string, never>;
    /** Asks for the masks panel of the same result. */
    showMasks: Record<string, never>;
    /** Something broke in the page; for the log. */
    failure: { message: string };
  };
}
