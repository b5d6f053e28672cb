import * as vscode from 'vscode';
import { Pager } from '../../api/pager';
import type { Pipeline } from '../../api/wire';
import type { AccountSession } from '../accountSession';
import { formatMoment, shortened } from '../format';
import { PagedTree } from './pagedTree';

export class PipelineNode {
  constructor(readonly resource: Pipeline) {}

  get id(): string {
    return this.resource.id;
  }
}

/** The active pipelines of the account. */
export class PipelinesTree extends PagedTree<Pipeline, PipelineNode> {
  protected pager(session: AccountSession): Pager<Pipeline> {
    return new Pager((startingAfter, signal) =>
      session.client.listPipelines({ ...(startingAfter && { startingAfter }) }, signal),
    );
  }

  protected node(_session: AccountSession, resource: Pipeline): PipelineNode {
    return new PipelineNode(resource);
  }

  protected keyOf(node: PipelineNode): string {
    return node.id;
  }

  protected item({ resource }: PipelineNode): vscode.TreeItem {
    const item = new vscode.TreeItem(shortened(resource.description) || resource.id);
    item.id = resource.id;
    item.accessibilityInformation = { label: resource.description || resource.id };
    item.contextValue = 'pipeline';
    item.iconPath = new vscode.ThemeIcon('symbol-event');
    if (resource.createdAt) item.description = formatMoment(resource.createdAt);
    item.tooltip = [
      resource.description,
      ...(resource.createdAt ? [vscode.l10n.t('Created {0}', formatMoment(resource.createdAt))] : []),
      vscode.l10n.t('Id {0}', resource.id),
    ]
      .filter(Boolean)
      .join('\n');
    return item;
  }
}
