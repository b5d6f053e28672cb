import { t } from '../../../pages/page/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';

interface LongSelectProps {
  label: string;
  /** The index of the selected option; −1 for `none`. */
  selected: number;
  /** The text of the option for no partner. */
  none: string;
  count: number;
  nameOf: (option: number) => string;
  disabled: boolean;
  onSelect: (option: number) => void;
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
  const select = (option: number) => {
    setReached(undefined);
    if (option !== selected) onSelect(option);
  };
  return (
    <span class="long-select">
      <select
        class="input wide"
        aria-label={label}
        disabled={disabled}
        value={String(value)}
        // The options are created before the list opens.
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
          const option = Number(event.currentTarget.value);
          if (isByKey.current) setReached(option);
          else select(option);
        }}
      >
        <option value="-1">{none}</option>
        {options.map(option => (
          <option key={option} value={String(option)}>
            {nameOf(option)}
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
 * Returns the focus to the list in the same position after a comparison, unless another element has
 * it. Lists are disabled during a comparison, and the lists of paired images are removed.
 */
export function useFocusRestore(isBusy: boolean) {
  const root = useRef<HTMLElement>(null);
  const remembered = useRef<number | undefined>(undefined);
  useEffect(() => {
    const { current: position } = remembered;
    if (isBusy || position === undefined) return;
    remembered.current = undefined;
    if (document.activeElement !== document.body) return;
    const lists = [...(root.current?.querySelectorAll('select') ?? [])];
    (lists[position] ?? lists.at(-1) ?? root.current?.querySelector('button'))?.focus();
  });
  return {
    root,
    /** Call when an option was selected in the list at this position within the root. */
    rememberSelect: (position: number) => {
      remembered.current = position;
    },
  };
}
