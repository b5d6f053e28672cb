import { RpcEndpoint } from '../../protocol/rpc';
import type { TablePageSide, TablePanelSide, TableStart } from '../tablePage';
import { LaterScript } from '../../pages/page/laterScript';
import { addStyle, openPage, scriptNonce } from '../../pages/page/openPage';
import { EARLY_REQUESTS, type EarlyRequests } from '../../pages/earlyRequests';
import { PagePort, type SavedState } from '../../pages/page/pagePort';
import type { TableContribution } from './contribution';
import type { LaterParts } from './laterParts';
import { TableStore } from './state/tableStore';
import { showTablePage } from './tablePage';
import { currentTableView, fittingView, type SavedPart, type TableViewState } from './tableViewState';
import sharedCss from '../../pages/page/shared.css';
import tableCss from './table.css';
import dividerCss from '../../pages/page/widgets/divider.css';
import groupsCss from './groups/groups.css';
import headerCss from './grid/header.css';
import rangeBrushCss from '../../pages/page/widgets/rangeBrush.css';
import cellsCss from './grid/cells.css';
import barsCss from './controls/bars.css';
import popoverCss from '../../pages/page/widgets/popover.css';
import popoversCss from './controls/popovers.css';

const nonce = scriptNonce();
// The order matters: later rules override earlier ones.
addStyle(nonce, sharedCss, tableCss, dividerCss, groupsCss);
const styleOfParts = addStyle(nonce);
addStyle(nonce, headerCss, rangeBrushCss, cellsCss, barsCss, popoverCss, popoversCss);
/** The page's script: opens the table and shows it, with contributions of other subjects. */
export function openTablePage(contributions: readonly TableContribution[]): void {
  const saved = contributions.flatMap(contribution => contribution.saved ?? []);
  // Requests that the HTML has sent before this script was loaded.
  const { earlyRequests } = globalThis as typeof globalThis & {
    earlyRequests?: EarlyRequests<ReturnType<typeof acquireVsCodeApi<SavedState<TableViewState>>>>;
  };
  const api = earlyRequests?.api ?? acquireVsCodeApi<SavedState<TableViewState>>();
  const port = new PagePort<TableViewState>(api, view => currentTableView(view, saved), earlyRequests);
  const panel = new RpcEndpoint<TablePageSide, TablePanelSide>(port, {}, earlyRequests ? EARLY_REQUESTS : []);
  // Only now does the panel know that the script is loaded.
  panel.send('loaded', {});
  const later = new LaterScript<LaterParts>({
    request: async attempt => {
      const address = new URL(`tableParts.js${attempt > 0 ? `?${attempt}` : ''}`, import.meta.url);
      const { laterParts } = (await import(address.href)) as { laterParts: LaterParts };
      styleOfParts.textContent = laterParts.style;
      return laterParts;
    },
    onFailure: error => panel.send('failure', { message: String(error) }),
  });
  // The later script is loaded along with the rows if a part is open that needs it.
  if (port.view.groups?.open || saved.some(part => part.isOpen(port.view))) later.begin();
  const root = document.getElementById('root');
  if (root) void run({ root, port, panel, later, contributions, saved });
}

interface Opening {
  root: HTMLElement;
  port: PagePort<TableViewState>;
  panel: RpcEndpoint<TablePageSide, TablePanelSide>;
  later: LaterScript<LaterParts>;
  contributions: readonly TableContribution[];
  saved: readonly SavedPart[];
}

/** Opens the table and shows it. */
async function run(opening: Opening): Promise<void> {
  const { root, port, panel } = opening;
  const growth: TablePanelSide['events']['growth'][] = [];
  const earlyGrowth = panel.on('growth', value => growth.push(value));
  const start = await openPage<TableStart>(root, panel, port);
  earlyGrowth.dispose();
  await show(opening, start, growth);
}

/** Shows the page of an open table. `early`: growth reported before that. */
async function show(
  { root, port, panel, later, contributions, saved }: Opening,
  start: TableStart,
  early: TablePanelSide['events']['growth'][],
): Promise<void> {
  const view = fittingView(port.view, start.table, start.selectedRows?.set, saved);
  port.updateView(view);
  const store = new TableStore({
    ...{ start, view, port, panel, contributions },
    loadLater: async () => (await later.load()).added,
  });
  // A report that is older than the start, as the table was read further since, lacks columns that
  // were added.
  const newer = early.filter(({ rowCount, done }) => done || rowCount > start.table.rowCount);
  for (const growth of start.table.reading ? newer : []) await store.grow(growth);
  panel.on('growth', growth => void store.grow(growth));
  const undoable = contributions.flatMap(({ undo }) => undo ?? []);
  await showTablePage({ root, nonce, store, start, port, panel, later, view, undoable });
}
