import * as v from 'valibot';
import type { PageSettings } from '../host/settings';
import { imageLinkRequests, linkColumns, type LinkReport } from '../linking/rowLinks';
import { type SelectedRows, tableShown } from '../linking/shownRows';
import type { TableKind } from '../service/resultParts';
import { MAX_HEADER_ROWS, type TableGrowth, type TableSummary } from '../columns/tableSummary';
import { request, type EventsOf, type PageDeclaration, type RequestsOf } from '../protocol/declarations';
import type { TableMenuCommand } from '../protocol/menuCommands';
import type { PageStrings } from '../pages/pageTranslations';
import { copiedText, drawing, failure, fileName, index, nothing, text, texts } from '../protocol/schemas';
import { columns, viewFields } from '../columns/viewSchemas';
import { groupFields, tablePageRequests, type TablePageRequests } from '../columns/tableRequests';

/** Initial data of the page, with the table settings under their names (PageSettings). */
export interface TableStart extends PageSettings<'table'> {
  kind: TableKind;
  title: string;
  table: TableSummary;
  /** The first rows in the file's order. */
  first?: TablePageRequests['tableRows']['result'];
  /** Columns with one value in every row, if all rows were read. */
  constants?: TablePageRequests['tableConstants']['result']['constants'];
  /** Why the table was only partly read, as text. */
  failed?: string;
  /** Made of several jobs' tables: there are no masks to it. */
  joined?: true;
  /** Lengths and areas whose names say no unit are in pixels. */
  isInPixels?: true;
  /** Its rows are pairs of a comparison, which replaces masks. */
  ofPairs?: true;
  link?: LinkReport | undefined;
  /** The row hovered or selected before the page was ready. */
  hovered: number | null;
  selected: number | null;
  /** The selection was set since the result was opened: the saved one is outdated. */
  isSelectionSet?: true;
  /** Rows selected on the masks. */
  selectedRows?: SelectedRows | undefined;
}

const applyFilters = v.object({ view: v.object(viewFields), total: index });

/** A view whose filters the page will show, and how many rows the table has. */
export type ApplyFilters = v.InferOutput<typeof applyFilters>;

/** Rows of a header. */
const headerRowCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_HEADER_ROWS));

/** All messages of the table page, besides other subjects'. */
export const tablePage = {
  passedOn: tablePageRequests,

  requests: {
    ...imageLinkRequests,
    /**
     * Resolves at once, before `start`: the page needs texts for its opening and failures. Sent
     * with it.
     */
    strings: request(nothing).resolvesTo<PageStrings>(),
    /** Resolves when there is something to show, rejects with the error to show. */
    start: request(nothing).resolvesTo<TableStart>(),
    /** A failure the user may be able to fix: opens the file again. */
    retry: request(nothing).resolvesTo<TableStart>(),
    copy: request(v.object({ text: copiedText })).resolvesTo<Record<string, never>>(),
    /** Reads the file again in the format that the user chose, and then reloads the page. */
    reopen: request(
      v.object({
        delimiter: v.optional(text),
        decimalComma: v.optional(v.boolean()),
        header: v.optional(v.object({ skipped: index, rows: headerRowCount })),
      }),
    ).resolvesTo<Record<string, never>>(),
    /** Lets the user select where to save the view and writes it there as CSV; null on Esc. */
    saveView: request(v.object({ ...viewFields, columns })).resolvesTo<{
      saved: { name: string; rows: number } | null;
    }>(),
    /**
     * Lets the user select a file for a view's groups, and writes CSV with a header; null on Esc.
     */
    saveGroups: request(v.object({ ...viewFields, ...groupFields, header: texts })).resolvesTo<{
      saved: { name: string; groups: number } | null;
    }>(),
    /** Lets the user select where to save a plot and writes it there; null on Esc. */
    savePlot: request(
      v.object({ name: fileName, type: v.picklist(['png', 'svg']), data: drawing }),
    ).resolvesTo<{
      saved: { name: string } | null;
    }>(),
    /** Counts the rows of a view that the page will show then; other panels may show it before. */
    applyFilters: request(applyFilters).resolvesTo<{ rowCount: number }>(),
    /** Matches rows to objects by the given columns, which are stored; null finds columns again. */
    relink: request(v.object({ columns: v.nullable(linkColumns) })).resolvesTo<LinkReport>(),
  },

  events: {
    /** File row under the pointer. */
    hover: v.nullable(index),
    /** File row selected. */
    select: v.nullable(index),
    /** The saved selected file row, if nothing was selected since. */
    selectedBefore: index,
    /** The page's script has come. */
    loaded: nothing,
    /** The first rows are on the screen. */
    shown: nothing,
    /** The filters changed; null when there are none. */
    filtered: v.nullable(tableShown),
    /** Opens the masks panel of the same result. */
    showMasks: nothing,
    /** An error in the page; for the log. */
    failure,
  },
};

/**
 * Requests of other subjects: each declares its name. A part that
 * src/workbench/editor/tablePanelParts.ts lacks doesn't compile.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedToPanel {}

/** Events that subjects send to the page. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedPanelEvents {}

type RequestsOfEach = {
  [N in keyof AddedToPanel]: AddedToPanel[N] extends Pick<PageDeclaration, 'passedOn' | 'requests'>
    ? (requests: RequestsOf<AddedToPanel[N]['passedOn'] & AddedToPanel[N]['requests']>) => void
    : never;
}[keyof AddedToPanel];

/** The requests of all subjects together. */
type AddedRequests = [RequestsOfEach] extends [(requests: infer All) => void] ? All : never;

/** Messages of the table page to its panel. */
export interface TablePageSide {
  requests: Record<string, never>;
  events: EventsOf<typeof tablePage.events>;
}

/** The panel's side for the table page. */
export interface TablePanelSide {
  requests: TablePageRequests & AddedRequests & RequestsOf<typeof tablePage.requests>;
  events: Pick<AddedPanelEvents, keyof AddedPanelEvents> & {
    /**
     * State for reopening the panel after a reload, as JSON: the page saves it as `keep` in its
     * state, which VS Code passes to the serializer.
     */
    panelState: unknown;
    progress: { done: number; total: number; text: string };
    /** More rows were read, or reading ended; `failed` is the sentence why it ended early. */
    growth: Omit<TableGrowth, 'failure' | 'table'> & { failed?: string };
    link: LinkReport;
    /** Columns outside the file were added, removed or changed: the current table. */
    extended: { table: TableSummary };
    /** File row under the pointer in another panel, or none. */
    hovered: number | null;
    /** File row selected in another panel: mark it and scroll it into view. */
    selected: number | null;
    /** Rows selected on the masks: they become a filter. */
    selectedRows: SelectedRows;
    /** An entry of the context menu that the page opened was selected. */
    menuCommand: { command: TableMenuCommand };
  };
}
