import { t } from '../../../pages/page/l10n';
import type { ComponentChildren } from 'preact';
import { Divider } from '../../../pages/page/widgets/divider';
import { INITIAL_GROUPS } from '../state/groupsState';
import type { TableStore } from '../state/tableStore';

interface GroupsProps {
  store: TableStore;
}

/**
 * The element that holds the groups. It is below the rows; if plots are there too, it is beside
 * them; without room for either, it is in a tab in place of the rows.
 */
export function GroupsPart({ store, children }: GroupsProps & { children: ComponentChildren }) {
  const { groups, tabs } = store;
  const place = groups.place.value;
  const { size } = place;
  const isTab = tabs.parts.value.includes('groups');
  const where = isTab ? 'over' : place.where;
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
  // Without a size, the groups get their initial one.
  const resize = (size: number | undefined) => {
    const { width, height } = INITIAL_GROUPS;
    groups.resize(size ?? (groups.place.peek().where === 'beside' ? width : height));
  };
  return (
    <Divider
      label={t('Size of the groups')}
      controls="groups"
      hidden={tabs.parts.value.includes('groups')}
      beside={groups.isOpen.value && place.where === 'beside'}
      sizing={place}
      resize={resize}
    />
  );
}
