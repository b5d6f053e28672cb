import type { StepKey } from '../manifestNames';
import { setContext } from './shown';

/**
 * Completes a step of the walkthrough. VS Code notices only when its context key becomes true. If
 * the key stayed true before the walkthrough was opened, VS Code would never notice; so it is
 * reset.
 */
export function completeStep(key: StepKey): void {
  setContext(key, true);
  setContext(key, false);
}
