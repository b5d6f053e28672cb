/** The result of a step: a value, Back, or Esc. */
export type StepResult<T> = { kind: 'value'; value: T } | { kind: 'back' } | { kind: 'canceled' };

/** One step of several. It stores the user's input and returns where to go next. */
export type Step = (position: {
  step: number;
  totalSteps: number;
  canGoBack: boolean;
}) => Promise<'next' | 'back' | 'canceled'>;

/** Runs steps in turn, from the first by default; Back returns to the previous. False on Esc. */
export async function runSteps(steps: readonly Step[], startIndex = 0): Promise<boolean> {
  let index = startIndex;
  while (index < steps.length) {
    const step = steps[index];
    if (!step) break;
    const outcome = await step({ step: index + 1, totalSteps: steps.length, canGoBack: index > 0 });
    if (outcome === 'canceled') return false;
    index = outcome === 'back' ? Math.max(0, index - 1) : index + 1;
  }
  return true;
}
