import * as v from 'valibot';
import type { GenericSchema, InferOutput } from 'valibot';
import { CodedError } from '../base/errors';
import type { RequestHandlers } from './rpc';

/*
 * Pages aren't trusted, so each message of a page has a schema. The types of both ends derive from
 * the schema, and so does the type of the engine's handler if the panel passes the request on.
 * Pages import only types, so that their bundles contain no schemas.
 */

/** A page's request: the schema of its parameters, and the type of its result. */
interface RequestDeclaration<Schema extends GenericSchema = GenericSchema, Result = unknown> {
  readonly params: Schema;
  /** Never set; holds the type of the result. */
  readonly result?: () => Result;
}

type RequestDeclarations = Readonly<Record<string, RequestDeclaration>>;
/** The schema of each event that a page may send. */
type EventDeclarations = Readonly<Record<string, GenericSchema>>;

/** Everything that a page may send to its panel. */
export interface PageDeclaration {
  /** Requests that the panel passes on to the engine. */
  readonly passedOn: RequestDeclarations;
  /** Requests that the panel handles itself. */
  readonly requests: RequestDeclarations;
  readonly events: EventDeclarations;
}

/** Parameters and result of each declared request. */
export type RequestsOf<Declarations> = {
  [M in keyof Declarations]: Declarations[M] extends RequestDeclaration<infer Schema, infer Result>
    ? { params: InferOutput<Schema>; result: Result }
    : never;
};

/** The value of each declared event. */
export type EventsOf<Declarations> = {
  [E in keyof Declarations]: Declarations[E] extends GenericSchema ? InferOutput<Declarations[E]> : never;
};

/** Declares a request: `request(v.object({ … })).resolvesTo<{ … }>()`. */
export function request<Schema extends GenericSchema>(
  params: Schema,
): { resolvesTo<Result>(): RequestDeclaration<Schema, Result> } {
  return { resolvesTo: () => ({ params }) };
}

/** A handler for messages whose parameters are not validated yet. */
export type AnyHandler = (params: unknown, signal: AbortSignal) => unknown;

/** Validates a value; drops undeclared fields. Throws `bad-request`. */
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

/** Handlers that pass requests on to the engine by `pass`, with parameters typed by method. */
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

/** Handlers that only get parameters of the declared shape; others fail with `bad-request`. */
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
