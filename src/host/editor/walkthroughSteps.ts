import type { StepKey } from '../manifestNames';
import { setContext } from './shown';

/**
 * Completes a step of the walkthrough. VS Code notices when its key becomes true, but never again
 * if it was true before the walkthrough was first opened in this window: so it is true for a moment
 * only.
 */
export function completeStep(key: StepKey): void {
  setContext(key, true);
  setContext(key, false);
}
