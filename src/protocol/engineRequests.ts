/**
 * All requests that an engine thread handles. Each subject adds its own, where it declares them; a
 * request that nothing in the thread handles doesn't compile
 * (src/workbench/engine/resultEngine.ts).
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface EngineRequests {}
