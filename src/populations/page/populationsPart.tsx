import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../pages/page/l10n';
import { columnName, formatNumber } from '../../pages/page/columnName';
import { Divider } from '../../pages/page/widgets/divider';
import { Button, Icon, IconButton, Picker } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import type { OpenedParts } from '../../table/page/contribution';
import { MAX_NAME } from '../gate';
import { freeName } from '../populationList';
import { type PopulationsModel, type ShownPopulation, WIDTHS } from './populationsModel';
import { percent, problemWords } from './populationWords';

interface PartProps {
  model: PopulationsModel;
  parts: Pick<OpenedParts, 'model'>;
}

const PART = 'populations';

/** The tree of populations with their counts; a click filters to one, keys and menus change it. */
export function PopulationsPart({ model, parts }: PartProps) {
  const isNaming = useSignal(false);
  const list = model.list.value;
  return (
    <div class="populations" id={PART}>
      <div class="populations-head">
        <h2>{t('Populations')}</h2>
        <span class="populations-space" />
        <IconButton
          icon="add"
          label={t('New Population from Filters…')}
          disabled={!model.canAdd.value}
          onClick={() => (isNaming.value = true)}
        />
        <IconButton icon="close" label={t('Close Populations')} onClick={() => model.toggle()} />
      </div>
      {isNaming.value && (
        <NameField
          initial={freeName(model.populations, t({ message: 'Population', comment: 'Named set of objects' }))}
          label={t('Name of the population')}
          give={name => model.add(name)}
          end={() => (isNaming.value = false)}
        />
      )}
      {model.failure.value !== undefined && (
        <p class="populations-note error" role="alert">
          {t("Couldn't count the populations: {0}", model.failure.value)}{' '}
          <Button onClick={() => void model.count()}>{t('Try Again')}</Button>
        </p>
      )}
      {list.length === 0 ? (
        <p class="populations-note">
          {t(
            'Filter the table, or draw around points in a scatter plot, and make a population of it with +.',
          )}
        </p>
      ) : (
        <Tree model={model} parts={parts} />
      )}
      <Measure model={model} parts={parts} />
      <Divider
        label={t('Width of the populations')}
        controls={PART}
        isAfter
        beside
        place={{ size: model.width.value, ...WIDTHS }}
        resize={wanted => model.resize(wanted)}
      />
    </div>
  );
}

/** The column of which each population has its mean. */
function Measure({ model, parts: { model: table } }: PartProps) {
  const { columns } = table.table;
  const numeric = columns.filter(({ kind }) => kind === 'number');
  return (
    <label class="populations-measure">
      <span>{t('Mean of')}</span>
      <Picker
        label={t('Mean of')}
        options={[
          ['', t('No column')],
          ...numeric.map(({ index, name }) => [name, columnName(columns, index)] as const),
        ]}
        value={model.state.value.mean ?? ''}
        choose={value => model.measure(value === '' ? undefined : value)}
      />
    </label>
  );
}

interface NameFieldProps {
  initial: string;
  label: string;
  /** Returns why it can't have that name. */
  give: (name: string) => string | undefined;
  end: () => void;
}

/** Types a name: Enter gives it, Esc leaves it. */
function NameField({ initial, label, give, end }: NameFieldProps) {
  const problem = useSignal<string | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const submit = () => {
    problem.value = give(field.current?.value ?? '');
    if (problem.value === undefined) end();
  };
  return (
    <form
      class="populations-name"
      onSubmit={event => {
        event.preventDefault();
        submit();
      }}
    >
      <input
        class="input"
        ref={field}
        defaultValue={initial}
        maxLength={MAX_NAME}
        aria-label={label}
        aria-invalid={problem.value !== undefined}
        onKeyDown={event => {
          event.stopPropagation();
          if (event.key === 'Escape') end();
        }}
      />
      <IconButton icon="check" label={t('OK')} type="submit" />
      <IconButton icon="close" label={t('Cancel')} onClick={end} />
      {problem.value !== undefined && (
        <p class="populations-note error" role="alert">
          {problem.value}
        </p>
      )}
    </form>
  );
}

/** What is dragged is named by this type of data. */
const DRAGGED = 'application/x-population';

