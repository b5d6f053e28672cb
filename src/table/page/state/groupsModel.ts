import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { GroupsState } from './groupsState';

/** The groups below the rows: of what, in which order, and where; each change is saved with the view at once. */
export class GroupsModel {
  readonly isOpen: ReadonlySignal<boolean>;
  private readonly now: Signal<GroupsState>;

  constructor(
    state: GroupsState,
    private readonly save: (state: GroupsState) => void,
  ) {
    this.now = signal(state);
    this.isOpen = computed(() => this.now.value.open);
  }

  get state(): ReadonlySignal<GroupsState> {
    return this.now;
  }

  /** Undefined removes what may be absent. */
  change(changes: { [K in keyof GroupsState]?: GroupsState[K] | undefined }): void {
    const state = { ...this.now.peek(), ...changes };
    this.now.value = Object.fromEntries(
      Object.entries(state).filter(([, value]) => value !== undefined),
    ) as unknown as GroupsState;
    this.save(this.now.peek());
  }
}
