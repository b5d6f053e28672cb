import * as vscode from 'vscode';
import type { StepResult } from '../steps';
import { DisposableStore } from '../../base/disposable';
import { createInputBox } from './surfaces/inputBox';

/** A choice that is on or off. `onChange` returns the prompt from then on. */
export interface InputToggle {
  icon: string;
  tooltip: string;
  checked: boolean;
  onChange(checked: boolean): string;
}

export interface InputStep {
  title: string;
  prompt: string;
  value?: string;
  placeholder?: string;
  password?: boolean;
  /** A choice beside the text, as a button. */
  toggle?: InputToggle;
  step: number;
  totalSteps: number;
  canGoBack: boolean;
  /** The message for a text that can't be accepted; undefined for one that can. It may send a request. */
  check?(text: string, signal: AbortSignal): Promise<string | undefined> | string | undefined;
}

/** Lets a person enter a line of text. The check runs on Enter, while the box shows that it is busy; Esc stops it. */
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
        // The message is about the text that was checked, which may have been changed since.
        else if (box.value.trim() === text) box.validationMessage = message;
      } finally {
        if (!isFinished && !controller.signal.aborted) {
          box.enabled = true;
          box.busy = false;
        }
      }
    };
    const fail = (error: unknown) => {
      // The promise is settled here; `onDidHide` must not settle it as canceled.
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

/** VS Code changes `checked` before it tells that the button was clicked. */
function toggleButton({ icon, tooltip, checked }: InputToggle) {
  return {
    iconPath: new vscode.ThemeIcon(icon),
    tooltip,
    location: vscode.QuickInputButtonLocation.Inline,
    toggle: { checked },
  } satisfies vscode.QuickInputButton;
}
