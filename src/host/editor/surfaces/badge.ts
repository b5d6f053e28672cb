import type * as vscode from 'vscode';
import { inLabel } from '../../../words/inertText';

export type BadgedView = Pick<vscode.TreeView<unknown>, 'badge'>;

/** Shows a count on the icon of a view; none for 0. */
export function setBadge(view: BadgedView, value: number, tooltip: string): void {
  if ((view.badge?.value ?? 0) === value) return;
  view.badge = value === 0 ? undefined : { value, tooltip: inLabel(tooltip) };
}
