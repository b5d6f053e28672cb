import type { TablePopovers } from './controls/tablePopovers';
import { StatusLine } from './controls/statusLine';
import { Toolbar } from './controls/tableToolbar';
import type { TableStore } from './state/tableStore';
import type { TableDrawers } from './tableDrawers';

interface TableViewProps {
  store: TableStore;
  popovers: TablePopovers;
  drawers: TableDrawers;
  /** Fills the middle of the page, which isn't a function of the store yet. Always the same function. */
  fillBody: (body: HTMLElement | null) => void;
}

/** The table page from top to bottom. */
export function TableView({ store, popovers, drawers, fillBody }: TableViewProps) {
  return (
    <>
      <Toolbar store={store} popovers={popovers} drawers={drawers} />
      <div class="table-middle" ref={fillBody} />
      <StatusLine store={store} popovers={popovers} />
      <div class="visually-hidden" role="status" aria-live="polite">
        {store.messages.said}
      </div>
    </>
  );
}
