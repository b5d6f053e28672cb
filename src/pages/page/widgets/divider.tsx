import type { TargetedPointerEvent } from 'preact';
import { useRef } from 'preact/hooks';

const KEY_STEP = 16;
const LARGE_STEP = 80;

interface DividerProps {
  label: string;
  /** ID of the element that is resized. It comes after the divider, unless `isAfter`. */
  controls: string;
  /** Whether the divider comes after the element that it resizes. */
  isAfter?: boolean;
  hidden?: boolean;
  /** Whether the areas are side by side, with a vertical divider between them. */
  beside: boolean;
  /** Current size and limits of the element, in CSS pixels. */
  sizing: { size: number; min: number; max: number };
  /**
   * Called with the wanted size in CSS pixels, not limited; undefined to reset, on double-click.
   */
  resize: (size: number | undefined) => void;
}

/** A line between two areas that resizes the second one: by dragging, arrow keys, Home and End. */
export function Divider({ label, controls, isAfter = false, hidden, beside, sizing, resize }: DividerProps) {
  const { size, min, max } = sizing;
  const grabbed = useRef<{ position: number; size: number } | undefined>(undefined);
  const positionOf = (event: PointerEvent) => (beside ? event.clientX : event.clientY);
  const grab = (event: TargetedPointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    grabbed.current = { position: positionOf(event), size };
  };
  const drag = (event: PointerEvent) => {
    const { current: start } = grabbed;
    if (start) resize(start.size + (start.position - positionOf(event)) * (isAfter ? -1 : 1));
  };
  const press = (event: KeyboardEvent) => {
    const step = event.shiftKey ? LARGE_STEP : KEY_STEP;
    const growth = isAfter ? -step : step;
    const targets: Record<string, number> = {
      [beside ? 'ArrowLeft' : 'ArrowUp']: size + growth,
      [beside ? 'ArrowRight' : 'ArrowDown']: size - growth,
      Home: min,
      End: max,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize(target);
  };
  return (
    <div
      class={beside ? 'divider beside' : 'divider'}
      role="separator"
      tabIndex={0}
      title={label}
      aria-label={label}
      aria-controls={controls}
      aria-orientation={beside ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(size)}
      aria-valuemin={Math.round(min)}
      aria-valuemax={Math.round(max)}
      hidden={hidden}
      onPointerDown={grab}
      onPointerMove={drag}
      onLostPointerCapture={() => (grabbed.current = undefined)}
      onDblClick={() => resize(undefined)}
      onKeyDown={press}
    />
  );
}
