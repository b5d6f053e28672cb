import { t } from '../../pages/page/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { rovingFocus } from '../../pages/page/widgets/rovingFocus';
import { Button, Icon } from '../../pages/page/widgets/parts';
import type { LaterScript } from '../../pages/page/laterScript';
import { Later } from '../../pages/page/widgets/later';
import { ConstantLine } from './controls/constantColumns';
import { FilterChips } from './controls/filterChips';
import { StatusLine } from './controls/statusLine';
import { Toolbar } from './controls/tableToolbar';
import { GroupsPart } from './groups/groupsPart';
import type { LaterParts } from './laterParts';
import type { TableStore } from './state/tableStore';

interface ViewProps {
  store: TableStore;
}

interface TableViewProps extends ViewProps {
  nonce: string;
  later: LaterScript<LaterParts>;
}

/** The table page from top to bottom. */
export function TableView({ store, nonce, later }: TableViewProps) {
  return (
    <>
      <Toolbar store={store} />
      <section class="filter-row" aria-label={t({ message: 'Filters', comment: 'Noun' })} ref={rove}>
        <FilterChips store={store} />
        <ConstantLine store={store} />
      </section>
      <div class="table-middle">
        <Sides store={store} later={later} />
        <div class="table-room">
          <Body store={store} nonce={nonce} later={later} />
          {overRowsOf(store).map(({ label, isOpen, content }) => (
            <Later
              key={label}
              script={later}
              isNeeded={isOpen.value}
              meanwhile={message => (
                <main class="over-rows" aria-label={label}>
                  {message}
                </main>
              )}
            >
              {({ added }) => content(added)}
            </Later>
          ))}
        </div>
      </div>
      <StatusLine store={store} />
      <div class="visually-hidden" role="status" aria-live="polite">
        {store.messages.said}
      </div>
    </>
  );
}

/** Side parts of other subjects, to the left. */
function Sides({ store: { additions }, later }: Omit<TableViewProps, 'nonce'>) {
  const sides = additions.flatMap(({ side }) => side ?? []);
  return (
    <>
      {sides.map(
        ({ name, isOpen, width, content }) =>
          isOpen.value && (
            <aside key={name} class="table-side" aria-label={name} style={{ width: `${width.value}px` }}>
              <Later script={later} isNeeded meanwhile={message => message}>
                {({ added }) => content(added)}
              </Later>
            </aside>
          ),
      )}
    </>
  );
}

function overRowsOf({ additions }: TableStore) {
  return additions.flatMap(({ overRows }) => overRows ?? []);
}

function rove(row: HTMLElement | null): void {
  if (row) rovingFocus(row);
}

/** The rows, groups and drawer, which share the space. */
function Body({ store, nonce, later }: TableViewProps) {
  const { groups, drawer, tabs } = store;
  const beside = groups.isOpen.value && groups.place.value.where === 'beside';
  const classes = [
    'table-body',
    drawer?.isRight.value && 'drawer-right',
    tabs.front.value && 'has-tabs',
    tabs.front.value && `front-${tabs.front.value}`,
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
      inert={overRowsOf(store).some(({ isOpen }) => isOpen.value)}
      ref={root}
    >
      {tabs.front.value && (
        <section class="body-tabs" aria-label={t('Table, groups and plots')}>
          <Later script={later} isNeeded meanwhile={content => content}>
            {({ BodyTabsBar, added }) => <BodyTabsBar store={store} added={added} />}
          </Later>
        </section>
      )}
      <Main store={store} />
      <GroupsPart store={store}>
        <Later script={later} isNeeded={groups.isOpen.value} meanwhile={content => content}>
          {({ GroupsContent, added }) => <GroupsContent store={store} nonce={nonce} added={added} />}
        </Later>
      </GroupsPart>
      {drawer?.place(
        <Later script={later} isNeeded={drawer.isOpen.value} meanwhile={content => content}>
          {({ added }) => drawer.content(added)}
        </Later>,
      )}
    </div>
  );
}

/** The place of the grid, its first child, and of a message if no rows can be shown. */
function Main({ store: { body, table } }: ViewProps) {
  const message = body.message.value;
  const hasNoMatches = body.hasGrid.value && table.rowCount === 0;
  return (
    <main class={hasNoMatches ? 'table-main nothing' : 'table-main'} id="rows">
      {message?.kind === 'empty' && (
        <Message
          icon="table"
          title={message.text === 'noRows' ? t('No rows') : t('The file is empty')}
          hint={
            message.text === 'noRows'
              ? t('The table has a header but no rows: nothing was found or measured.')
              : t('The file has no header and no rows.')
          }
        />
      )}
      {message?.kind === 'failure' && (
        <div class="page-message failed" key={message.attempt}>
          <Icon name="error" />
          <h2>{t("Couldn't show this result")}</h2>
          <p class="page-message-text" role="alert">
            {message.reason}
          </p>
          <Button primary onClick={message.retry}>
            {t('Try Again')}
          </Button>
        </div>
      )}
      {hasNoMatches && (
        <Message
          icon="filter"
          title={t('No rows match the filters')}
          hint={t('Remove a filter above to show rows again.')}
        />
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
