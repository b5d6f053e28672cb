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
  /** Why only a part of the table was read, as text. */
  failed?: string;
  /** Whether the table is made of several jobs' tables, and so has no masks. */
  joined?: true;
  /** Whether lengths and areas are in pixels if their names have no unit. */
  isInPixels?: true;
  /** Whether rows are pairs of a comparison, which is shown in place of masks. */
  ofPairs?: true;
  link?: LinkReport | undefined;
  /** The row hovered before the page was ready. */
  hovered: number | null;
  /** The row selected before the page was ready. */
  selected: number | null;
  /**
   * Whether the selection was set since the result was opened: the page's saved one is outdated.
   */
  isSelectionSet?: true;
  /** Rows selected on the masks. */
  selectedRows?: SelectedRows | undefined;
}

const applyFilters = v.object({ view: v.object(viewFields), total: index });

/** A view whose filters the page will show, and the number of rows of the table. */
export type ApplyFilters = v.InferOutput<typeof applyFilters>;

/** Number of rows of a header. */
const headerRowCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_HEADER_ROWS));

/** All messages of the table page, without those of other subjects. */
export const tablePage = {
  passedOn: tablePageRequests,

  requests: {
    ...imageLinkRequests,
    /**
     * Resolves at once: the page needs these texts while `start` is pending, and if it fails. Sent
     * together with `start`.
     */
    strings: request(nothing).resolvesTo<PageStrings>(),
    /** Resolves when the table is open; rejects with the error to show. */
    start: request(nothing).resolvesTo<TableStart>(),
    /** Opens the file again after a failure that the user may have fixed. */
    retry: request(nothing).resolvesTo<TableStart>(),
    copy: request(v.object({ text: copiedText })).resolvesTo<Record<string, never>>(),
    /** Reads the file again in a format that the user chose, then reloads the page. */
    reopen: request(
      v.object({
        delimiter: v.optional(text),
        decimalComma: v.optional(v.boolean()),
        header: v.optional(v.object({ skipped: index, rows: headerRowCount })),
      }),
    ).resolvesTo<Record<string, never>>(),
    /** Lets the user select a file and writes the view to it as CSV; null on Esc. */
    saveView: request(v.object({ ...viewFields, columns })).resolvesTo<{
      saved: { name: string; rows: number } | null;
    }>(),
    /**
     * Lets the user select a file and writes the groups of a view to it as CSV with a header; null
     * on Esc.
     */
    saveGroups: request(v.object({ ...viewFields, ...groupFields, header: texts })).resolvesTo<{
      saved: { name: string; groups: number } | null;
    }>(),
    /** Lets the user select a file and writes a plot to it; null on Esc. */
    savePlot: request(
      v.object({ name: fileName, type: v.picklist(['png', 'svg']), data: drawing }),
    ).resolvesTo<{
      saved: { name: string } | null;
    }>(),
    /**
     * Counts the rows of a view that the page is about to show; other panels may show it earlier.
     */
    applyFilters: request(applyFilters).resolvesTo<{ rowCount: number }>(),
    /**
     * Links rows with objects by these columns, and stores the choice; null finds columns by name
     * again.
     */
    relink: request(v.object({ columns: v.nullable(linkColumns) })).resolvesTo<LinkReport>(),
  },

  events: {
    /** The file row under the pointer. */
    hover: v.nullable(index),
    /** The selected file row. */
    select: v.nullable(index),
    /** The selected file row of the saved view, if none was selected since the result opened. */
    selectedBefore: index,
    /** The page's script was loaded. */
    loaded: nothing,
    /** The first rows are on the screen. */
    shown: nothing,
    /** The filters changed; null without filters. */
    filtered: v.nullable(tableShown),
    /** Opens the masks panel of the same result. */
    showMasks: nothing,
    /** An error in the page, to be logged. */
    failure,
  },
};

/**
 * Requests of other subjects, declared by subject name. Every name must be in
 * src/workbench/editor/tablePanelParts.ts to compile.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedToPanel {}

/** Events that other subjects send to the page. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedPanelEvents {}

type RequestsBySubject = {
  [N in keyof AddedToPanel]: AddedToPanel[N] extends Pick<PageDeclaration, 'passedOn' | 'requests'>
    ? (requests: RequestsOf<AddedToPanel[N]['passedOn'] & AddedToPanel[N]['requests']>) => void
    : never;
}[keyof AddedToPanel];

/** The requests of all subjects together. */
type AddedRequests = [RequestsBySubject] extends [(requests: infer All) => void] ? All : never;

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
     * State for reopening the panel after a reload, as JSON. The page saves it as `keep` in its
     * state, which VS Code passes to the serializer.
     */
    panelState: unknown;
    progress: { done: number; total: number; text: string };
    /** More rows were read, or reading ended. `failed`: why it ended early, as a sentence. */
    growth: Omit<TableGrowth, 'failure' | 'table'> & { failed?: string };
    link: LinkReport;
    /** Columns outside the file were added, removed or changed. `table`: the current summary. */
    extended: { table: TableSummary };
    /** The file row under the pointer in another panel, or null. */
    hovered: number | null;
    /** The file row selected in another panel: mark it and scroll to it. */
    selected: number | null;
    /** Rows selected on the masks, which become a filter. */
    selectedRows: SelectedRows;
    /** A command of the context menu that the page opened. */
    menuCommand: { command: TableMenuCommand };
  };
}
