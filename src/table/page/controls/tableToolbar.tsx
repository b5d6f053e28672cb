import { useSignal } from '@preact/signals';
import { Icon, IconButton, WordButton } from '../../../pages/page/widgets/parts';
import { openMenu } from '../../../pages/page/widgets/popover';
import { rovingFocus } from '../../../pages/page/widgets/rovingFocus';
import type { AddedButton } from '../contribution';
import type { TableStore } from '../state/tableStore';
import { listShortcuts } from '../tableMenu';
import { FindBar } from './findBar';
import { openColumnsMenu } from './tablePopovers';

interface ToolbarProps {
  store: TableStore;
}

/** The line above the table: finding, and what can be done with the table. */
export function Toolbar({ store }: ToolbarProps) {
  const { text, title, hasMasks, ofPairs, drawer, groups, tabs } = store;
  return (
    <header class="toolbar table-toolbar">
      <h1 class="visually-hidden">{title}</h1>
      <div class="toolbar-line" role="toolbar" aria-label={text.get('toolbar')} ref={rove}>
        <FindBar store={store} />
        <GoToRow store={store} />
        <span class="levels-slot">
          <LevelChooser store={store} />
        </span>
        <span class="toolbar-gap" />
        <span class="toolbar-actions">
          <CopyButton store={store} />
          <IconButton
            icon="list-unordered"
            label={text.get('columnsMenu')}
            onClick={({ currentTarget }) => openColumnsMenu(store, currentTarget)}
          />
          <AddedButtons store={store} place="columns" />
          <ViewButton
            icon="group-by-ref-type"
            label={text.get('groups')}
            isOpen={groups.isOpen.value && tabs.isSeen('groups')}
            toggle={() => store.toggleGroups()}
          />
          <AddedButtons store={store} place="views" />
          {drawer && (
            <ViewButton
              icon={drawer.icon}
              label={drawer.name}
              isOpen={drawer.isOpen.value && tabs.isSeen('plots')}
              toggle={() => store.toggleDrawer()}
            />
          )}
          <WordButton
            icon="export"
            label={text.get('export')}
            hint={text.get('saveView')}
            onClick={() => void store.output.save()}
          />
          {hasMasks && (
            <WordButton
              icon={ofPairs ? 'diff' : 'layers'}
              label={text.get(ofPairs ? 'showComparison' : 'showMasks')}
              onClick={() => store.openMasks()}
            />
          )}
          <IconButton icon="question" label={text.get('shortcuts')} onClick={() => listShortcuts(store)} />
        </span>
      </div>
    </header>
  );
}

interface ViewButtonProps {
  icon: string;
  label: string;
  /** What its words don't say. */
  hint?: string;
  isOpen: boolean;
  toggle: () => void;
}

/** Opens or closes what is shown besides the rows. Its words are hidden where there is no room for those of all. */
function ViewButton({ icon, label, hint = label, isOpen, toggle }: ViewButtonProps) {
  return (
    <IconButton class="view-button" label={label} title={hint} aria-pressed={isOpen} onClick={toggle}>
      <Icon name={icon} />
      <span class="button-words">{label}</span>
    </IconButton>
  );
}

/** What subjects add to the toolbar. */
function AddedButtons({ store: { additions }, place }: ToolbarProps & Pick<AddedButton, 'place'>) {
  const buttons = additions.flatMap(addition => addition.buttons ?? []);
  return (
    <>
      {buttons
        .filter(button => button.place === place && button.isOffered?.value !== false)
        .map(({ icon, label, hint = label, isOpen, toggle }) => (
          <ViewButton
            key={label}
            icon={icon}
            label={label}
            hint={hint}
            isOpen={isOpen.value}
            toggle={toggle}
          />
        ))}
    </>
  );
}

/** The text to find is a stop of its own for the Tab key; all other controls are one. */
function rove(line: HTMLElement | null): void {
  if (line) rovingFocus(line, line.querySelector<HTMLElement>('.find-input') ?? undefined);
}

function GoToRow({ store: { text, rows } }: ToolbarProps) {
  const isInvalid = useSignal<boolean | undefined>(undefined);
  return (
    <input
      type="text"
      inputMode="numeric"
      class="input go-to-row"
      placeholder={text.get('goToRow')}
      aria-label={text.get('goToRow')}
      title={text.get('goToRowHint')}
      aria-invalid={isInvalid.value}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Enter') return;
        const row = Number(currentTarget.value.trim().replace(/[\s.,'’]/g, ''));
        isInvalid.value = !Number.isSafeInteger(row) || row < 1;
        if (!isInvalid.value) void rows.goTo(row - 1);
      }}
    />
  );
}

/** Chooses between the rows of images, those of groups, and both, where the table holds both. */
function LevelChooser({ store: { text, levels, filters } }: ToolbarProps) {
  const known = levels.known.value;
  // Where a level was refused, the box has to show the one in force again.
  void filters.refused.value;
  if (!known) return null;
  const options = [
    ['images', text.get('imageRows', known.imageRows)],
    ['groups', text.get('groupRows', known.groupRows)],
    ['all', text.get('allRows')],
  ] as const;
  return (
    <select
      class="input"
      aria-label={text.get('rowLevel')}
      value={levels.level.value}
      onChange={({ currentTarget }) =>
        levels.choose(options.find(([level]) => level === currentTarget.value)?.[0] ?? 'all')
      }
    >
      {options.map(([level, words]) => (
        <option key={level} value={level}>
          {words}
        </option>
      ))}
    </select>
  );
}

/** Copies the one way or the other; Ctrl+C then does the same. */
function CopyButton({ store: { text, cells, output } }: ToolbarProps) {
  const { rows, columns } = cells.size.value;
  const choice = (header: boolean, label: string) => ({
    label,
    checked: output.withHeader.peek() === header,
    run: () => void output.copy(header),
  });
  return (
    <IconButton
      icon="copy"
      label={text.get('copySelection')}
      aria-haspopup="menu"
      disabled={rows * columns === 0}
      onClick={({ currentTarget }) =>
        openMenu(currentTarget, text.get('copySelection'), [
          choice(false, text.get('copyCells')),
          choice(true, text.get('copyWithHeader')),
        ])
      }
    />
  );
}
