/** Entries of the context menu of a table's page. */
export type ConditionsMenuCommand = 'openImageColumns';

declare module '../protocol/menuCommands' {
  interface AddedTableMenuCommands extends Record<ConditionsMenuCommand, true> {}
}
