/** How a node of a tree is shown: plain data for the editor to render. */
export interface TreeItemData {
  /** Unique in its tree; keeps the selection over a refresh. */
  id?: string;
  label: string;
  description?: string;
  /** A line each, made only when the user hovers over the node. */
  tooltip?: () => string[];
  /** What `viewItem` is in the `when` clauses of package.json. */
  contextValue: string;
  /** A product icon; `folder` is the file icon theme's. */
  icon?: string;
  /** Color of the icon, by its ID in the theme. */
  iconColor?: string;
  /** What a screen reader says; the label where it is missing. */
  accessibleLabel?: string;
  expandable?: boolean;
  /** Whether its children are shown from the beginning. */
  isExpanded?: boolean;
  /** Runs on a click, with the node. */
  command?: string;
}
