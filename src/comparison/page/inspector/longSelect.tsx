import { t } from '../../../pages/page/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';

interface LongSelectProps {
  label: string;
  /** The index of the selected option; −1 for `none`. */
  selected: number;
  /** The text of the option for no partner. */
  none: string;
  count: number;
  nameOf: (at: number) => string;
  disabled: boolean;
  onSelect: (at: number) => void;
}

/** Number of options created at once; more are created when the list is used. */
const MAX_READY = 8;

/** Whether arrow keys open a closed list; on other systems they select the next option. */
const ARROWS_OPEN = /^Mac/.test(navigator.platform);

/**
 * A list whose options are created on use: thousands of lists with thousands of options would be
 * millions of elements. In the closed list, keys only move to an option; Enter or leaving the list
 * selects it, as each comparison takes a while.
 */
export function LongSelect({ label, selected, none, count, nameOf, disabled, onSelect }: LongSelectProps) {
  const [isInUse, setInUse] = useState(false);
  /** The option that keys moved to in the closed list. */
  const [reached, setReached] = useState<number>();
  const isByKey = useRef(false);
  const value = reached ?? selected;
  const options = isInUse || count <= MAX_READY ? [...Array(count).keys()] : value < 0 ? [] : [value];
  const select = (at: number) => {
    setReached(undefined);
    if (at !== selected) onSelect(at);
  };
  return (
    <span class="long-select">
      <select
        class="input wide"
        aria-label={label}
        disabled={disabled}
        value={String(value)}
        // Before the list opens.
        onPointerDown={() => {
          isByKey.current = false;
          setInUse(true);
        }}
        onFocus={() => setInUse(true)}
        onBlur={() => {
          setInUse(false);
          select(value);
        }}
        onKeyDown={event => {
          const { key, altKey } = event;
          // An open list handles keys itself.
          const opens = key === ' ' || key === 'F4' || (key.startsWith('Arrow') && (altKey || ARROWS_OPEN));
          isByKey.current = !opens;
          if (reached === undefined || (key !== 'Enter' && key !== 'Escape')) return;
          event.preventDefault();
          event.stopPropagation();
          if (key === 'Enter') select(reached);
          else setReached(undefined);
        }}
        onChange={event => {
          const at = Number(event.currentTarget.value);
          if (isByKey.current) setReached(at);
          else select(at);
        }}
      >
        <option value="-1">{none}</option>
        {options.map(at => (
          <option key={at} value={String(at)}>
            {nameOf(at)}
          </option>
        ))}
      </select>
      {reached !== undefined && (
        <span class="hint" role="status">
          {t('Press Enter to compare.')}
        </span>
      )}
    </span>
  );
}

/**
 * Returns the focus to the list in the same position after a comparison, if nothing else has it.
 * Lists are disabled during a comparison, and the lists of paired images are removed.
 */
export function useFocusBack(isBusy: boolean) {
  const root = useRef<HTMLElement>(null);
  const place = useRef<number | undefined>(undefined);
  useEffect(() => {
    const { current: at } = place;
    if (isBusy || at === undefined) return;
    place.current = undefined;
    if (document.activeElement !== document.body) return;
    const lists = [...(root.current?.querySelectorAll('select') ?? [])];
    (lists[at] ?? lists.at(-1) ?? root.current?.querySelector('button'))?.focus();
  });
  return {
    root,
    /** An option was selected in the list at this position within the root. */
    selectedIn: (at: number) => {
      place.current = at;
    },
  };
}
