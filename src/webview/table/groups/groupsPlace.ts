import type { TableText } from '../../page/pageText';
import { Divider } from '../../widgets/divider';
import { CLOSED_GROUPS, type GroupsState } from './groupsState';

const MIN_HEIGHT = 120;
const MIN_WIDTH = 280;
/** Groups and plots are side by side from this width on. */
const WIDE = 1000;
/** What is left of the height for the rows, and of the width for the plots. */
const MAX_SHARE = 0.7;

export interface GroupsPlaceOptions {
  text: TableText;
  root: () => HTMLElement;
  state: () => GroupsState;
  /** Height of all groups with the head above them; undefined while none are shown. */
  contentHeight: () => number | undefined;
  onSize: (size: Pick<GroupsState, 'width'> | Pick<GroupsState, 'height'>) => void;
}

/** Where the groups are: below the rows, or beside the plots where both are below and the page is wide; and how large. */
export class GroupsPlace {
  readonly divider: HTMLElement;
  private readonly handle: Divider;
  private plotsAreBelow = false;

  constructor(private readonly options: GroupsPlaceOptions) {
    this.handle = new Divider({
      label: options.text.get('resizeGroups'),
      controls: 'groups',
      onResize: size => this.resize(size),
      onReset: () => this.resize(this.isBeside ? CLOSED_GROUPS.width : CLOSED_GROUPS.height),
    });
    this.divider = this.handle.root;
  }

  /** Lays out what is in the document; `plotsAreBelow` while plots are open below the rows. */
  arrange(plotsAreBelow = this.plotsAreBelow): void {
    this.plotsAreBelow = plotsAreBelow;
    const root = this.options.root();
    const { open, height, width } = this.options.state();
    const around = root.parentElement;
    const beside = this.isBeside;
    root.hidden = !open;
    // No higher than all groups are.
    const content = (beside ? undefined : this.options.contentHeight()) ?? Number.MAX_SAFE_INTEGER;
    const max = Math.min(this.maxSize, content);
    const size = Math.round(Math.min(beside ? width : height, max));
    root.style.height = beside ? '' : `${size}px`;
    root.style.width = beside ? `${size}px` : '';
    around?.classList.toggle('groups-beside-plots', beside);
    around?.style.setProperty('--groups-width', beside ? `${size}px` : '0px');
    this.handle.show({ beside, size, min: Math.min(this.minSize, max), max });
  }

  /** Follows the size of the page. Call once the groups are in the document. */
  attached(): void {
    const around = this.options.root().parentElement;
    if (around) new ResizeObserver(() => this.arrange()).observe(around);
  }

  private get isBeside(): boolean {
    const { root, state } = this.options;
    return state().open && this.plotsAreBelow && (root().parentElement?.clientWidth ?? 0) >= WIDE;
  }

  private get minSize(): number {
    return this.isBeside ? MIN_WIDTH : MIN_HEIGHT;
  }

  private get maxSize(): number {
    const around = this.options.root().parentElement;
    const room = (this.isBeside ? around?.clientWidth : around?.clientHeight) ?? 0;
    return room > 0 ? Math.max(this.minSize, room * MAX_SHARE) : Number.MAX_SAFE_INTEGER;
  }

  private resize(size: number): void {
    const limited = Math.max(this.minSize, Math.min(this.maxSize, size));
    this.options.onSize(this.isBeside ? { width: limited } : { height: limited });
  }
}
