import { t } from '../../../pages/page/l10n';
import { IconButton } from '../../../pages/page/widgets/parts';
import type { TableStore } from '../state/tableStore';

interface FindProps {
  store: TableStore;
}

/**
 * Finds text in the cells of the view. Enter goes to the next match, Shift+Enter to the previous
 * one.
 */
export function FindBar({ store }: FindProps) {
  const { find, rows } = store;
  const { search } = find;
  return (
    <div class="find-bar" role="search">
      <div class="input find-box">
        <input
          type="search"
          class="find-input"
          placeholder={t({ message: 'Find', comment: 'Verb: find text in the table' })}
          aria-label={t({ message: 'Find', comment: 'Verb: find text in the table' })}
          title={t('Enter finds the next cell, Shift+Enter the previous one')}
          aria-invalid={find.hasNone.value}
          value={search.value.text}
          onInput={({ currentTarget }) => find.type(currentTarget.value)}
          onKeyDown={event => {
            if (event.key === 'Enter') find.next(event.shiftKey);
            else if (event.key === 'Escape') {
              find.clear();
              rows.enterGrid();
            } else return;
            event.preventDefault();
          }}
        />
        <Count store={store} />
        <IconButton
          icon="case-sensitive"
          label={t('Match Case')}
          aria-pressed={search.value.caseSensitive === true}
          onClick={() => find.toggle('caseSensitive')}
        />
        <IconButton
          icon="whole-word"
          label={t('Match Whole Cell')}
          aria-pressed={search.value.wholeCell === true}
          onClick={() => find.toggle('wholeCell')}
        />
      </div>
      <IconButton icon="arrow-up" label={t('Previous Match')} onClick={() => find.next(true)} />
      <IconButton icon="arrow-down" label={t('Next Match')} onClick={() => find.next()} />
    </div>
  );
}

function Count({ store: { find } }: FindProps) {
  const counted = find.matches.value;
  const words = ({ matches, isCut, index }: NonNullable<typeof counted>) => {
    if (index !== null)
      return isCut ? t('{0} of {1}+', index + 1, matches) : t('{0} of {1}', index + 1, matches);
    return isCut ? t('{0}+ matches', matches) : t.count(matches, '1 match', '{0} matches');
  };
  return (
    <span class="find-count" aria-live="off">
      {counted && words(counted)}
    </span>
  );
}

/** Focuses the search box. */
export function focusFind(): void {
  const input = document.querySelector<HTMLInputElement>('.find-input');
  input?.focus();
  input?.select();
}
