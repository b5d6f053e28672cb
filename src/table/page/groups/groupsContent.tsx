import { t } from '../../../pages/page/l10n';
import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { columnName } from '../../../pages/page/columnName';
import { joinsImages } from '../../../columns/rowColumns';
import { Button, IconButton } from '../../../pages/page/widgets/parts';
import type { AddedLater } from '../addedLater';
import type { LoadedGroups } from '../state/groupsModel';
import type { TableStore } from '../state/tableStore';
import { GroupKeyPickers, openGroupOptions } from './groupOptions';
import { GroupsGrid } from './groupsGrid';

interface GroupsProps {
  store: TableStore;
  nonce: string;
  added: AddedLater;
}

type ActionProps = Omit<GroupsProps, 'nonce'>;

/** Statistics of groups, as a separate table. */
export function GroupsContent({ store, nonce, added }: GroupsProps) {
  return (
    <>
      <Head store={store} added={added} />
      <Body store={store} nonce={nonce} />
    </>
  );
}

/** The columns to group by, a note, and actions. */
function Head({ store, added }: ActionProps) {
  const { tabs } = store;
  const hasTab = tabs.parts.value.includes('groups');
  return (
    <div class="groups-head">
      {!hasTab && <h2>{t('Groups')}</h2>}
      <GroupKeyPickers store={store} />
      {!hasTab && <Options store={store} added={added} />}
      <Note store={store} />
      {!hasTab && (
        <span class="groups-actions">
          <Output store={store} />
          <IconButton icon="close" label={t('Close Groups')} onClick={() => store.leaveGroups()} />
        </span>
      )}
    </div>
  );
}

/** Actions on groups, beside their tab. */
export function GroupActions({ store, added }: ActionProps) {
  return (
    <>
      <Options store={store} added={added} />
      <Output store={store} />
    </>
  );
}

function Options({ store, added }: ActionProps) {
  return (
    <IconButton
      icon="settings"
      label={t('Columns and Statistics')}
      onClick={({ currentTarget }) => openGroupOptions(store, added, currentTarget)}
    />
  );
}

function Output({ store: { groups } }: Pick<GroupsProps, 'store'>) {
  const isEmpty = groups.content.value?.kind !== 'groups';
  return (
    <>
      <IconButton
        icon="copy"
        label={t('Copy Groups')}
        disabled={isEmpty}
        onClick={() => void groups.copy()}
      />
      <IconButton
        icon="save"
        label={t('Save Groups as CSV…')}
        disabled={isEmpty}
        onClick={() => void groups.save()}
      />
    </>
  );
}

/** The number of groups, and what they leave out. */
function Note({ store: { groups, table } }: Pick<GroupsProps, 'store'>) {
  const content = groups.content.value;
  const { columns } = table.table;
  const words = (loaded: LoadedGroups) => {
    const { total, areFiltered, isPartial, notes, excludedImages, infinite, view } = loaded;
    return [
      areFiltered
        ? t.count(total, '1 group of the filtered rows.', '{0} groups of the filtered rows.')
        : t.count(total, '1 group of all rows.', '{0} groups of all rows.'),
      isPartial && t('More rows are being loaded.'),
      excludedImages > 0 &&
        t.count(excludedImages, 'Without 1 excluded image.', 'Without {0} excluded images.'),
      table.statisticsAreNarrower && t('Image rows only.'),
      joinsImages(view.by, columns) &&
        t('Images of one path in several jobs are one group. Group by the job too to tell them apart.'),
      groups.selection.hasGroup && t('The table shows only the selected group.'),
      ...notes,
      ...view.measures.map((measure, at) => {
        const count = infinite[at] ?? 0;
        return (
          count > 0 &&
          t.count(
            count,
            '{1}: 1 infinite value is in no mean and no SD.',
            '{1}: {0} infinite values are in no mean and no SD.',
            groups.nameOf(measure),
          )
        );
      }),
      ...view.measures
        .filter(measure => typeof measure === 'number')
        .filter(column => columns[column]?.isRounded)
        .map(column =>
          t('{0} has integers beyond 2⁵³. Plots and statistics round them.', columnName(columns, column)),
        ),
    ];
  };
  const shown = content?.kind === 'groups' ? words(content.groups).filter(Boolean).join(' ') : '';
  return (
    <p class="groups-note" role="status" title={shown}>
      {shown}
    </p>
  );
}

