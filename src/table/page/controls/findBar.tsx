import { IconButton } from '../../../pages/page/widgets/parts';
import type { TableStore } from '../state/tableStore';

interface FindProps {
  store: TableStore;
}

/** Finds text in the cells of the view: Enter goes to the next one, Shift+Enter to the one before. */
export function FindBar({ store }: FindProps) {
  const { find, rows, text } = store;
  const { search } = find;
  return (
    <div class="find-bar" role="search">
      <div class="input find-box">
        <input
          type="search"
          class="find-input"
          placeholder={text.get('find')}
          aria-label={text.get('find')}
          title={text.get('findHint')}
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
          label={text.get('findCase')}
          aria-pressed={search.value.caseSensitive === true}
          onClick={() => find.toggle('caseSensitive')}
        />
        <IconButton
          icon="whole-word"
          label={text.get('findWholeCell')}
          aria-pressed={search.value.wholeCell === true}
          onClick={() => find.toggle('wholeCell')}
        />
      </div>
      <IconButton icon="arrow-up" label={text.get('findPrevious')} onClick={() => find.next(true)} />
      <IconButton icon="arrow-down" label={text.get('findNext')} onClick={() => find.next()} />
    </div>
  );
}

function Count({ store: { find, text } }: FindProps) {
  const found = find.matches.value;
  const words = ({ matches, isCut, index }: NonNullable<typeof found>) => {
    if (index !== null) return text.get(isCut ? 'findMany' : 'findIndex', index + 1, matches);
    return isCut ? text.get('findManyMatches', matches) : text.count('findMatches', matches);
  };
  return (
    <span class="find-count" aria-live="off">
      {found && words(found)}
    </span>
  );
}

/** Focuses the text to find. */
export function focusFind(): void {
  const input = document.querySelector<HTMLInputElement>('.find-input');
  input?.focus();
  input?.select();
}
