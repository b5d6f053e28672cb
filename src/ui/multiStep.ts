import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';

/** How a step ended: with an answer, by Back, or by Esc. */
export type StepResult<T> = { kind: 'answer'; value: T } | { kind: 'back' } | { kind: 'cancelled' };

/** One question of several; `answer` keeps what was said and tells whether to go on. */
export type Step = (place: {
  step: number;
  totalSteps: number;
  canGoBack: boolean;
}) => Promise<'next' | 'back' | 'cancelled'>;

/** Asks the questions in turn; Back returns to the one before. Resolves to false on Esc. */
export async function runSteps(steps: readonly Step[]): Promise<boolean> {
  let index = 0;
  while (index < steps.length) {
    const step = steps[index];
    if (!step) break;
    const outcome = await step({ step: index + 1, totalSteps: steps.length, canGoBack: index > 0 });
    if (outcome === 'cancelled') return false;
    index = outcome === 'back' ? Math.max(0, index - 1) : index + 1;
  }
  return true;
}

export interface InputQuestion {
  title: string;
  prompt: string;
  value?: string;
  placeholder?: string;
  password?: boolean;
  step: number;
  totalSteps: number;
  canGoBack: boolean;
  /** A reason why the text cannot be accepted; may ask the network. */
  check?(text: string, signal: AbortSignal): Promise<string | undefined> | string | undefined;
}

/** Asks for a line of text. The check runs on Enter, while the box says that it is busy; Esc stops it. */
export function askText(question: InputQuestion): Promise<StepResult<string>> {
  const store = new DisposableStore();
  const box = store.add(vscode.window.createInputBox());
  const controller = new AbortController();
  box.title = question.title;
  box.prompt = question.prompt;
  box.value = question.value ?? '';
  if (question.placeholder) box.placeholder = question.placeholder;
  box.password = question.password ?? false;
  if (question.totalSteps > 1) Object.assign(box, { step: question.step, totalSteps: question.totalSteps });
  box.ignoreFocusOut = true;
  if (question.canGoBack) box.buttons = [vscode.QuickInputButtons.Back];
  return new Promise<StepResult<string>>((resolve, reject) => {
    let answered = false;
    const finish = (result: StepResult<string>) => {
      answered = true;
      resolve(result);
      box.hide();
    };
    const accept = async () => {
      if (!box.enabled) return;
      const text = box.value.trim();
      box.enabled = false;
      box.busy = true;
      try {
        const complaint = await question.check?.(text, controller.signal);
        if (controller.signal.aborted) return;
        if (complaint === undefined) finish({ kind: 'answer', value: text });
        else box.validationMessage = complaint;
      } finally {
        if (!answered && !controller.signal.aborted) {
          box.enabled = true;
          box.busy = false;
        }
      }
    };
    const fail = (error: unknown) => {
      // Nobody waits for the box any more.
      answered = true;
      reject(error instanceof Error ? error : new Error(String(error)));
      box.hide();
    };
    store.add(box.onDidAccept(() => void accept().catch(fail)));
    store.add(box.onDidChangeValue(() => (box.validationMessage = undefined)));
    store.add(box.onDidTriggerButton(() => finish({ kind: 'back' })));
    store.add(
      box.onDidHide(() => {
        controller.abort();
        store.dispose();
        if (!answered) resolve({ kind: 'cancelled' });
      }),
    );
    box.show();
  });
}
