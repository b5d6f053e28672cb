import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { StepResult } from '../steps';
import { userMessage } from './userMessage';
import { createQuickPick } from './surfaces/quickPick';

/** A list in pages to select from; `Pager` is one. */
export interface PickSource<R> {
  readonly items: readonly R[];
  readonly mayHaveMore: boolean;
  loadMore(signal?: AbortSignal): Promise<R[]>;
}

export interface PickPlace {
  title: string;
  placeholder: string;
  step: number;
  totalSteps: number;
  canGoBack: boolean;
  /** Shown in place of an empty list. */
  empty: string;
}

/** Lets a person select one entry of a paged list; more pages are loaded on request. */
export function pickOne<R>(
  source: PickSource<R>,
  describe: (resource: R) => { label: string; description?: string; detail?: string },
  place: PickPlace,
): Promise<StepResult<R>> {
  type Item = vscode.QuickPickItem & { resource?: R; action?: 'more' };
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<Item>());
  const controller = new AbortController();
  applyPlace(pick, place);
  const draw = () => {
    const items: Item[] = source.items.map(resource => ({ ...describe(resource), resource }));
    if (source.mayHaveMore)
      items.push({ label: vscode.l10n.t('Load More…'), action: 'more', alwaysShow: true });
    if (items.length === 0) items.push({ label: place.empty });
    pick.items = items;
  };
  return new Promise(resolve => {
    let isFinished = false;
    const finish = (result: StepResult<R>) => {
      isFinished = true;
      resolve(result);
      pick.hide();
    };
    const load = () => loadInto(pick, source, draw, controller.signal);
    store.add(
      pick.onDidAccept(() => {
        const [selected] = pick.selectedItems;
        if (selected?.resource !== undefined) finish({ kind: 'value', value: selected.resource });
        else if (selected?.action === 'more') void load();
      }),
    );
    store.add(pick.onDidTriggerButton(() => finish({ kind: 'back' })));
    store.add(
      pick.onDidHide(() => {
        controller.abort();
        store.dispose();
        if (!isFinished) resolve({ kind: 'canceled' });
      }),
    );
    if (source.items.length === 0) void load();
    else draw();
    pick.show();
  });
}

/** Shows title, step and Back, the same for every pick. */
export function applyPlace(pick: vscode.QuickPick<vscode.QuickPickItem>, place: PickPlace): void {
  pick.title = place.title;
  pick.placeholder = place.placeholder;
  if (place.totalSteps > 1) Object.assign(pick, { step: place.step, totalSteps: place.totalSteps });
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  if (place.canGoBack) pick.buttons = [vscode.QuickInputButtons.Back];
}

/** Loads the next page into a pick. The placeholder shows a failure, and the list stays as it is. */
export async function loadInto(
  pick: vscode.QuickPick<vscode.QuickPickItem>,
  source: PickSource<unknown>,
  draw: () => void,
  signal: AbortSignal,
): Promise<void> {
  if (pick.busy) return;
  pick.busy = true;
  try {
    await source.loadMore(signal);
  } catch (error) {
    if (!isCoded(error, 'cancelled')) pick.placeholder = userMessage(error);
  }
  if (signal.aborted) return;
  draw();
  pick.busy = false;
}
