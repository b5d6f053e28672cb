import { filterChanges, filterSlot } from './filterChanges';
import { joinedStep, withoutRowSets, type ViewStep } from './viewStep';

/** Steps that are kept, and the characters that they take at most as JSON: they are saved with the view. */
const MAX_STEPS = 100;
const MAX_CHARACTERS = 64_000;

/** Steps that can be undone, and steps that were; the latest of each is last. */
export interface SavedHistory {
  past: ViewStep[];
  future: ViewStep[];
}

export const NO_HISTORY: SavedHistory = { past: [], future: [] };

export type HistoryMove = 'undo' | 'redo';

/** The steps that the user took, and how far they are undone. */
export class ViewHistory {
  private past: ViewStep[];
  private future: ViewStep[];
  /** Whether the latest step was made by the gesture that still goes on. */
  private goesOn = false;

  constructor({ past, future }: SavedHistory) {
    this.past = [...past];
    this.future = [...future];
  }

  get saved(): SavedHistory {
    return { past: this.past, future: this.future };
  }

  /** The step that is next to be undone or done again. */
  next(move: HistoryMove): ViewStep | undefined {
    return (move === 'undo' ? this.past : this.future).at(-1);
  }

  /** The user has changed the view. A range that is moved key by key, or a text that is typed, is one step. */
  add(step: ViewStep): void {
    const last = this.past.at(-1);
    const isSameThing = last && continuedFilter(last) === (continuedFilter(step) ?? '');
    const next = this.goesOn && isSameThing ? joinedStep(last, step) : step;
    if (next !== step) this.past.pop();
    if (next) this.past.push(next);
    this.goesOn = next !== undefined;
    this.future = [];
    this.trim();
  }

  /** The user does something else now: its changes are a step of their own. */
  endGesture(): void {
    this.goesOn = false;
  }

  /** The next step was undone or done again. */
  moved(move: HistoryMove): void {
    const [from, to] = move === 'undo' ? [this.past, this.future] : [this.future, this.past];
    const step = from.pop();
    if (step) to.push(step);
    this.endGesture();
  }

  /** The next step can't be undone or done again. */
  discard(move: HistoryMove): void {
    (move === 'undo' ? this.past : this.future).pop();
  }

  /** Row sets of the masks are gone. */
  forgetRowSets(): void {
    const { past, future } = withoutRowSetsOf(this.saved);
    this.past = past;
    this.future = future;
  }

  /** Drops the oldest steps, but never the latest. */
  private trim(): void {
    let characters = 0;
    const first = this.past.findLastIndex((step, at) => {
      characters += JSON.stringify(step).length;
      return at < this.past.length - 1 && characters > MAX_CHARACTERS;
    });
    this.past.splice(0, Math.max(first + 1, this.past.length - MAX_STEPS));
  }
}

/** A saved history of the same table. Row sets of the masks may be gone, but for the one named. */
export function validHistory(saved: Partial<SavedHistory> | undefined, selectedSet?: number): SavedHistory {
  const steps = (of: unknown) => (Array.isArray(of) ? (of as ViewStep[]) : []);
  return withoutRowSetsOf({ past: steps(saved?.past), future: steps(saved?.future) }, selectedSet);
}

function withoutRowSetsOf({ past, future }: SavedHistory, selectedSet?: number): SavedHistory {
  const valid = (steps: readonly ViewStep[]) =>
    steps.flatMap(step => withoutRowSets(step, selectedSet) ?? []);
  return { past: valid(past), future: valid(future) };
}

/** The filter that is all a step changed, if it is one that changes gradually: a range or a text. */
function continuedFilter({ before, after }: ViewStep): string | undefined {
  if (Object.keys(after).join() !== 'filters') return undefined;
  const { added, removed, changed } = filterChanges(before.filters ?? [], after.filters ?? []);
  if (changed.some(({ from, to }) => from.off !== to.off)) return undefined;
  const [only, ...others] = [...added, ...removed, ...changed.map(({ to }) => to)];
  const isGradual = only?.filter.kind === 'range' || only?.filter.kind === 'text';
  return only && isGradual && others.length === 0 ? filterSlot(only) : undefined;
}
