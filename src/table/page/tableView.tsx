import { rovingFocus } from '../../pages/page/widgets/rovingFocus';
import { ConstantLine } from './controls/constantColumns';
import { FilterChips } from './controls/filterChips';
import { StatusLine } from './controls/statusLine';
import { Toolbar } from './controls/tableToolbar';
import type { TableStore } from './state/tableStore';
import type { TableDrawers } from './tableDrawers';

interface TableViewProps {
  store: TableStore;
  drawers: TableDrawers;
  /** Fills the middle of the page, which isn't a function of the store yet. Always the same function. */
  fillBody: (body: HTMLElement | null) => void;
}

/** The table page from top to bottom. */
export function TableView({ store, drawers, fillBody }: TableViewProps) {
  return (
    <>
      <Toolbar store={store} drawers={drawers} />
      <section class="filter-row" aria-label={store.text.get('filters')} ref={rove}>
        <FilterChips store={store} />
        <ConstantLine store={store} />
      </section>
      <div class="table-body" ref={fillBody} />
      <StatusLine store={store} />
      <div class="visually-hidden" role="status" aria-live="polite">
        {store.messages.said}
      </div>
    </>
  );
}

function rove(row: HTMLElement | null): void {
  if (row) rovingFocus(row);
}
