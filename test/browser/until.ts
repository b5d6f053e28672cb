import * as assert from 'node:assert/strict';
import { WAIT_MS } from '../../scripts/patience.mjs';

/** Waits for a condition in the test's own process. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + WAIT_MS; !(await condition());) {
    assert.ok(Date.now() < deadline, `Waited too long for ${String(condition)}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
