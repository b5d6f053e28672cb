import { t } from '../../../pages/page/l10n';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type FilterSet, MAX_SET_NAME } from '../../../columns/filterSets';
import { Button, Icon, IconButton, LinkButton } from '../../../pages/page/widgets/parts';
import { openPopover } from '../../../pages/page/widgets/popover';
import type { PageFilter } from '../filterList';
import type { NameProblem } from '../state/filterSetsModel';
import type { TableStore } from '../state/tableStore';
import { filterWords } from './filterChips';

interface NamedFiltersProps {
  store: TableStore;
}

/**
 * Opens the list of filters that have a name; there while filters are on that could have one, or
 * have.
 */
export function NamedFiltersButton({ store }: NamedFiltersProps) {
  const { filterSets } = store;
  const hasSome = filterSets.all.value.length > 0;
  if (!hasSome && filterSets.nameable.length === 0) return null;
  const words = hasSome ? t('Named Filters…') : t('Name Filters…');
  return (
    <span class="named-filters-button">
      <LinkButton
        aria-label={words}
        title={words}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) =>
          openPopover({
            anchor: currentTarget,
            label: t('Named Filters'),
            className: 'named-filters',
            view: close => <NamedFilters store={store} close={close} />,
          })
        }
      >
        <Icon name="bookmark" />
        <span class="button-words">{words}</span>
      </LinkButton>
    </span>
  );
}

/**
 * Gives the table's filters a name; below, those that have one: renamed where they stand, removed,
 * or set as filters.
 */
function NamedFilters({ store, close }: NamedFiltersProps & { close: () => void }) {
  const { filterSets } = store;
  const sets = filterSets.all.value;
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // What had the focus is gone.
    if (document.activeElement === document.body) root.current?.querySelector<HTMLElement>('input')?.focus();
  });
  return (
    <div ref={root}>
      <div class="popover-head">
        <h2 class="popover-title">{t('Named Filters')}</h2>
      </div>
      {filterSets.nameable.length > 0 && <NewName store={store} close={close} />}
      {filterSets.areSomeUnnameable && (
        <p class="popover-note">{t('Lassos and objects selected on masks aren’t part of it.')}</p>
      )}
      <ul class="filter-set-list" hidden={sets.length === 0}>
        {sets.map(set => (
          <Row key={set.name} store={store} set={set} close={close} />
        ))}
      </ul>
      <p class="popover-note">
        {t('Shares of objects that match them are measures of Groups and of Compare Conditions.')}
      </p>
    </div>
  );
}

/** Filters in words, as their chips say them. */
export function filterListWords(
  { table }: Pick<TableStore, 'table'>,
  filters: readonly PageFilter[],
  isWhole = false,
): string {
  const { columns } = table.table;
  return filters
    .map(each => filterWords(each, columns, table.rowCount, column => table.texts.of(column), isWhole))
    .join(' · ');
}

/** The table's filters, which a person gives a name. */
function NewName({ store, close }: NamedFiltersProps & { close: () => void }) {
  const { filterSets, messages } = store;
  const filters = filterListWords(store, filterSets.nameable);
  const name = useSignal(filters.slice(0, MAX_SET_NAME));
  const problem = useSignal<NameProblem | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), []);
  const add = () => {
    problem.value = filterSets.add(name.value);
    if (problem.value) {
      input.current?.focus();
      return;
    }
    close();
    messages.say(
      t(
        'Filters named “{0}”; their share is a measure of Groups and of Compare Conditions',
        name.value.trim(),
      ),
    );
  };
  return (
    <form
      class="new-filter-set"
      onSubmit={event => {
        event.preventDefault();
        add();
      }}
    >
      <div class="filter-set-line">
        <input
          ref={input}
          type="text"
          class="input"
          autofocus
          maxLength={MAX_SET_NAME}
          aria-label={t('Name of the filters')}
          placeholder={t('Name of the filters')}
          aria-invalid={problem.value !== undefined}
          value={name.value}
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
        <Button primary onClick={add}>
          {t('Name Filters')}
        </Button>
      </div>
      <Problem store={store} problem={problem.value} name={name.value} />
      <p class="popover-note">{filters}</p>
    </form>
  );
}

function Row({ store, set, close }: NamedFiltersProps & { set: FilterSet; close: () => void }) {
  const { filterSets, rows } = store;
  const filters = filterSets.filtersOf(set);
  const problem = useSignal<{ kind: NameProblem; name: string } | undefined>(undefined);
  return (
    <li>
      <div class="filter-set-line">
        <input
          type="text"
          class="input"
          maxLength={MAX_SET_NAME}
          aria-label={t('Name of {0}', set.name)}
          aria-invalid={problem.value !== undefined}
          value={set.name}
          onChange={({ currentTarget }) => {
            const { value } = currentTarget;
            const kind = filterSets.rename(set.name, value);
            problem.value = kind && { kind, name: value };
            // What is in force is shown.
            if (kind) currentTarget.value = set.name;
          }}
        />
        <IconButton
          icon="filter"
          label={t('Filter by {0}', set.name)}
          disabled={!filters}
          onClick={() => {
            close();
            filterSets.apply(set);
          }}
        />
        <IconButton
          icon="trash"
          label={t('Remove {0}', set.name)}
          onClick={() => {
            const isLast = filterSets.all.peek().length === 1 && filterSets.nameable.length === 0;
            if (isLast) close();
            filterSets.remove(set.name);
            // The button that opened this is gone, too.
            if (isLast) rows.enterGrid();
          }}
        />
      </div>
      <Problem store={store} problem={problem.value?.kind} name={problem.value?.name ?? ''} />
      <p class="popover-note">
        {filters ? filterListWords(store, filters) : t('The table lacks a column of these filters.')}
      </p>
    </li>
  );
}

interface ProblemProps extends NamedFiltersProps {
  problem: NameProblem | undefined;
  name: string;
}

const PROBLEMS = {
  empty: t.later('Type a name.'),
  many: t.later('There are too many named filters. Remove one first.'),
} as const;

/** Why filters can't have a name. */
function Problem({ problem, name }: ProblemProps) {
  if (!problem) return null;
  return (
    <p class="filter-refusal" role="alert">
      {problem === 'taken' ? t('Other filters are named “{0}” already.', name.trim()) : PROBLEMS[problem]()}
    </p>
  );
}
