import type { LinkReport } from './linkEngine';
import type { TableGrowth, TableOptions, TableRequests, TableSummary, ViewSpec } from './tableEngine';

export type TableKind = 'objects' | 'aggregate' | 'file';

/** The page's strings, translated by the host; the keys are listed in ui/panels/pageStrings. */
export type PageStrings = Record<string, string>;

/** What the page may ask the engine about its own table; the panel puts the table's name in. */
export const tableQuestions = [
  'tableSummary',
  'tableView',
  'tableRows',
  'tablePosition',
  'tableCell',
  'tableFind',
  'tableStatistics',
  'tableHistogram',
  'tableDistinct',
  'tableGroup',
  'tableLevels',
  'tableTop',
  'tablePoints',
  'tableLasso',
  'tableRowSet',
  'tableDropSet',
  'tableSelection',
] as const satisfies readonly (keyof TableRequests)[];

export type TableQuestion = (typeof tableQuestions)[number];

export type TableQuestions = {
  [Q in TableQuestion]: {
    params: Omit<TableRequests[Q]['params'], 'table'>;
    result: TableRequests[Q]['result'];
  };
};

/** Which rows a table shows: what its filters let through. Null where there is no filter. */
export interface TableShown {
  view: ViewSpec;
  rowCount: number;
  total: number;
}

/** Rows chosen in another panel, as a set of the engine. */
export interface PickedRows {
  set: number;
  rows: number;
}

export interface TableStart {
  strings: PageStrings;
  kind: TableKind;
  title: string;
  table: TableSummary;
  /** Why not all of the table could be read, in words; what was read is shown. */
  failed?: string;
  /** Made of several jobs' tables: there are no masks to it. */
  joined?: true;
  link?: LinkReport;
  /** The row pointed at or selected when the page arrived late. */
  hovered: number | null;
  selected: number | null;
  /** Rows chosen on the masks. */
  picked?: PickedRows;
}

/** What the panel offers the table page. */
export interface TablePanelSide {
  requests: TableQuestions & {
    /** Answered at once, before `start`: a page needs words to say that it is opening, or that it failed. */
    strings: { params: Record<string, never>; result: PageStrings };
    /** First message of a page; answered when there is something to show, or with the error to show. */
    start: { params: Record<string, never>; result: TableStart };
    copy: { params: { text: string }; result: Record<string, never> };
    /** A failure the user may try to mend: asks the panel to open its file again. */
    retry: { params: Record<string, never>; result: TableStart };
    /** Reads the file anew, as the user says it is written, and then loads the page anew. */
    reopen: { params: Pick<TableOptions, 'delimiter' | 'decimalComma'>; result: Record<string, never> };
    /** Asks for a place and writes the view there as CSV; null when the user thought better of it. */
    saveView: {
      params: ViewSpec & { columns: number[] };
      result: { saved: { name: string; rows: number } | null };
    };
    /** Asks for a place and writes a plot there. */
    savePlot: {
      params: { name: string; type: 'png' | 'svg'; data: ArrayBuffer };
      result: { saved: { name: string } | null };
    };
    /** Matches rows to objects by the columns given. */
    relink: { params: { imageColumn: number; idColumn: number }; result: LinkReport };
  };
  events: {
    /**
     * What the panel wants back after a reload, as JSON: the page keeps it as `keep` in its state, which VS Code hands to
     * the serializer.
     */
    keep: unknown;
    progress: { done: number; total: number; text: string };
    /** More rows were read, or reading ended; `failed` says in words why it ended early. */
    grew: Omit<TableGrowth, 'failure' | 'table'> & { failed?: string };
    link: LinkReport;
    /** File row under the pointer in another panel, or none. */
    hovered: number | null;
    /** File row selected in another panel: mark it and bring it into view. */
    selected: number | null;
    /** Rows chosen on the masks: they become a filter. */
    picked: PickedRows;
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
    /** The filters changed; null when there are none. */
    filtered: TableShown | null;
    /** Asks for the masks panel of the same result. */
    showMasks: Record<string, never>;
    /** Something broke in the page; for the log. */
    failure: { message: string };
  };
}
