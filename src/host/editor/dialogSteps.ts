import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { isCoded } from '../../base/errors';
import type { StepResult } from '../steps';
import { createInputBox, createQuickPick } from './boxes';
import { userMessage } from './language';

/** A toggle button. `onChange` returns the new prompt. */
interface InputToggle {
  icon: string;
  tooltip: string;
  checked: boolean;
  onChange(checked: boolean): string;
}

interface InputStep {
  title: string;
  prompt: string;
  value?: string;
  placeholder?: string;
  password?: boolean;
  /** A toggle button beside the text. */
  toggle?: InputToggle;
  step: number;
  totalSteps: number;
  canGoBack: boolean;
  /**
   * Checks a text: returns a message if it isn't acceptable, else undefined. May send a request.
   */
  check?(text: string, signal: AbortSignal): Promise<string | undefined> | string | undefined;
}

/** Asks for a line of text. Enter runs the check, with a busy indicator; Esc stops it. */
export function enterText(input: InputStep): Promise<StepResult<string>> {
  const store = new DisposableStore();
  const box = store.add(createInputBox());
  const controller = new AbortController();
  box.title = input.title;
  box.prompt = input.prompt;
  box.value = input.value ?? '';
  if (input.placeholder) box.placeholder = input.placeholder;
  box.password = input.password ?? false;
  if (input.totalSteps > 1) Object.assign(box, { step: input.step, totalSteps: input.totalSteps });
  box.ignoreFocusOut = true;
  const toggle = input.toggle && toggleButton(input.toggle);
  box.buttons = [...(input.canGoBack ? [vscode.QuickInputButtons.Back] : []), ...(toggle ? [toggle] : [])];
  return new Promise<StepResult<string>>((resolve, reject) => {
    let isFinished = false;
    const finish = (result: StepResult<string>) => {
      isFinished = true;
      resolve(result);
      box.hide();
    };
    const accept = async () => {
      if (!box.enabled) return;
      const text = box.value.trim();
      box.enabled = false;
      box.busy = true;
      try {
        const message = await input.check?.(text, controller.signal);
        if (controller.signal.aborted) return;
        if (message === undefined) finish({ kind: 'value', value: text });
        // Show the message only if the text hasn't changed since the check.
        else if (box.value.trim() === text) box.validationMessage = message;
      } finally {
        if (!isFinished && !controller.signal.aborted) {
          box.enabled = true;
          box.busy = false;
        }
      }
    };
    const fail = (error: unknown) => {
      // Reject here, so that `onDidHide` doesn't resolve it as canceled.
      isFinished = true;
      reject(error instanceof Error ? error : new Error(String(error)));
      box.hide();
    };
    store.add(box.onDidAccept(() => void accept().catch(fail)));
    store.add(box.onDidChangeValue(() => (box.validationMessage = undefined)));
    store.add(
      box.onDidTriggerButton(button => {
        if (button === vscode.QuickInputButtons.Back) finish({ kind: 'back' });
        else if (input.toggle && toggle) box.prompt = input.toggle.onChange(toggle.toggle.checked);
      }),
    );
    store.add(
      box.onDidHide(() => {
        controller.abort();
        store.dispose();
        if (!isFinished) resolve({ kind: 'canceled' });
      }),
    );
    box.show();
  });
}

/** A toggle button of VS Code, which changes `checked` before it reports the click. */
function toggleButton({ icon, tooltip, checked }: InputToggle) {
  return {
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
    location: vscode.QuickInputButtonLocation.Inline,
    toggle: { checked },
  } satisfies vscode.QuickInputButton;
}

/** A paged list to select from; `Pager` implements it. */
interface PickSource<R> {
  readonly items: readonly R[];
  readonly mayHaveMore: boolean;
  loadMore(signal?: AbortSignal): Promise<R[]>;
}

export interface PickOptions {
  title: string;
  placeholder: string;
  step: number;
  totalSteps: number;
  canGoBack: boolean;
  /** Shown in place of an empty list. */
  empty: string;
}

/** The shown form of an entry. */
interface PickEntry {
  label: string;
  description?: string;
  detail?: string;
  /** Title of its group, which includes neighbors with the same title. */
  group?: string;
  /** Why the entry can't be selected, if so. */
  refused?: string;
}

/** Lets a person select one entry of a paged list; loads more pages on request. */
export function pickOne<R>(
  source: PickSource<R>,
  describe: (resource: R) => PickEntry,
  options: PickOptions,
): Promise<StepResult<R>> {
  type Item = vscode.QuickPickItem & { resource?: R; action?: 'more'; refused?: string };
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<Item>());
  const controller = new AbortController();
  applyPickOptions(pick, options);
  const draw = () => {
    const items: Item[] = [];
    let lastGroup: string | undefined;
    for (const resource of source.items) {
      const { group, ...entry } = describe(resource);
      if (group !== undefined && group !== lastGroup)
        items.push({ label: group, kind: vscode.QuickPickItemKind.Separator });
      lastGroup = group;
      items.push({ ...entry, resource });
    }
    if (source.mayHaveMore)
      items.push({ label: vscode.l10n.t('Load More…'), action: 'more', alwaysShow: true });
    if (items.length === 0) items.push({ label: options.empty });
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
        if (selected?.refused !== undefined) {
          // Clear the typed text, which would hide the placeholder.
          pick.value = '';
          pick.placeholder = selected.refused;
        } else if (selected?.resource !== undefined) finish({ kind: 'value', value: selected.resource });
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

/** Sets title, step and Back button of a pick. */
export function applyPickOptions(pick: vscode.QuickPick<vscode.QuickPickItem>, options: PickOptions): void {
  pick.title = options.title;
  pick.placeholder = options.placeholder;
  if (options.totalSteps > 1) Object.assign(pick, { step: options.step, totalSteps: options.totalSteps });
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  if (options.canGoBack) pick.buttons = [vscode.QuickInputButtons.Back];
}

/** Loads the next page into a pick. On failure, shows the error as placeholder; the list stays. */
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
