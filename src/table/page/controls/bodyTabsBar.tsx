import { t } from '../../../pages/page/l10n';
import type { TargetedKeyboardEvent } from 'preact';
import { Icon, IconButton } from '../../../pages/page/widgets/parts';
import type { AddedLater } from '../addedLater';
import { GroupActions } from '../groups/groupsContent';
import type { BodyPart } from '../state/bodyTabs';
import type { TableStore } from '../state/tableStore';

interface BarProps {
  store: TableStore;
  added: AddedLater;
}

/** Tabs of rows, groups and plots, if only one fits, and the actions of the one in front. */
export function BodyTabsBar({ store, added }: BarProps) {
  const { tabs, drawer } = store;
  const front = tabs.front.value;
  const parts = tabs.parts.value;
  const names: Record<BodyPart, string> = {
    rows: t('Table'),
    groups: t('Groups'),
    plots: drawer?.name ?? '',
  };
  const icons: Record<BodyPart, string> = {
    rows: 'table',
    groups: 'group-by-ref-type',
    plots: drawer?.icon ?? '',
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>) => {
    const index = parts.indexOf(front ?? 'rows');
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: parts.length - 1 }[event.key];
    const part = target === undefined ? undefined : parts[(target + parts.length) % parts.length];
    if (part === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    tabs.show(part);
    event.currentTarget.querySelector<HTMLElement>(`[aria-controls="${part}"]`)?.focus();
  };
  return (
    <>
      <div
        role="tablist"
        class="body-tablist"
        aria-label={t('Table, groups and plots')}
        onKeyDown={onKeyDown}
      >
        {parts.map(part => (
          <button
            key={part}
            type="button"
            role="tab"
            class="body-tab"
            aria-selected={part === front}
            aria-controls={part}
            aria-label={names[part]}
            title={names[part]}
            tabIndex={part === front ? 0 : -1}
            onClick={() => tabs.show(part)}
          >
            <Icon name={icons[part]} />
            <span class="tab-words">{names[part]}</span>
          </button>
        ))}
      </div>
      <span class="toolbar-gap" />
      {front === 'groups' && <GroupActions store={store} added={added} />}
      {front === 'plots' && drawer?.actions(added)}
      {front !== 'rows' && (
        <IconButton
          icon="close"
          label={front === 'plots' && drawer ? drawer.closeWords : t('Close Groups')}
          onClick={() => tabs.close()}
        />
      )}
    </>
  );
}
