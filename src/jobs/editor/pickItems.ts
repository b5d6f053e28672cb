import * as vscode from 'vscode';
import type { FilesystemItem } from '../../service/wire';
import { DisposableStore } from '../../base/disposable';
import type { JobSession } from '../node/jobSessions';
import { ItemSelection, type SelectedItem } from '../node/itemSelection';
import { itemIcon } from '../../uploads/node/itemIcon';
import type { StepResult } from '../../host/steps';
import { applyPlace, loadInto, type PickPlace } from '../../host/editor/pagedPick';
import { createQuickPick } from '../../host/editor/surfaces/quickPick';

interface ItemEntry extends vscode.QuickPickItem {
  resource: FilesystemItem;
}

/** Lets a person select filesystem items over any number of folders. A folder can be selected as a whole or opened by its button. */
export function pickItems(
  session: JobSession,
  before: readonly SelectedItem[],
  place: Omit<PickPlace, 'placeholder' | 'empty'>,
): Promise<StepResult<SelectedItem[]>> {
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<ItemEntry>());
  const controller = new AbortController();
  const selection = new ItemSelection(session, before);
  const openFolder: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('folder-opened'),
    tooltip: vscode.l10n.t('Open Folder'),
  };
  const openParent: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('arrow-up'),
    tooltip: vscode.l10n.t('Go to Parent Folder'),
  };
  const loadMore: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('ellipsis'),
    tooltip: vscode.l10n.t('Load More'),
  };
  pick.canSelectMany = true;
  applyPlace(pick, { ...place, placeholder: '', empty: '' });

  const draw = () => {
    const { list, path, notListed } = selection;
    const listed = list.items;
    // VS Code counts what is selected of those listed.
    pick.placeholder = [
      [vscode.l10n.t('Files'), ...path].join(' / '),
      listed.length === 0 && !list.mayHaveMore
        ? vscode.l10n.t('this folder is empty')
        : notListed === 0
          ? vscode.l10n.t('select items to analyze')
          : vscode.l10n.t('select items to analyze ({0} more selected, not listed here)', notListed),
    ].join(': ');
    const items = listed.map(resource => ({
      label: resource.name ?? resource.id,
      iconPath: new vscode.ThemeIcon(itemIcon(resource)),
      resource,
      buttons: resource.__t === 'Folder' ? [openFolder] : [],
    }));
    pick.items = items;
    // As the pick has them: what it shows are not these very objects.
    pick.selectedItems = pick.items.filter(({ resource }) => selection.isSelected(resource.id));
    pick.buttons = [
      ...(place.canGoBack ? [vscode.QuickInputButtons.Back] : []),
      ...(path.length > 0 ? [openParent] : []),
      ...(list.mayHaveMore ? [loadMore] : []),
    ];
  };
  const load = () => void loadInto(pick, selection.list, draw, controller.signal);
  const showFolder = () => {
    pick.value = '';
    draw();
    if (selection.list.items.length === 0) load();
  };

  return new Promise(resolve => {
    let isFinished = false;
    const finish = (result: StepResult<SelectedItem[]>) => {
      isFinished = true;
      resolve(result);
      pick.hide();
    };
    store.add(
      pick.onDidChangeSelection(selected => {
        selection.selectListed(
          pick.items.map(({ resource }) => resource),
          selected.map(({ resource }) => resource),
        );
      }),
    );
    store.add(
      pick.onDidTriggerItemButton(({ item }) => {
        selection.openFolder(item.resource);
        showFolder();
      }),
    );
    store.add(
      pick.onDidTriggerButton(button => {
        if (button === openParent) {
          selection.openParent();
          showFolder();
        } else if (button === loadMore) load();
        else finish({ kind: 'back' });
      }),
    );
    store.add(
      pick.onDidAccept(() => {
        const { items } = selection;
        if (items.length > 0) finish({ kind: 'value', value: items });
        else pick.placeholder = vscode.l10n.t('Select at least one item');
      }),
    );
    store.add(
      pick.onDidHide(() => {
        controller.abort();
        store.dispose();
        if (!isFinished) resolve({ kind: 'canceled' });
      }),
    );
    pick.show();
    showFolder();
  });
}
