import * as vscode from 'vscode';
import { Pager } from '../../api/pager';
import type { FilesystemItem } from '../../api/wire';
import { DisposableStore } from '../../base/disposable';
import type { AccountSession } from '../accountSession';
import type { StepResult } from '../multiStep';
import { dress, loadInto, type PickPlace } from '../pagedPick';

interface ItemEntry extends vscode.QuickPickItem {
  resource: FilesystemItem;
}

interface Level {
  name: string;
  pager: Pager<FilesystemItem>;
}

/** Filesystem items ticked over any number of folders. Folders can be ticked as a whole or opened by their button. */
export function pickItems(
  session: AccountSession,
  before: readonly string[],
  place: Omit<PickPlace, 'placeholder' | 'empty'>,
): Promise<StepResult<string[]>> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<ItemEntry>());
  const controller = new AbortController();
  const ticked = new Set(before);
  const levels: Level[] = [open(session, vscode.l10n.t('Files'))];
  const enter: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('folder-opened'),
    tooltip: vscode.l10n.t('Open this folder'),
  };
  const up: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('arrow-up'),
    tooltip: vscode.l10n.t('To the folder above'),
  };
  const more: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('ellipsis'),
    tooltip: vscode.l10n.t('Load more'),
  };
  pick.canSelectMany = true;
  dress(pick, { ...place, placeholder: '', empty: '' });

  const level = () => levels[levels.length - 1] ?? open(session, '');
  const draw = () => {
    const { pager } = level();
    pick.placeholder = [
      levels.map(({ name }) => name).join(' / '),
      pager.items.length === 0 && !pager.mayHaveMore
        ? vscode.l10n.t('nothing here')
        : vscode.l10n.t('tick what to analyse ({0} ticked)', ticked.size),
    ].join(': ');
    const items = pager.items.map(resource => ({
      label: `$(${resource.__t === 'Folder' ? 'folder' : 'file-media'}) ${resource.name ?? resource.id}`,
      resource,
      buttons: resource.__t === 'Folder' ? [enter] : [],
    }));
    pick.items = items;
    pick.selectedItems = items.filter(({ resource }) => ticked.has(resource.id));
    pick.buttons = [
      ...(place.canGoBack ? [vscode.QuickInputButtons.Back] : []),
      ...(levels.length > 1 ? [up] : []),
      ...(pager.mayHaveMore ? [more] : []),
    ];
  };
  const load = () => void loadInto(pick, level().pager, draw, controller.signal);
  const showLevel = () => {
    pick.value = '';
    draw();
    if (level().pager.items.length === 0) load();
  };

  return new Promise(resolve => {
    let answered = false;
    const finish = (result: StepResult<string[]>) => {
      answered = true;
      resolve(result);
      pick.hide();
    };
    store.add(
      pick.onDidChangeSelection(selected => {
        // Only what is on the screen was (un)ticked; other folders keep their ticks.
        for (const { resource } of pick.items) ticked.delete(resource.id);
        for (const { resource } of selected) ticked.add(resource.id);
      }),
    );
    store.add(
      pick.onDidTriggerItemButton(({ item }) => {
        levels.push(open(session, item.resource.name ?? item.resource.id, item.resource.id));
        showLevel();
      }),
    );
    store.add(
      pick.onDidTriggerButton(button => {
        if (button === up) {
          levels.pop();
          showLevel();
        } else if (button === more) load();
        else finish({ kind: 'back' });
      }),
    );
    store.add(
      pick.onDidAccept(() => {
        if (ticked.size > 0) finish({ kind: 'answer', value: [...ticked] });
        else pick.placeholder = vscode.l10n.t('Tick at least one item');
      }),
    );
    store.add(
      pick.onDidHide(() => {
        controller.abort();
        store.dispose();
        if (!answered) resolve({ kind: 'cancelled' });
      }),
    );
    pick.show();
    showLevel();
  });
}

function open(session: AccountSession, name: string, folderId?: string): Level {
  const pager = new Pager<FilesystemItem>((startingAfter, signal) =>
    session.client.listFilesystemItems(
      { ...(startingAfter && { startingAfter }), ...(folderId && { folderId }) },
      signal,
    ),
  );
  return { name, pager };
}
