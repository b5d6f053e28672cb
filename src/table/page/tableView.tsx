import { useLayoutEffect, useRef } from 'preact/hooks';
import { ImageColumnsPart } from '../../conditions/page/imageColumnsPart';
import { rovingFocus } from '../../pages/page/widgets/rovingFocus';
import { Button, Icon } from '../../pages/page/widgets/parts';
import { ComparePart, type ComparePartProps } from '../../conditions/page/comparePart';
import { PlotsPart } from '../../plots/page/plotsPart';
import { ConstantLine } from './controls/constantColumns';
import { FilterChips } from './controls/filterChips';
import { NamedFiltersButton } from './controls/namedFilters';
import { StatusLine } from './controls/statusLine';
import { Toolbar } from './controls/tableToolbar';
import { GroupsPart } from './groups/groupsPart';
import type { TableStore } from './state/tableStore';

interface ViewProps {
  store: TableStore;
}

interface TableViewProps extends ViewProps {
  nonce: string;
  compareActions: ComparePartProps['actions'];
}

/** The table page from top to bottom. */
export function TableView({ store, nonce, compareActions }: TableViewProps) {
  return (
    <>
      <Toolbar store={store} />
      <section class="filter-row" aria-label={store.text.get('filters')} ref={rove}>
        <FilterChips store={store} />
        <NamedFiltersButton store={store} />
        <ConstantLine store={store} />
      </section>
      <div class="table-room">
        <Body store={store} nonce={nonce} />
        <ImageColumnsPart images={store.images} text={store.text} />
        <ComparePart
          compare={store.compare}
          text={store.text}
          source={store.table}
          actions={compareActions}
        />
      </div>
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

/** The rows, and the groups and plots that share their room. */
function Body({ store, nonce }: Omit<TableViewProps, 'compareActions'>) {
  const { groups, plots: drawer } = store;
  const { where } = drawer.place.value;
  const beside = groups.isOpen.value && groups.place.value.where === 'beside';
  const classes = [
    'table-body',
    where === 'right' && 'drawer-right',
    drawer.isOver.value && 'drawer-over',
    groups.isOver.value && 'groups-over',
    beside && 'groups-beside-plots',
  ];
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: body } = root;
    if (!body) return undefined;
    const measure = () => store.measured(body.clientWidth, body.clientHeight);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(body);
    return () => resized.disconnect();
  }, []);
  return (
    <div
      class={classes.filter(Boolean).join(' ')}
      style={{ '--groups-width': beside ? `${groups.place.value.size}px` : '0px' }}
      inert={store.images.isOpen.value || store.compare.state.value.open}
      ref={root}
    >
      <Main store={store} />
      <GroupsPart store={store} nonce={nonce} />
      <PlotsPart drawer={drawer} />
    </div>
  );
}

/** The place of the grid, which comes first in it, and a message where there are no rows to show. */
function Main({ store: { body, table, text } }: ViewProps) {
  const message = body.message.value;
  const hasNoMatches = body.hasGrid.value && table.rowCount === 0;
  return (
    <main class={hasNoMatches ? 'table-main nothing' : 'table-main'}>
      {message?.kind === 'empty' && (
        <Message icon="table" title={text.get(message.text)} hint={text.get(`${message.text}Hint`)} />
      )}
      {message?.kind === 'failure' && (
        <div class="page-message failed" key={message.attempt}>
          <Icon name="error" />
          <h2>{text.get('failed')}</h2>
          <p class="page-message-text" role="alert">
            {message.reason}
          </p>
          <Button primary onClick={message.retry}>
            {text.get('retry')}
          </Button>
        </div>
      )}
      {hasNoMatches && (
        <Message icon="filter" title={text.get('noMatches')} hint={text.get('noMatchesHint')} />
      )}
    </main>
  );
}

function Message({ icon, title, hint }: { icon: string; title: string; hint: string }) {
  return (
    <div class="page-message empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p class="page-message-text">{hint}</p>
    </div>
  );
}
