import { t } from '../../../pages/page/l10n';
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

/** The toolbar above the table: search and actions. */
export function Toolbar({ store }: ToolbarProps) {
  const { title, hasMasks, ofPairs, drawer, groups, tabs } = store;
  return (
    <header class="toolbar table-toolbar">
      <h1 class="visually-hidden">{title}</h1>
      <div class="toolbar-line" role="toolbar" aria-label={t('Table')} ref={rove}>
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
            label={t('Columns')}
            onClick={({ currentTarget }) => openColumnsMenu(store, currentTarget)}
          />
          <AddedButtons store={store} place="columns" />
          <ViewButton
            icon="group-by-ref-type"
            label={t('Groups')}
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
            label={t({ message: 'Export', comment: 'Verb' })}
            hint={t('Save These Rows as CSV…')}
            onClick={() => void store.output.save()}
          />
          {hasMasks && (
            <WordButton
              icon={ofPairs ? 'diff' : 'layers'}
              label={ofPairs ? t('Show Comparison') : t('Show Masks')}
              onClick={() => store.openMasks()}
            />
          )}
          <IconButton icon="question" label={t('Keyboard Shortcuts')} onClick={() => listShortcuts(store)} />
        </span>
      </div>
    </header>
  );
}

interface ViewButtonProps {
  icon: string;
  label: string;
  /** Description, if it says more than the title. */
  hint?: string;
  isOpen: boolean;
  toggle: () => void;
}

/**
 * A button that opens or closes a view besides the rows. Titles are hidden if not all of them fit.
 */
function ViewButton({ icon, label, hint = label, isOpen, toggle }: ViewButtonProps) {
  return (
    <IconButton class="view-button" label={label} title={hint} aria-pressed={isOpen} onClick={toggle}>
      <Icon name={icon} />
      <span class="button-words">{label}</span>
    </IconButton>
  );
}

/** Toolbar buttons of other subjects. */
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

/** The Tab key stops at the search box, and once at all other controls. */
function rove(line: HTMLElement | null): void {
  if (line) rovingFocus(line, line.querySelector<HTMLElement>('.find-input') ?? undefined);
}

function GoToRow({ store: { rows } }: ToolbarProps) {
  const isInvalid = useSignal<boolean | undefined>(undefined);
  return (
    <input
      type="text"
      inputMode="numeric"
      class="input go-to-row"
      placeholder={t('Go to row')}
      aria-label={t('Go to row')}
      title={t('Type a row number of the file and press Enter')}
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

/** Chooses rows of images, of groups, or both, if the table has both. */
function LevelChooser({ store: { levels, filters } }: ToolbarProps) {
  const counts = levels.counts.value;
  // Read for its updates: after a refused change, the box must show the current level again.
  void filters.refused.value;
  if (!counts) return null;
  const options = [
    ['images', t('Image rows ({0})', counts.imageRows)],
    ['groups', t('Group rows ({0})', counts.groupRows)],
    ['all', t('Group and image rows')],
  ] as const;
  return (
    <select
      class="input"
      aria-label={t('Rows to show')}
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

/** Copies with or without the header; Ctrl+C then does the same. */
function CopyButton({ store: { cells, output } }: ToolbarProps) {
  const { rows, columns } = cells.size.value;
  const choice = (header: boolean, label: string) => ({
    label,
    checked: output.withHeader.peek() === header,
    run: () => void output.copy(header),
  });
  return (
    <IconButton
      icon="copy"
      label={t('Copy Selection')}
      aria-haspopup="menu"
      disabled={rows * columns === 0}
      onClick={({ currentTarget }) =>
        openMenu(currentTarget, t('Copy Selection'), [
          choice(false, t('Copy Without Header')),
          choice(true, t('Copy With Header')),
        ])
      }
    />
  );
}