function Tree({ model, parts }: PartProps) {
  const list = model.list.value;
  const focused = useSignal(0);
  const renaming = useSignal<string | undefined>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const at = Math.min(focused.value, list.length - 1);
  const go = (to: number) => {
    focused.value = Math.max(0, Math.min(list.length - 1, to));
    root.current?.querySelectorAll<HTMLElement>('.population')[focused.value]?.focus();
  };
  const press = (event: KeyboardEvent, { population: { name }, level }: ShownPopulation) => {
    if (event.target !== event.currentTarget) return;
    switch (event.key) {
      case 'ArrowDown':
        go(at + 1);
        break;
      case 'ArrowUp':
        go(at - 1);
        break;
      case 'Home':
        go(0);
        break;
      case 'End':
        go(list.length - 1);
        break;
      case 'ArrowLeft':
        go(list.findLastIndex((other, place) => place < at && other.level < level));
        break;
      case 'Enter':
      case ' ':
        model.toggleFilter(name);
        break;
      case 'F2':
        renaming.value = name;
        break;
      case 'Delete':
        model.remove(name);
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class="population-tree"
      role="tree"
      aria-label={t('Populations')}
      ref={root}
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        const name = event.dataTransfer?.getData(DRAGGED);
        // Dropped beside all of them.
        if (name && event.target === event.currentTarget) model.move(name, undefined);
      }}
    >
      <div class="population-heads" aria-hidden="true">
        <span>{t('Rows')}</span>
        <span>{t('% of parent')}</span>
        <span>{t('% of all')}</span>
        {model.state.value.mean !== undefined && <span>{t({ message: 'Mean', comment: 'Statistic' })}</span>}
      </div>
      {list.map((shown, place) =>
        renaming.value === shown.population.name ? (
          <NameField
            key={shown.population.name}
            initial={shown.population.name}
            label={t('Name of the population')}
            give={name => model.rename(shown.population.name, name)}
            end={() => (renaming.value = undefined)}
          />
        ) : (
          <Row
            key={shown.population.name}
            model={model}
            parts={parts}
            shown={shown}
            isFocused={place === at}
            focus={() => (focused.value = place)}
            press={event => press(event, shown)}
            rename={() => (renaming.value = shown.population.name)}
          />
        ),
      )}
    </div>
  );
}

interface RowProps extends PartProps {
  shown: ShownPopulation;
  isFocused: boolean;
  focus: () => void;
  press: (event: KeyboardEvent) => void;
  rename: () => void;
}

function Row({ model, shown, isFocused, focus, press, rename }: RowProps) {
  const { population, level, counted, isFilter } = shown;
  const { name } = population;
  const all = model.rowCount.value ?? 0;
  const { problem, count = 0, parentCount = 0, missing = 0, mean } = counted ?? {};
  const isDropped = useSignal(false);
  const numbers =
    counted && !problem ? [t.number(count), percent(count, parentCount), percent(count, all)] : ['', '', ''];
  const hint = problem
    ? problemWords(problem)
    : missing > 0
      ? t.count(missing, '1 row of its parent has no value.', '{0} rows of its parent have no value.')
      : undefined;
  const openActions = (anchor: Element) =>
    openMenu(anchor, name, [
      { label: t('Rename…'), run: rename },
      { label: t({ message: 'Duplicate', comment: 'Verb' }), run: () => model.duplicate(name) },
      ...(population.parent === undefined
        ? []
        : [{ label: t('Move to All Rows'), run: () => model.move(name, undefined) }]),
      ...model
        .parentsFor(name)
        .map(parent => ({ label: t('Move to {0}', parent), run: () => model.move(name, parent) })),
      { label: t('Delete with Its Children'), startsGroup: true, run: () => model.remove(name) },
    ]);
  return (
    <div
      class={['population', isFilter && 'on', isDropped.value && 'drop', problem && 'has-problem']
        .filter(Boolean)
        .join(' ')}
      role="treeitem"
      aria-level={level}
      aria-selected={isFilter}
      tabIndex={isFocused ? 0 : -1}
      title={hint}
      style={{ '--level': level }}
      draggable
      onFocus={focus}
      onKeyDown={press}
      onClick={() => model.toggleFilter(name)}
      onDragStart={event => event.dataTransfer?.setData(DRAGGED, name)}
      onDragOver={event => {
        event.preventDefault();
        event.stopPropagation();
        isDropped.value = true;
      }}
      onDragLeave={() => (isDropped.value = false)}
      onDrop={event => {
        event.stopPropagation();
        isDropped.value = false;
        const dragged = event.dataTransfer?.getData(DRAGGED);
        if (dragged) model.move(dragged, name);
      }}
    >
      <span class="population-name">
        {problem && <Icon name="warning" />}
        <span class="population-words">{name} </span>
        <IconButton
          icon="ellipsis"
          label={t('Actions for {0}', name)}
          tabIndex={isFocused ? 0 : -1}
          onClick={event => {
            event.stopPropagation();
            openActions(event.currentTarget);
          }}
        />
      </span>
      {problem ? (
        <span class="population-problem">{hint}</span>
      ) : (
        <span class="population-numbers">
          {numbers.map((words, place) => (
            <span key={place}>{words} </span>
          ))}
          {model.state.value.mean !== undefined && (
            <span>{mean === undefined || mean === null ? '–' : formatNumber(mean)}</span>
          )}
        </span>
      )}
    </div>
  );
}
