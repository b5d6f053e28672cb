import { t } from '../../../pages/page/l10n';
import type { ComponentChildren } from 'preact';
import { Divider } from '../../../pages/page/widgets/divider';
import { CLOSED_GROUPS } from '../state/groupsState';
import type { TableStore } from '../state/tableStore';

interface GroupsProps {
  store: TableStore;
}

/** The place of the groups: below the rows, or beside plots that are below as well. */
export function GroupsPart({ store, children }: GroupsProps & { children: ComponentChildren }) {
  const { groups, tabs } = store;
  const place = groups.place.value;
  const { size } = place;
  const where = tabs.parts.value.includes('groups') ? 'over' : place.where;
  const isOpen = groups.isOpen.value;
  return (
    <section
      class="groups-part"
      id="groups"
      aria-label={t('Groups')}
      hidden={!isOpen}
      aria-busy={groups.isBusy.value || undefined}
      style={{
        height: where === 'below' ? `${size}px` : '',
        width: isOpen && where === 'beside' ? `${size}px` : '',
      }}
    >
      <Handle store={store} />
      {children}
    </section>
  );
}

/** The divider that resizes the groups. */
function Handle({ store: { groups, tabs } }: GroupsProps) {
  const place = groups.place.value;
  const resize = (size: number | undefined) => {
    const { width, height } = CLOSED_GROUPS;
    groups.resize(size ?? (groups.place.peek().where === 'beside' ? width : height));
  };
  return (
    <Divider
      label={t('Size of the groups')}
      controls="groups"
      hidden={tabs.parts.value.includes('groups')}
      beside={groups.isOpen.value && place.where === 'beside'}
      place={place}
      resize={resize}
    />
  );
}
