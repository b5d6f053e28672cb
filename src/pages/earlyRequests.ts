import type { RpcMessage } from '../protocol/rpc';

/**
 * Requests without parameters that a page's HTML sends before its script is loaded, in the order of
 * their IDs from 1. The panel responds while the script loads.
 */
export const EARLY_REQUESTS = ['strings', 'start'] as const;

/** The mark of messages that the HTML sends, not the script. */
interface EarlyMessage {
  isEarly: true;
}

export function isEarly(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'isEarly' in message;
}

/** What the page's HTML leaves to its script, as `earlyRequests`. */
export interface EarlyRequests<Api> {
  api: Api;
  /** The messages received so far, in order; the script takes them. */
  messages: unknown[];
  /** Called by the HTML when it has added a message. */
  arrived: () => void;
}

/**
 * The inline script that sends these requests and stores the responses until the page's script is
 * loaded.
 */
export function earlyRequestsScript(): string {
  const requests = EARLY_REQUESTS.map((method, index): RpcMessage & EarlyMessage => ({
    kind: 'request',
    id: index + 1,
    method,
    params: {},
    isEarly: true,
  }));
  return `{
const early = globalThis.earlyRequests = { api: acquireVsCodeApi(), messages: [], arrived: () => {} };
addEventListener('message', ({ data }) => { early.messages.push(data); early.arrived(); });
for (const request of ${JSON.stringify(requests)}) early.api.postMessage(request);
}`;
}
