import { type PageWords, t } from '../../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { findRowColumns } from '../../../columns/rowColumns';
import { isReversed } from '../../../columns/viewSpec';
import {
  chosenName,
  imageMeasures,
  measurable as comparable,
  measureKey,
} from '../../../conditions/page/chosenMeasure';
import { RangeFields, type RangeMeasure } from '../../../conditions/page/rangeFields';
import { columnName } from '../../../pages/page/pageText';
import { Button, Picker } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import {
  type GroupMeasure,
  groupStatistics,
  groupUnits,
  MAX_MEASURES,
  measurable,
  measureKeyOf,
  statisticsOfUnit,
  type GroupUnit,
  groupStatisticName,
} from '../state/groupsState';
import type { TableStore } from '../state/tableStore';

/** Columns listed at once; the others are found by searching. */
const MAX_LISTED = 300;
/** More columns than these are searched. */
const MAX_UNSEARCHED = 10;

interface OptionsProps {
  store: TableStore;
}

/** Opens a popover to choose measured columns and their statistics. */
export function openGroupOptions(store: TableStore, anchor: Element): void {
  void store.groups.offer();
  openPopover({
    anchor,
    label: store.text.get('groupOptions'),
    className: 'group-options',
    view: () => <GroupOptions store={store} />,
  });
}

const UNITS: Readonly<Record<GroupUnit, PageWords>> = {
  objects: t.later('Objects'),
  images: t.later('Image Means'),
  replicates: t.later('Replicate Means'),
};

function GroupOptions({ store }: OptionsProps) {
  const { groups, table, text } = store;
  const { columns } = table.table;
  const { statistics, of = 'objects' } = groups.state.value;
  const query = useSignal('');
  const all = measurable(columns).map(({ index }) => ({ index, name: columnName(columns, index, text) }));
  const found = all.filter(({ name }) => name.toLowerCase().includes(query.value)).slice(0, MAX_LISTED);
  return (
    <>
      <fieldset>
        <legend class="popover-title">{text.get('groupStatistics')}</legend>
        <div class="group-statistics">
          {statisticsOfUnit(of).map(id => (
            <Choice
              key={id}
              name={groupStatisticName(id)}
              isOn={statistics.includes(id)}
              choose={isOn =>
                groups.choose({
                  statistics: groupStatistics.filter(each =>
                    each === id ? isOn : statistics.includes(each),
                  ),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend class="popover-title">{text.get('groupMeasures')}</legend>
        {all.length > MAX_UNSEARCHED && (
          <input
            type="search"
            class="input"
            placeholder={text.get('searchColumns')}
            aria-label={text.get('searchColumns')}
            onInput={({ currentTarget }) => (query.value = currentTarget.value.toLowerCase())}
          />
        )}
        <div class="group-measures">
          {found.map(({ index, name }) => (
            <MeasureChoice key={index} store={store} measure={index} name={name} />
          ))}
        </div>
      </fieldset>
      <ImageMeasures store={store} />
    </>
  );
}

/** Whether a measure is shown. */
function MeasureChoice({
  store: { groups },
  measure,
  name,
  disabled = false,
}: OptionsProps & { measure: GroupMeasure; name: string; disabled?: boolean }) {
  const { measures } = groups.state.value;
  const key = measureKeyOf(measure);
  const isOn = measures.some(each => measureKeyOf(each) === key);
  return (
    <Choice
      name={name}
      isOn={isOn}
      disabled={disabled || (measures.length >= MAX_MEASURES && !isOn)}
      choose={isChosen =>
        groups.choose({
          measures: isChosen ? [...measures, measure] : measures.filter(each => measureKeyOf(each) !== key),
        })
      }
    />
  );
}

/** Objects per image, and shares of them. */
function ImageMeasures({ store }: OptionsProps) {
  const { groups, table, text } = store;
  const { measures, of = 'objects' } = groups.state.value;
  const { image } = findRowColumns(table.table.columns);
  const chosen = measures.filter(measure => typeof measure !== 'number');
  const disabled = of === 'objects';
  // Where no column names images, they can't be counted.
  const offered = imageMeasures(groups.offered, chosen).filter(
    ({ kind }) => image !== undefined || kind !== 'objectsPerImage',
  );
  return (
    <fieldset>
      <legend class="popover-title">{text.get('groupImageMeasures')}</legend>
      {disabled && <p class="popover-note">{text.get('groupImageMeasuresHint')}</p>}
      <div class="group-measures">
        {offered.map(measure => (
          <MeasureChoice
            key={measureKey(measure)}
            store={store}
            measure={measure}
            name={chosenName(measure, text)}
            disabled={disabled}
          />
        ))}
      </div>
      {!disabled && measures.length < MAX_MEASURES && <NewRange store={store} />}
    </fieldset>
  );
}

/** A share in a range, which is added once it has an end, and doesn't begin above it. */
function NewRange({ store: { groups, table, text } }: OptionsProps) {
  const columns = comparable(table.table.columns);
  const [first] = columns;
  const range = useSignal<RangeMeasure>({ kind: 'range', name: first?.name ?? '', from: null, to: null });
  const line = useRef<HTMLFormElement>(null);
  if (!first) return null;
  // What was typed last is in the range by then: leaving a field and Enter come first.
  const add = () => {
    const { measures } = groups.state.peek();
    const added = range.peek();
    if ((added.from === null && added.to === null) || isReversed(added)) {
      line.current?.querySelector('input')?.focus();
      return;
    }
    range.value = { ...added, from: null, to: null };
    if (measures.every(each => measureKeyOf(each) !== measureKeyOf(added)))
      groups.choose({ measures: [...measures, added] });
  };
  return (
    <form
      class="group-range"
      ref={line}
      onSubmit={event => {
        event.preventDefault();
        add();
      }}
    >
      <span class="popover-note">{text.get('groupRange')}</span>
      <RangeFields text={text} columns={columns} range={range.value} choose={next => (range.value = next)} />
      <Button type="submit">{text.get('groupAddRange')}</Button>
    </form>
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

/** The choice of the one or two columns that rows are grouped by, among those that they are likely to be grouped by. */
export function GroupKeyPickers({ store: { groups, table, text } }: OptionsProps) {
  const { by, of = 'objects' } = groups.state.value;
  const [first, second] = by;
  const listed = groups.keys;
  const options = (other: number | undefined) =>
    listed
      .filter(column => column !== other)
      .map(column => [String(column), columnName(table.table.columns, column, text)] as const);
  return (
    <span class="groups-by" hidden={listed.length === 0}>
      <Picker
        label={text.get('groupBy')}
        options={options(second)}
        value={String(first ?? '')}
        choose={value => groups.choose({ by: [Number(value), ...by.slice(1)] })}
      />
      <Picker
        label={text.get('groupThenBy')}
        options={[['', text.get('groupByOne')], ...options(first)]}
        value={String(second ?? '')}
        choose={value => groups.choose({ by: [...by.slice(0, 1), ...(value === '' ? [] : [Number(value)])] })}
      />
      <Picker
        label={text.get('groupsOf')}
        options={groupUnits.map(unit => [unit, UNITS[unit]()])}
        value={of}
        choose={value => {
          const unit = groupUnits.find(each => each === value);
          groups.choose({ of: unit === 'objects' ? undefined : unit });
        }}
      />
    </span>
  );
}
