import { iconButton } from '../../../pages/page/widgets/element';
import type { TableText } from '../../../pages/page/pageText';

export type SortDirection = 'asc' | 'desc';

export interface ColumnActionsOptions {
  text: TableText;
  /** The column's name. */
  name: string;
  sorted: SortDirection | null;
  pinned: boolean;
  /** The last column shown cannot be hidden. */
  canHide: boolean;
  sort: (direction: SortDirection | null) => void;
  pin: (pinned: boolean) => void;
  hide: () => void;
}

/** What can be done with a column from its header besides filtering: buttons that show what is in force. */
export function columnActions(options: ColumnActionsOptions): HTMLElement[] {
  const { text, name, sorted, pinned, canHide, sort, pin, hide } = options;
  const toggle = (icon: string, label: string, on: boolean, run: () => void) => {
    const button = iconButton(icon, label, run);
    button.setAttribute('aria-pressed', String(on));
    return button;
  };
  const direction = (icon: string, key: 'sortAscending' | 'sortDescending', each: SortDirection) =>
    toggle(icon, text.get(key, name), sorted === each, () => sort(sorted === each ? null : each));
  const hiding = iconButton('eye-closed', text.get('hideColumn', name), hide);
  hiding.disabled = !canHide;
  return [
    direction('arrow-up', 'sortAscending', 'asc'),
    direction('arrow-down', 'sortDescending', 'desc'),
    toggle(pinned ? 'pinned' : 'pin', text.get(pinned ? 'unpinColumn' : 'pinColumn', name), pinned, () =>
      pin(!pinned),
    ),
    hiding,
  ];
}
