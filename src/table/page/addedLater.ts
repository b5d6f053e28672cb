/**
 * What subjects add to the page's later script, declared by subject name. Every name must be in
 * src/workbench/page/tableLaterParts.ts to compile.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedLater {}