/** The groups, or why there are none. A focused element that is replaced passes on the focus. */
function Body({ store, nonce }: Omit<GroupsProps, 'added'>) {
  const { groups } = store;
  const content = groups.content.value;
  const body = useRef<HTMLDivElement>(null);
  const hadFocus = body.current?.contains(document.activeElement) === true;
  const kind = content?.kind;
  useLayoutEffect(() => {
    if (kind !== 'groups') groups.measured();
    if (kind === 'failure' && hadFocus) body.current?.querySelector('button')?.focus();
  }, [content]);
  return (
    <div class="groups-body" ref={body}>
      {content?.kind === 'groups' && (
        <Grid
          key={content.groups.mark}
          store={store}
          nonce={nonce}
          loaded={content.groups}
          takesFocus={hadFocus}
        />
      )}
      {content?.kind === 'message' && <div class="groups-message">{content.words}</div>}
      {content?.kind === 'failure' && (
        <div class="groups-message">
          <span role="alert">{t("Couldn't group the rows: {0}", content.reason)}</span>
          <Button onClick={() => groups.load(true)}>{t('Try Again')}</Button>
        </div>
      )}
    </div>
  );
}

interface GridProps extends Omit<GroupsProps, 'added'> {
  loaded: LoadedGroups;
  takesFocus: boolean;
}

/** The grid of the groups. It is made once for the same columns. */
function Grid({ store: { groups, messages, table }, nonce, loaded, takesFocus }: GridProps) {
  const root = useRef<HTMLDivElement>(null);
  const grid = useRef<GroupsGrid | undefined>(undefined);
  const isFirst = useRef(true);
  const measure = () => {
    const head = headOf(root.current);
    const height = grid.current?.contentHeight;
    if (head && height !== undefined) groups.measured(head.offsetHeight + height + 1);
  };
  useLayoutEffect(() => {
    if (!root.current) return undefined;
    const { order } = groups.state.peek();
    const newGrid = new GroupsGrid({
      root: root.current,
      nonce,
      columns: loaded.columns,
      order,
      first: loaded,
      firstPosition: groups.takeFirst(),
      onScroll: position => groups.scrolled(position),
      onOrder: groupOrder => groups.sort(groupOrder),
      fetch: (start, end, groupOrder) => groups.fetch(start, end, groupOrder),
      onHeight: measure,
      onFailure: error => messages.failed(t.later("Couldn't group the rows: {0}"), error),
      onGroup: row => void groups.selection.toggle(row),
      onEscape: () => groups.selection.clear(),
      isSelected: row => groups.selection.isSelected(row),
    });
    grid.current = newGrid;
    if (takesFocus) void newGrid.focus();
    const head = headOf(root.current);
    const resized = new ResizeObserver(measure);
    if (head) resized.observe(head);
    return () => {
      resized.disconnect();
      newGrid.dispose();
    };
  }, []);
  useLayoutEffect(() => {
    if (!isFirst.current) grid.current?.show(loaded, loaded.columns);
    isFirst.current = false;
    measure();
  }, [loaded]);
  useSignalEffect(() => {
    void table.filters;
    grid.current?.selectionChanged();
  });
  return <div class="table-grid groups-grid" ref={root} />;
}

/** The head above the grid, whose height is part of the groups' height. */
function headOf(grid: HTMLElement | null): HTMLElement | null | undefined {
  return grid?.closest('.groups-part')?.querySelector<HTMLElement>('.groups-head');
}
