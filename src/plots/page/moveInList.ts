import type { MoveKey } from './moveKey';

/** The item of a list that a key moves to. With `down` ArrowDown moves forward, else ArrowUp does. */
export function moveInList(
  from: number | undefined,
  key: MoveKey,
  count: number,
  { down }: { down: boolean },
): number | undefined {
  if (count === 0) return undefined;
  if (key === 'End') return count - 1;
  if (key === 'Home' || from === undefined) return 0;
  const isForward = key === 'ArrowRight' || key === (down ? 'ArrowDown' : 'ArrowUp');
  return Math.max(0, Math.min(count - 1, from + (isForward ? 1 : -1)));
}
