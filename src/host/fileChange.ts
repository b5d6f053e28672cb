/** What happened to a file since it was read. */
export type FileChange = 'changed' | 'deleted';
