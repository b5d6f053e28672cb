import { CodedError } from '../../base/errors';
import type { RequestHandlers } from '../../protocol/rpc';
import {
  tableQuestions,
  type TableKind,
  type TableQuestion,
  type TableQuestions,
} from '../../protocol/tablePage';
import type { ResultSession } from './resultSession';

/** Deepest nesting of what a page may send: a list of values in a filter in a list. */
const MOST_DEPTH = 5;

/** Handlers that pass a page's questions about its own table on to the engine; `kind` names the table. */
export function tableQuestionHandlers(
  session: Pick<ResultSession, 'askTable'>,
  kind: TableKind,
): RequestHandlers<TableQuestions> {
  const handler = (question: TableQuestion) => (params: object, signal: AbortSignal) => {
    checkPlain(params);
    // The engine checks what the values mean; the table is the panel's own whatever the page says.
    const asked = { ...params, table: kind } as Parameters<typeof session.askTable<TableQuestion>>[2];
    return session.askTable(kind, question, asked, signal);
  };
  return Object.fromEntries(
    tableQuestions.map(question => [question, handler(question)]),
  ) as unknown as RequestHandlers<TableQuestions>;
}

/** Only plain values may pass: finite numbers, texts, flags, lists, plain objects and buffers. Throws `bad-request`. */
export function checkPlain(value: unknown, depth = 0): void {
  if (value === null || value === undefined) return;
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return;
  if (value instanceof ArrayBuffer) return;
  if (typeof value !== 'object' || depth >= MOST_DEPTH) {
    throw new CodedError('bad-request', 'A page sent something that is no plain value');
  }
  for (const each of Object.values(value)) checkPlain(each, depth + 1);
}
