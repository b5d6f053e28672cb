import { Divider, MIN_ROWS } from '../../../pages/page/widgets/divider';
import type { TableText } from '../../../pages/page/pageText';
import { CLOSED_GROUPS, type GroupsState } from '../state/groupsState';

interface GroupsPlaceOptions {
  text: TableText;
  root: () => HTMLElement;
  state: () => GroupsState;
  /** Height of all groups with the head above them; undefined while none are shown. */
  contentHeight: () => number | undefined;
  onSize: (size: Pick<GroupsState, 'width'> | Pick<GroupsState, 'height'>) => void;
  /** They are in place of the rows now, or no longer. */
  onOver: (isOver: boolean) => void;
}

/** Lays the groups out below the rows, beside the plots or in place of the rows, see groupsPosition. */
export class GroupsPlace {
  readonly divider: HTMLElement;
  private readonly handle: Divider;
  private plotsBelow = 0;

  constructor(private readonly options: GroupsPlaceOptions) {
    this.handle = new Divider({
      label: options.text.get('resizeGroups'),
      controls: 'groups',
      onResize: size => this.resize(size),
      onReset: () =>
        this.resize(this.position.where === 'beside' ? CLOSED_GROUPS.width : CLOSED_GROUPS.height),
    });
    this.divider = this.handle.root;
  }

  /** Lays out what is in the document. `plotsBelow`: the height of plots below the rows, else 0; in pixels. */
  arrange(plotsBelow = this.plotsBelow): void {
    this.plotsBelow = plotsBelow;
    const root = this.options.root();
    const { open } = this.options.state();
    const around = root.parentElement;
    const { where, size: wanted, min, max: mostRoom } = this.position;
    root.hidden = !open;
    const isOver = open && where === 'over';
    const beside = open && where === 'beside';
    // No higher than all groups are.
    const content = (where === 'below' ? this.options.contentHeight() : undefined) ?? Infinity;
    const max = Math.min(mostRoom, content);
    const size = Math.min(wanted, max);
    root.style.height = where === 'below' ? `${size}px` : '';
    root.style.width = beside ? `${size}px` : '';
    around?.classList.toggle('groups-over', isOver);
    around?.classList.toggle('groups-beside-plots', beside);
    around?.style.setProperty('--groups-width', beside ? `${size}px` : '0px');
    this.divider.hidden = isOver;
    this.handle.show({ beside, size, min: Math.min(min, max), max });
    this.options.onOver(isOver);
  }

  /** Follows the size of the page. Call once the groups are in the document. */
  attached(): void {
    const around = this.options.root().parentElement;
    if (around) new ResizeObserver(() => this.arrange()).observe(around);
  }

  private get position(): GroupsPosition {
    const { clientWidth: width = 0, clientHeight: height = 0 } = this.options.root().parentElement ?? {};
    // Before they are in the document there is as much room as is wanted.
    const room = height > 0 ? { width, height } : { width: 0, height: Infinity };
    return groupsPosition(this.options.state(), room, this.plotsBelow);
  }

  private resize(size: number): void {
    const { where, min, max } = this.position;
    const limited = Math.max(min, Math.min(max, size));
    this.options.onSize(where === 'beside' ? { width: limited } : { height: limited });
  }
}

/** Head, two headers, scroll bar, two groups and all rows. */
const MIN_HEIGHT = 180;
const MIN_WIDTH = 280;
/** Groups and plots are side by side from this width on. */
const WIDE = 1000;
/** What groups take at most of the width. */
const MAX_SHARE = 0.7;

/** Where groups are: below the rows, beside the plots, or in place of the rows where there is no room for both. In pixels. */
interface GroupsPosition {
  where: 'below' | 'beside' | 'over';
  /** Height, or width beside the plots. */
  size: number;
  min: number;
  max: number;
}

/** Where groups go in the room of rows, groups and plots. `plotsBelow`: the height of plots below the rows, else 0. */
export function groupsPosition(
  wanted: Pick<GroupsState, 'width' | 'height'>,
  room: { width: number; height: number },
  plotsBelow: number,
): GroupsPosition {
  if (plotsBelow > 0 && room.width >= WIDE) {
    const max = Math.max(MIN_WIDTH, room.width * MAX_SHARE);
    return { where: 'beside', size: between(MIN_WIDTH, wanted.width, max), min: MIN_WIDTH, max };
  }
  const max = room.height - plotsBelow - MIN_ROWS.height;
  if (max < MIN_HEIGHT) return { where: 'over', size: room.height, min: room.height, max: room.height };
  return { where: 'below', size: between(MIN_HEIGHT, wanted.height, max), min: MIN_HEIGHT, max };
}

/** Pixels below the rows that open groups need, if plots are to be there too. */
export function groupsHeightNeeded({ width }: { width: number }): number {
  return width >= WIDE ? 0 : MIN_HEIGHT;
}

function between(min: number, size: number, max: number): number {
  return Math.round(Math.max(min, Math.min(max, size)));
}
