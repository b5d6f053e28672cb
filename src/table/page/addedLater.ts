/**
 * What subjects add to the script of the page that comes later: each under its own name, where it
 * declares it. A part that the list (src/workbench/page/tableLaterParts.ts) lacks doesn't compile.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedLater {}
