import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { fromHex, luminance } from '../../base/colors';
import { plotColors } from '../../drawing/page/plotColors';
import { t } from '../../pages/page/l10n';
import { columnName, formatNumber } from '../../pages/page/columnName';
import { chooseColor } from '../../pages/page/widgets/colorChoice';
import { Divider } from '../../pages/page/widgets/divider';
import { Button, Icon, IconButton, Picker } from '../../pages/page/widgets/parts';
import { openMenu } from '../../pages/page/widgets/popover';
import type { OpenedParts } from '../../table/page/contribution';
import { plain, type Population, populationColors } from '../population';
import { GateForm } from './gateForm';
import { problemWords } from '../problemWords';
import { gateWords, percent } from './gateWords';
import { NameField } from './nameField';
import { type PopulationsModel, type ShownPopulation, WIDTHS } from './populationsModel';

interface PartProps {
  model: PopulationsModel;
  parts: Pick<OpenedParts, 'model' | 'textsOf'>;
}

const PART_ID = 'populations';

const TABLES = [
  ['images', t.later('Save Table by Image…')],
  ['replicates', t.later('Save Table by Replicate…')],
  ['conditions', t.later('Save Table by Condition…')],
  ['prism', t.later('Save Table for Prism…')],
] as const;

/** The tree of populations with their counts; a click filters to one, keys and menus change it. */
export function PopulationsPart({ model, parts, close }: PartProps & { close: () => void }) {
  const isNaming = useSignal(false);
  const form = useSignal<{ edited: Population | undefined } | undefined>(undefined);
  const list = model.list.value;
  return (
    <div class="populations" id={PART_ID}>
      <div class="populations-head">
        <h2>{t('Populations')}</h2>
        <span class="populations-space" />
        <IconButton
          icon="add"
          label={t('New Population from Filters…')}
          disabled={!model.canAdd.value}
          onClick={() => (isNaming.value = true)}
        />
        <IconButton
          icon="ellipsis"
          label={t('Actions for Populations')}
          onClick={({ currentTarget }) =>
            openMenu(currentTarget, t('Populations'), [
              { label: t('New Population by Conditions…'), run: () => (form.value = { edited: undefined }) },
              {
                label: t('Save Populations…'),
                disabled: list.length === 0,
                run: () => void model.saveFile(),
              },
              { label: t('Apply Populations…'), run: () => void model.applyFile() },
              ...TABLES.map(([by, label], at) => ({
                label: label(),
                startsGroup: at === 0,
                disabled: list.length === 0,
                run: () => void model.saveTable(by),
              })),
            ])
          }
        />
        <IconButton icon="close" label={t('Close Populations')} onClick={close} />
      </div>
      {isNaming.value && (
        <NameField
          class="populations-name"
          initial={model.proposedName}
          submitName={name => model.add(name)}
          end={() => (isNaming.value = false)}
        />
      )}
      {model.failure.value !== undefined && (
        <p class="populations-note error" role="alert">
          {t("Couldn't count the populations: {0}", model.failure.value)}{' '}
          <Button onClick={() => void model.count()}>{t('Try Again')}</Button>
        </p>
      )}
      {form.value ? (
        <GateForm
          model={model}
          parts={parts}
          edited={form.value.edited}
          end={() => (form.value = undefined)}
        />
      ) : list.length === 0 ? (
        <p class="populations-note">
          {t(
            'Filter the table, or draw around points in a scatter plot, and make a population of it with +.',
          )}
        </p>
      ) : (
        <Tree model={model} parts={parts} edit={edited => (form.value = { edited })} />
      )}
      <Measure model={model} parts={parts} />
      <Divider
        label={t('Width of the populations')}
        controls={PART_ID}
        isAfter
        beside
        sizing={{ size: model.state.value.width, ...WIDTHS }}
        resize={wanted => model.resize(wanted)}
      />
    </div>
  );
}

/** The column whose mean is shown for each population. */
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

