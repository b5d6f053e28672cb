import type { ExportRequest } from './exportRequest';

/** A name for files of an export: those of selected objects don't take the place of those of all. */
export function nameOfPart(name: string, { part }: Pick<ExportRequest, 'part'>): string {
  return part === 'selected' ? `${name}-selected` : name;
}
