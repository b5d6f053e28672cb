import * as v from 'valibot';
import { CodedError } from '../base/errors';
import type { PageDeclaration, RequestDeclarations, RequestsOf } from './declarations';
import type { RequestHandlers } from './rpc';

/** A handler for messages whose parameters are not validated yet. */
export type AnyHandler = (params: unknown, signal: AbortSignal) => unknown;

/** A value in its declared shape, without undeclared fields. Throws `bad-request`. */
export function validated<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  message: string,
): v.InferOutput<Schema> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  throw new CodedError(
    'bad-request',
    `Invalid "${message}" at "${v.getDotPath(issue) ?? ''}": ${issue.message}`,
  );
}

/** Handlers that pass declared requests on to the engine by `pass`, with parameters that match the method. */
export function passOn<Declarations extends RequestDeclarations>(
  declarations: Declarations,
  pass: (method: keyof Declarations & string, params: never, signal: AbortSignal) => Promise<unknown>,
): RequestHandlers<RequestsOf<Declarations>> {
  const handlers = Object.keys(declarations).map(method => [
    method,
    (params: never, signal: AbortSignal) => pass(method, params, signal),
  ]);
  return Object.fromEntries(handlers) as RequestHandlers<RequestsOf<Declarations>>;
}

/**
 * Handlers of a page's requests that only get parameters of the declared shape; other requests fail with `bad-request`.
 */
export function validatingHandlers(
  { passedOn, requests }: PageDeclaration,
  handlers: Readonly<Record<string, AnyHandler>>,
): Record<string, AnyHandler> {
  const declarations = Object.entries({ ...passedOn, ...requests });
  return Object.fromEntries(
    declarations.map(([method, { params: schema }]) => [
      method,
      // Async, so that invalid parameters reject, like failures.
      async (params: unknown, signal: AbortSignal) =>
        handlers[method]?.(validated(schema, params, method), signal),
    ]),
  );
}