/** Whether the theme is light; follows changes of the theme. */
function useLightTheme(): boolean {
  const isLight = () => luminance(fromHex(plotColors().background) ?? [0, 0, 0]) > 0.5;
  const isLightNow = useSignal<boolean | undefined>(undefined);
  useEffect(() => {
    const themes = new MutationObserver(() => (isLightNow.value = isLight()));
    themes.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-id'] });
    return () => themes.disconnect();
  }, []);
  return (isLightNow.value ??= isLight());
}

interface TreeProps extends PartProps {
  edit: (population: Population) => void;
}

/** Data type of the dragged population's name. */
const DRAGGED = 'application/x-population';

function Tree({ model, parts, edit }: TreeProps) {
  const list = model.list.value;
  const focused = useSignal(0);
  const renaming = useSignal<string | undefined>(undefined);
  const root = useRef<HTMLDivElement>(null);
  const isOnLight = useLightTheme();
  const colors = new Map(
    populationColors(model.populations, isOnLight).map((color, place) => [model.populations[place], color]),
  );
  /** The dragged population, and possible targets. */
  const dragged = useSignal<{ name: string; onto: ReadonlySet<string> } | undefined>(undefined);
  const focusedIndex = Math.min(focused.value, list.length - 1);
  const go = (to: number) => {
    focused.value = Math.max(0, Math.min(list.length - 1, to));
    root.current?.querySelectorAll<HTMLElement>('.population')[focused.value]?.focus();
  };
  const keepFocus = (name: string, change: () => void) => {
    change();
    focused.value = model.list.value.findIndex(({ population }) => population.name === name);
  };
  const press = (event: KeyboardEvent, { population: { name }, level }: ShownPopulation) => {
    if (event.target !== event.currentTarget) return;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        const by = event.key === 'ArrowUp' ? -1 : 1;
        if (event.altKey) keepFocus(name, () => model.reorder(name, by));
        else go(focusedIndex + by);
        break;
      }
      case 'Home':
        go(0);
        break;
      case 'End':
        go(list.length - 1);
        break;
      case 'ArrowLeft':
        go(list.findLastIndex((other, place) => place < focusedIndex && other.level < level));
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
      default: {
        // Goes to the next name that begins with the typed character, as in VS Code's trees.
        const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
        const candidates = isTyped
          ? [...list.slice(focusedIndex + 1), ...list.slice(0, focusedIndex + 1)]
          : [];
        const match = candidates.find(item => plain(item.population.name).startsWith(plain(event.key)));
        if (!match) return;
        go(list.indexOf(match));
      }
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
      onDragOver={event => dragged.value && event.preventDefault()}
      onDrop={event => {
        // Dropped outside all rows.
        if (dragged.value && event.target === event.currentTarget) model.move(dragged.value.name, undefined);
      }}
      onDragEnd={() => (dragged.value = undefined)}
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
            class="populations-name"
            initial={shown.population.name}
            submitName={name => model.rename(shown.population.name, name)}
            end={() => (renaming.value = undefined)}
          />
        ) : (
          <Row
            key={shown.population.name}
            model={model}
            parts={parts}
            shown={shown}
            color={colors.get(shown.population) ?? ''}
            dragged={dragged}
            edit={() => edit(shown.population)}
            isFocused={place === focusedIndex}
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
  /** #rrggbb */
  color: string;
  dragged: Signal<{ name: string; onto: ReadonlySet<string> } | undefined>;
  isFocused: boolean;
  edit: () => void;
  focus: () => void;
  press: (event: KeyboardEvent) => void;
  rename: () => void;
}

