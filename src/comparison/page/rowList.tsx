import { type ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

interface RowListProps {
  label: string;
  count: number;
  /** Height of a row in CSS pixels. */
  rowHeight: number;
  /** The selected row, which is scrolled into view; −1 for none. */
  selected: number;
  onSelect: (index: number) => void;
  row: (index: number) => ComponentChildren;
  class?: string;
}

/** Number of rows created beyond the visible ones, so that none is missing while scrolling. */
const SPARE_ROWS = 4;

/**
 * A list of rows of equal height. Only visible rows are created, as there may be 100,000. Arrow
 * keys select.
 */
export function RowList({
  label,
  count,
  rowHeight,
  selected,
  onSelect,
  row,
  class: extraClass = '',
}: RowListProps) {
  const root = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const id = useId();
  const measure = () => {
    const { scrollTop: top = 0, clientHeight: height = 0 } = root.current ?? {};
    setView(before => (before.top === top && before.height === height ? before : { top, height }));
  };
  useEffect(() => {
    const list = root.current;
    if (!list) return undefined;
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const list = root.current;
    if (!list || selected < 0) return;
    const top = selected * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (top + rowHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top + rowHeight - list.clientHeight;
    measure();
  }, [selected, count, rowHeight]);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - SPARE_ROWS);
  const end = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + SPARE_ROWS);
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const steps: Partial<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -count,
      End: count,
    };
    const step = steps[event.key];
    if (step === undefined || count === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const from = selected < 0 && step > 0 ? -1 : selected;
    onSelect(Math.max(0, Math.min(count - 1, from + step)));
  };
  const isSelectedCreated = selected >= first && selected < end;
  return (
    <div
      ref={root}
      class={`row-list ${extraClass}`}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      {...(isSelectedCreated && { 'aria-activedescendant': `${id}-${selected}` })}
      onScroll={measure}
      onKeyDown={onKeyDown}
    >
      <div
        class="row-list-rows"
        ref={element => element?.style.setProperty('height', `${count * rowHeight}px`)}
      >
        {Array.from({ length: Math.max(0, end - first) }, (_, n) => first + n).map(index => (
          <div
            key={index}
            id={`${id}-${index}`}
            class="row-list-row"
            role="option"
            aria-selected={index === selected}
            aria-setsize={count}
            aria-posinset={index + 1}
            ref={element => {
              element?.style.setProperty('top', `${index * rowHeight}px`);
              element?.style.setProperty('height', `${rowHeight}px`);
            }}
            onClick={() => onSelect(index)}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
