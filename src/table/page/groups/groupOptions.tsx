import { t } from '../../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { columnName } from '../../../pages/page/columnName';
import { Picker } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import {
  type GroupMeasure,
  groupStatistics,
  MAX_MEASURES,
  measurable,
  statisticsOfUnit,
  groupStatisticName,
} from '../state/groupsState';
import type { AddedLater } from '../addedLater';
import type { ChosenGroups } from '../groupUnits';
import type { TableStore } from '../state/tableStore';

/** Columns listed at once; users search for others. */
const MAX_LISTED = 300;
/** Value of the choice for statistics of rows. */
const ROWS = 'objects';
/** With more columns, there is a search box. */
const MAX_UNSEARCHED = 10;

interface OptionsProps {
  store: TableStore;
}

/** Opens a popover to choose measures and statistics. */
export function openGroupOptions(store: TableStore, added: AddedLater, anchor: Element): void {
  store.groups.offer();
  openPopover({
    anchor,
    label: t('Columns and Statistics'),
    className: 'group-options',
    view: () => <GroupOptions store={store} added={added} />,
  });
}

function GroupOptions({ store, added }: OptionsProps & { added: AddedLater }) {
  const { groups, table } = store;
  const { columns } = table.table;
  const { statistics } = groups.state.value;
  const query = useSignal('');
  const measurableColumns = measurable(columns).map(({ index }) => ({
    index,
    name: columnName(columns, index),
  }));
  const listed = measurableColumns
    .filter(({ name }) => name.toLowerCase().includes(query.value))
    .slice(0, MAX_LISTED);
  return (
    <>
      <fieldset>
        <legend class="popover-title">{t('Statistics')}</legend>
        <div class="group-statistics">
          {statisticsOfUnit(groups.unit).map(id => (
            <Choice
              key={id}
              name={groupStatisticName(id)}
              isOn={statistics.includes(id)}
              choose={isOn =>
                groups.choose({
                  statistics: groupStatistics.filter(other =>
                    other === id ? isOn : statistics.includes(other),
                  ),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend class="popover-title">{t('Columns')}</legend>
        {measurableColumns.length > MAX_UNSEARCHED && (
          <input
            type="search"
            class="input"
            placeholder={t('Search columns')}
            aria-label={t('Search columns')}
            onInput={({ currentTarget }) => (query.value = currentTarget.value.toLowerCase())}
          />
        )}
        <div class="group-measures">
          {listed.map(({ index, name }) => (
            <MeasureChoice key={index} groups={groups} measure={index} name={name} />
          ))}
        </div>
      </fieldset>
      {groups.options(added)}
    </>
  );
}

/** A checkbox that shows or hides a measure. */
export function MeasureChoice({
  groups,
  measure,
  name,
  disabled = false,
}: {
  groups: ChosenGroups;
  measure: GroupMeasure;
  name: string;
  disabled?: boolean;
}) {
  const { measures } = groups.state.value;
  const key = groups.keyOf(measure);
  const isOn = measures.some(shown => groups.keyOf(shown) === key);
  return (
    <Choice
      name={name}
      isOn={isOn}
      disabled={disabled || (measures.length >= MAX_MEASURES && !isOn)}
      choose={isChosen =>
        groups.choose({
          measures: isChosen ? [...measures, measure] : measures.filter(shown => groups.keyOf(shown) !== key),
        })
      }
    />
  );
}

interface ChoiceProps {
  name: string;
  isOn: boolean;
  disabled?: boolean;
  choose: (isOn: boolean) => void;
}

function Choice({ name, isOn, disabled = false, choose }: ChoiceProps) {
  return (
    <label class="column-label" title={name}>
      <input
        type="checkbox"
        checked={isOn}
        disabled={disabled}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <span>{name}</span>
    </label>
  );
}

/** Pickers of the columns to group by, one or two, and of the unit of statistics. */
export function GroupKeyPickers({ store: { groups, table } }: OptionsProps) {
  const { by } = groups.state.value;
  const [first, second] = by;
  const listed = groups.keys;
  const options = (excluded: number | undefined) =>
    listed
      .filter(column => column !== excluded)
      .map(column => [String(column), columnName(table.table.columns, column)] as const);
  return (
    <span class="groups-by" hidden={listed.length === 0}>
      <Picker
        label={t('Group by')}
        options={options(second)}
        value={String(first ?? '')}
        choose={value => groups.choose({ by: [Number(value), ...by.slice(1)] })}
      />
      <Picker
        label={t('Then by')}
        options={[['', t('One column')], ...options(first)]}
        value={String(second ?? '')}
        choose={value => groups.choose({ by: [...by.slice(0, 1), ...(value === '' ? [] : [Number(value)])] })}
      />
      {groups.units.length > 0 && (
        <Picker
          label={t('Statistics of')}
          options={[
            [ROWS, t({ message: 'Objects', comment: 'Objects in images, such as cells' })],
            ...groups.units.map(({ id, name }) => [id, name] as const),
          ]}
          value={groups.unit?.id ?? ROWS}
          choose={value => groups.choose({ of: value === ROWS ? undefined : value })}
        />
      )}
    </span>
  );
}
