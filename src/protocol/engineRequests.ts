/**
 * All requests that an engine thread handles. Each subject adds its requests by declaration
 * merging. src/workbench/engine/resultEngine.ts doesn't compile if a request has no handler.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface EngineRequests {}
