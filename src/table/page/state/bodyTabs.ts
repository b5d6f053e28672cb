import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** A part of the page's middle: rows, groups, or a drawer, which is named after its content. */
export type BodyPart = 'rows' | 'groups' | 'plots';

interface OpenPart {
  isOpen: ReadonlySignal<boolean>;
  /** Whether the part has no room beside the rows. */
  isOver: ReadonlySignal<boolean>;
}

interface BodyTabsOptions {
  groups: OpenPart;
  /** Absent if no subject adds a drawer. */
  drawer?: (OpenPart & { leave: () => void }) | undefined;
  leaveGroups: () => void;
  /** The saved part in front. */
  front: BodyPart | undefined;
  save: (front: BodyPart) => void;
}

/**
 * Tabs for rows, groups and plots. If not all of them fit, one is shown at a time, as all would be
 * too small to be useful. The part that was opened last is in front.
 */
export class BodyTabs {
  /** The parts with a tab; empty if all open parts fit. */
  readonly parts: ReadonlySignal<readonly BodyPart[]>;
  /** The part in front; undefined without tabs. */
  readonly front: ReadonlySignal<BodyPart | undefined>;
  /** The part that was opened or brought to the front last, whether it has a tab or not. */
  private readonly lastOpened: Signal<BodyPart>;

  constructor(private readonly options: BodyTabsOptions) {
    const { groups, drawer, front } = options;
    this.lastOpened = signal(front ?? (drawer?.isOpen.peek() ? 'plots' : 'groups'));
    this.parts = computed(() => {
      // Plots that fit beside rows or groups need no tab.
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
      return parts.includes(this.lastOpened.value) ? this.lastOpened.value : parts.at(-1);
    });
    for (const [part, openPart] of [['groups', groups] as const, ['plots', drawer] as const]) {
      if (!openPart) continue;
      const { isOpen } = openPart;
      let wasOpen = isOpen.peek();
      effect(() => {
        const isOpenNow = isOpen.value;
        if (isOpenNow !== wasOpen) this.show(isOpenNow ? part : 'rows');
        wasOpen = isOpenNow;
      });
    }
  }

  /** Whether a part is visible if it is open. */
  isSeen(part: BodyPart): boolean {
    return !this.parts.value.includes(part) || this.front.value === part;
  }

  /** Brings a part to the front. */
  show(part: BodyPart): void {
    if (this.lastOpened.peek() === part) return;
    this.lastOpened.value = part;
    this.options.save(part);
  }

  /** Brings the rows to the front. */
  showRows(): void {
    if (this.parts.peek().length > 0) this.show('rows');
  }

  /** Closes the part in front, and returns to the rows. */
  close(): void {
    const front = this.front.peek();
    if (front === 'groups') this.options.leaveGroups();
    else if (front === 'plots') this.options.drawer?.leave();
  }
}
