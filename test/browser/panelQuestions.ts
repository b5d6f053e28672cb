import type { Frame } from 'playwright-core';

/**
 * Runs in every frame before its own scripts: keeps what a panel's page has asked its panel and not been answered yet, so
 * that a test can tell a page at rest from one that waits.
 */
export const keepQuestions = `{
  const questions = new Map();
  globalThis.questionsToPanel = questions;
  let acquire;
  Object.defineProperty(globalThis, 'acquireVsCodeApi', {
    configurable: true,
    get: () => acquire,
    set(original) {
      acquire = () => {
        const api = original();
        addEventListener('message', ({ data }) => {
          if (data?.kind === 'result' || data?.kind === 'error') questions.delete(data.id);
        });
        return Object.freeze({
          ...api,
          postMessage(message, transfer) {
            if (message?.kind === 'request') questions.set(message.id, message.method);
            if (message?.kind === 'cancel') questions.delete(message.id);
            api.postMessage(message, transfer);
          },
        });
      };
    },
  });
}`;

/** Until a panel's page has had its answers, for some frames on end, and so has painted what came of them. */
export async function answered(frame: Frame): Promise<void> {
  await frame.waitForFunction(async () => {
    const { questionsToPanel } = globalThis as unknown as { questionsToPanel: Map<number, string> };
    for (let frames = 0; frames < 4; frames++) {
      if (questionsToPanel.size > 0) return false;
      await new Promise(requestAnimationFrame);
    }
    return questionsToPanel.size === 0;
  });
}
