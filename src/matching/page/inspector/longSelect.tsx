import { useEffect, useRef, useState } from 'preact/hooks';

interface LongSelectProps {
  label: string;
  /** The option that is selected, −1 for the one without a partner. */
  selected: number;
  /** What stands for no partner. */
  none: string;
  count: number;
  nameOf: (at: number) => string;
  disabled: boolean;
  onSelect: (at: number) => void;
}

/** Options that are made at once; more are made when a person turns to the list. */
const MAX_READY = 8;

/**
 * A list to select one of many from, of which there may be as many: thousands of lists of thousands would be millions of elements.
 * Keys open it rather than select at once, as what is selected takes a while.
 */
export function LongSelect({ label, selected, none, count, nameOf, disabled, onSelect }: LongSelectProps) {
  const [isInUse, setInUse] = useState(false);
  const options = isInUse || count <= MAX_READY ? [...Array(count).keys()] : selected < 0 ? [] : [selected];
  return (
    <select
      class="input wide"
      aria-label={label}
      disabled={disabled}
      value={String(selected)}
      // Before the list opens.
      onPointerDown={() => setInUse(true)}
      onFocus={() => setInUse(true)}
      onBlur={() => setInUse(false)}
      onKeyDown={event => {
        const isTyped = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
        if (!isTyped && !event.key.startsWith('Arrow')) return;
        event.preventDefault();
        event.stopPropagation();
        event.currentTarget.showPicker();
      }}
      onChange={event => onSelect(Number(event.currentTarget.value))}
    >
      <option value="-1">{none}</option>
      {options.map(at => (
        <option key={at} value={String(at)}>
          {nameOf(at)}
        </option>
      ))}
    </select>
  );
}

/**
 * Lists are disabled while images are compared, and what was paired by one is gone then. Gives the focus back to the list at the same
 * place, if nothing else has it.
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
    /** It was selected in the list at a place among those of the root. */
    selectedIn: (at: number) => {
      place.current = at;
    },
  };
}