function Row({ model, parts, shown, color, dragged, isFocused, edit, focus, press, rename }: RowProps) {
  const { population, level, counted, isFilter } = shown;
  const { name } = population;
  const all = model.rowCount.value ?? 0;
  const { problem, count = 0, parentCount = 0, missing = 0, mean } = counted ?? {};
  const isDropped = useSignal(false);
  const numbers =
    counted && !problem ? [t.number(count), percent(count, parentCount), percent(count, all)] : ['', '', ''];
  const note = problem
    ? problemWords(t, problem)
    : counted && parentCount === 0
      ? t('Its parent has no rows.')
      : missing > 0
        ? t.count(missing, '1 row of its parent has no value.', '{0} rows of its parent have no value.')
        : undefined;
  const isHidden = population.hidden === true;
  const recolor = (anchor: Element) =>
    chooseColor({
      anchor,
      label: t('Color of {0}', name),
      chosen: population.color,
      choose: chosen => model.recolor(name, chosen),
    });
  const openParents = (anchor: Element) =>
    openMenu(anchor, t('Move {0} to', name), [
      {
        label: t('All Rows'),
        disabled: population.parent === undefined,
        run: () => model.move(name, undefined),
      },
      ...model.parentsFor(name).map(parent => ({
        label: parent,
        disabled: plain(parent) === plain(population.parent ?? ''),
        run: () => model.move(name, parent),
      })),
    ]);
  const openActions = (anchor: Element) =>
    openMenu(anchor, name, [
      { label: t('Rename…'), run: rename },
      { label: t('Edit…'), run: edit },
      { label: t({ message: 'Duplicate', comment: 'Verb' }), run: () => model.duplicate(name) },
      { label: t('Color…'), startsGroup: true, run: () => recolor(anchor) },
      { label: isHidden ? t('Show') : t('Hide'), run: () => model.toggleHidden(name) },
      { label: t('Move to…'), startsGroup: true, run: () => openParents(anchor) },
      { label: t('Move Up'), run: () => model.reorder(name, -1) },
      { label: t('Move Down'), run: () => model.reorder(name, 1) },
      { label: t('Delete with Its Children'), startsGroup: true, run: () => model.remove(name) },
    ]);
  return (
    <div
      class={['population', isFilter && 'on', isDropped.value && 'drop', isHidden && 'hidden-population']
        .filter(Boolean)
        .join(' ')}
      aria-label={[name, ...numbers, note].filter(Boolean).join(', ')}
      role="treeitem"
      aria-level={level}
      aria-selected={isFilter}
      tabIndex={isFocused ? 0 : -1}
      title={[gateWords(population.gate, parts.model.table.columns), note].filter(Boolean).join('\n')}
      style={{ '--level': level }}
      draggable
      onFocus={focus}
      onKeyDown={press}
      onClick={() => model.toggleFilter(name)}
      onDragStart={event => {
        event.dataTransfer?.setData(DRAGGED, name);
        dragged.value = { name, onto: new Set(model.parentsFor(name)) };
      }}
      onDragOver={event => {
        event.stopPropagation();
        isDropped.value = dragged.value?.onto.has(name) === true;
        if (isDropped.value) event.preventDefault();
      }}
      onDragLeave={() => (isDropped.value = false)}
      onDrop={event => {
        event.stopPropagation();
        isDropped.value = false;
        if (dragged.value) model.move(dragged.value.name, name);
      }}
    >
      <span class="population-name">
        <button
          type="button"
          class="population-swatch"
          aria-label={t('Color of {0}', name)}
          title={t('Color of {0}', name)}
          tabIndex={isFocused ? 0 : -1}
          style={{ '--color': color }}
          onClick={event => {
            event.stopPropagation();
            recolor(event.currentTarget);
          }}
        />
        {problem && <Icon name="warning" />}
        <span class="population-words">{name} </span>
        <IconButton
          icon={isHidden ? 'eye-closed' : 'eye'}
          class="population-eye"
          label={isHidden ? t('Show {0}', name) : t('Hide {0}', name)}
          title={`${isHidden ? t('Show {0}', name) : t('Hide {0}', name)}\n${t('Alt+Click: show only {0}', name)}`}
          tabIndex={isFocused ? 0 : -1}
          onClick={event => {
            event.stopPropagation();
            if (event.altKey) model.toggleOthers(name);
            else model.toggleHidden(name);
          }}
        />
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
        <span class="population-problem">{note}</span>
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
