import type { Point } from './viewTransform';

const SAME_PLACE = 4;

/** A click on objects that lie over each other: where it was, and which of them it selected. */
export interface ClickedStack {
  at: Point;
  candidates: readonly number[];
  position: number;
}

/**
 * Which of the objects under a click is meant, smallest first: another click at the same place (in panel pixels), or one
 * with Alt on an object that is selected already, goes to the next beneath.
 */
export function nextInStack(
  before: ClickedStack | undefined,
  candidates: readonly number[],
  at: Point,
  selected: number | null,
  step: boolean,
): ClickedStack | undefined {
  if (candidates.length === 0) return undefined;
  const selectedAt = selected === null ? -1 : candidates.indexOf(selected);
  const again = before !== undefined && Math.hypot(at.x - before.at.x, at.y - before.at.y) <= SAME_PLACE;
  const position = selectedAt >= 0 && (again || step) ? (selectedAt + 1) % candidates.length : 0;
  return { at, candidates, position };
}
