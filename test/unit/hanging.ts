import { runInNewContext } from 'node:vm';
import { WAIT_MS } from '../../scripts/patience.mjs';

/**
 * Runs work that ends soon on any machine, and that a wrong way of doing it would not end within
 * hours for its input: that fails after some minutes. Mocha could not end work that never pauses.
 */
export function withoutHanging<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: WAIT_MS }) as T;
}
