/**
 * Additions of subjects to the page's later script: each declares its name. A part that
 * src/workbench/page/tableLaterParts.ts lacks doesn't compile.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type
export interface AddedLater {}
