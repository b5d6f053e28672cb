/** What index.json says about the run. */
export interface ArchiveIndex {
  resultId?: string;
  dateRun?: string;
  /** Names of the classes, the keys of classData in their order. */
  classes: string[];
}

/** Reads index.json; undefined when it isn't what docs/service.md, "Masks archive", describes. */
export function readArchiveIndex(text: string): ArchiveIndex | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { resultId, dateRun, classData } = value as Record<string, unknown>;
  const isMap = typeof classData === 'object' && classData !== null && !Array.isArray(classData);
  return {
    ...(typeof resultId === 'string' && { resultId }),
    ...(typeof dateRun === 'string' && { dateRun }),
    classes: isMap ? Object.keys(classData) : [],
  };
}
