import type { GenericSchema, InferOutput } from 'valibot';

/*
 * Why messages are declared as values: pages are not trusted, so each message of a page has a schema; the types of both ends, and of the engine's handler where the panel passes the request on, derive from it.
 * Pages import types alone: no schema is in their bundles.
 */

/** A request that a page may send: the schema of its parameters and, as a type alone, the result. */
export interface RequestDeclaration<Schema extends GenericSchema = GenericSchema, Result = unknown> {
  readonly params: Schema;
  /** Never set. */
  readonly result?: () => Result;
}

export type RequestDeclarations = Readonly<Record<string, RequestDeclaration>>;
/** The schema of each event that a page may send. */
export type EventDeclarations = Readonly<Record<string, GenericSchema>>;

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
