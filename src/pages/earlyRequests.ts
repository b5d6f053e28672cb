import type { RpcMessage } from '../protocol/rpc';

/**
 * Requests without parameters that a page's HTML sends before its script is there, in the order of
 * their IDs, from 1 on: the panel responds while the script loads.
 */
export const EARLY_REQUESTS = ['strings', 'start'] as const;

/** What marks a message of the HTML, unlike those of its script. */
interface EarlyMessage {
  isEarly: true;
}

export function isEarly(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'isEarly' in message;
}

/** What the HTML of a page leaves to its script as `earlyRequests`. */
export interface EarlyRequests<Api> {
  api: Api;
  /** What came, in its order, for the script to take. */
  messages: unknown[];
  /** Called by the HTML after it added a message. */
  arrived: () => void;
}

/** The script in the HTML that sends them; it holds what the panel sends meanwhile. */
export function earlyRequestsScript(): string {
  const requests = EARLY_REQUESTS.map((method, at): RpcMessage & EarlyMessage => ({
    kind: 'request',
    id: at + 1,
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
