import type { Frame } from 'playwright-core';

/**
 * Runs in every frame before its own scripts: records the requests of a panel's page that have no
 * response yet, so that a test can wait until none is pending.
 */
export const trackRequests = `{
  const requests = new Map();
  globalThis.pendingRequests = requests;
  let acquire;
  Object.defineProperty(globalThis, 'acquireVsCodeApi', {
    configurable: true,
    get: () => acquire,
    set(original) {
      acquire = () => {
        const api = original();
        addEventListener('message', ({ data }) => {
          if (data?.kind === 'result' || data?.kind === 'error') requests.delete(data.id);
        });
        return Object.freeze({
          ...api,
          postMessage(message, transfer) {
            if (message?.kind === 'request') requests.set(message.id, message.method);
            if (message?.kind === 'cancel') requests.delete(message.id);
            api.postMessage(message, transfer);
          },
        });
      };
    },
  });
}`;

/**
 * Waits until a panel's page has no request pending for some frames, and so has painted the
 * responses.
 */
export async function requestsSettled(frame: Frame): Promise<void> {
  // Not all in waitForFunction: to it, the promise of a value is a result already.
  for (;;) {
    await frame.waitForFunction(
      () => (globalThis as unknown as { pendingRequests: Map<number, string> }).pendingRequests.size === 0,
    );
    const isSettled = await frame.evaluate(async () => {
      const { pendingRequests } = globalThis as unknown as { pendingRequests: Map<number, string> };
      for (let frames = 0; frames < 4 && pendingRequests.size === 0; frames++)
        await new Promise(requestAnimationFrame);
      return pendingRequests.size === 0;
    });
    if (isSettled) return;
  }
}
