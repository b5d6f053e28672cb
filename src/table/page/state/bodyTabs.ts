import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/**
 * What the middle of the page shows: the rows, and groups and the drawer besides them, which is
 * called after what is in it.
 */
export type BodyPart = 'rows' | 'groups' | 'plots';

interface OpenPart {
  isOpen: ReadonlySignal<boolean>;
  /** Whether there is no room for it besides the rows. */
  isOver: ReadonlySignal<boolean>;
}

interface BodyTabsOptions {
  groups: OpenPart;
  /** Absent where no subject adds one. */
  drawer?: (OpenPart & { leave: () => void }) | undefined;
  leaveGroups: () => void;
  /** The part that was in front when the page was left. */
  front: BodyPart | undefined;
  save: (front: BodyPart) => void;
}

/**
 * Where rows, groups and plots have no room for all that are open, they have tabs, and one of them
 * is shown at a time: squeezed, none would show what it is for. What was opened last is in front.
 */
export class BodyTabs {
  /** The parts with a tab; none where all that are open have room. */
  readonly parts: ReadonlySignal<readonly BodyPart[]>;
  /** The one of them that is shown; undefined where there are no tabs. */
  readonly front: ReadonlySignal<BodyPart | undefined>;
  private readonly wanted: Signal<BodyPart>;

  constructor(private readonly options: BodyTabsOptions) {
    const { groups, drawer, front } = options;
    this.wanted = signal(front ?? (drawer?.isOpen.peek() ? 'plots' : 'groups'));
    this.parts = computed(() => {
      // Plots beside the rows and groups stay there, whatever these do.
      const arePlotsOver = drawer !== undefined && drawer.isOpen.value && drawer.isOver.value;
      const areGroupsOver = groups.isOpen.value && (arePlotsOver || groups.isOver.value);
      if (!arePlotsOver && !areGroupsOver) return [];
      return [
        'rows',
        ...(areGroupsOver ? ['groups' as const] : []),
        ...(arePlotsOver ? ['plots' as const] : []),
      ];
    });
    this.front = computed(() => {
      const parts = this.parts.value;
      return parts.includes(this.wanted.value) ? this.wanted.value : parts.at(-1);
    });
    for (const [part, open] of [['groups', groups] as const, ['plots', drawer] as const]) {
      if (!open) continue;
      const { isOpen } = open;
      let wasOpen = isOpen.peek();
      effect(() => {
        const isNow = isOpen.value;
        if (isNow !== wasOpen) this.show(isNow ? part : 'rows');
        wasOpen = isNow;
      });
    }
  }

  /** Whether a part is to be seen, if it is open. */
  isSeen(part: BodyPart): boolean {
    return !this.parts.value.includes(part) || this.front.value === part;
  }

  /** Brings a part to the front. */
  show(part: BodyPart): void {
    if (this.wanted.peek() === part) return;
    this.wanted.value = part;
    this.options.save(part);
  }

  /** Brings the rows to the front where something else is. */
  showRows(): void {
    if (this.parts.peek().length > 0) this.show('rows');
  }

  /** Closes what is in front, and goes back to the rows. */
  close(): void {
    const front = this.front.peek();
    if (front === 'groups') this.options.leaveGroups();
    else if (front === 'plots') this.options.drawer?.leave();
  }
}
