/*
 * What a job was run with, as it was submitted from here: kept for as long as the account is signed in, so that a run can
 * be understood and repeated. It holds no key and no link.
 */

export interface RunRecord {
  version: 1;
  jobId: string;
  /** Host and port of the service. */
  service: string;
  /** Who submitted it; can be left out when a record is passed on. */
  account?: string;
  extensionVersion: string;
  pipeline: { id: string; description?: string };
  name?: string;
  items: readonly RunItem[];
  /** Its masks were to be generated as well, once it had succeeded. */
  masks?: true;
  by: 'person' | 'program';
  /** ISO 8601. */
  submittedAt: string;
  /** ISO 8601; missing while it runs. */
  endedAt?: string;
  /** As the service spells it. */
  status?: string;
  /** Of the masks archive. */
  resultId?: string;
  /** How the results compare with the items, once both have been read. */
  outcome?: RunOutcome;
}

/** Which items gave no result, by their IDs; or why that can't be told. */
export type RunOutcome =
  | { compared: true; withoutResult: readonly string[] }
  | { compared: false; why: 'folders' | 'names' };

/** An item that was analyzed, and what is known of it. */
export interface RunItem {
  id: string;
  name?: string;
  /** The folder that it was uploaded to, with slashes; missing for the topmost, and where it isn't known. */
  folder?: string;
  isFolder?: true;
  /** Of the file that was uploaded from here, hexadecimal; missing where it was not computed. */
  sha256?: string;
}

/** The path of an item at the service, as far as it is known; empty where not even its name is. */
export function pathOfItem({ name = '', folder = '' }: RunItem): string {
  return name === '' || folder === '' ? name : `${folder}/${name}`;
}

/** A record from its text; undefined where it is damaged. */
export function parseRunRecord(text: string): RunRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const found = (value ?? {}) as Partial<Record<keyof RunRecord, unknown>>;
  const { pipeline, items, by, version } = found;
  const texts = [found.jobId, found.service, found.extensionVersion, found.submittedAt];
  const optional = [found.account, found.name, found.endedAt, found.status, found.resultId];
  const isSound =
    version === 1 &&
    texts.every(isText) &&
    optional.every(isTextOrMissing) &&
    isPipeline(pipeline) &&
    isOutcomeOrMissing(found.outcome) &&
    (found.masks === undefined || found.masks === true) &&
    Array.isArray(items) &&
    items.every(isRunItem) &&
    (by === 'person' || by === 'program');
  return isSound ? (value as RunRecord) : undefined;
}

function isPipeline(value: unknown): boolean {
  const { id, description } = (value ?? {}) as Record<string, unknown>;
  return isText(id) && isTextOrMissing(description);
}

function isOutcomeOrMissing(value: unknown): boolean {
  if (value === undefined) return true;
  const { compared, withoutResult, why } = (value ?? {}) as Record<string, unknown>;
  return compared === true
    ? Array.isArray(withoutResult) && withoutResult.every(isText)
    : compared === false && (why === 'folders' || why === 'names');
}

/** Whether what was stored is an item. */
export function isRunItem(value: unknown): boolean {
  const { id, name, folder, isFolder, sha256 } = (value ?? {}) as Record<string, unknown>;
  return (
    isText(id) &&
    [name, folder, sha256].every(isTextOrMissing) &&
    (isFolder === undefined || isFolder === true)
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrMissing(value: unknown): boolean {
  return value === undefined || isText(value);
}

/** A job to submit, in the service's names. */
interface JobRequest {
  pipelineId: string;
  filesystemIds: string[];
  name?: string;
}

/** A job to submit, and what its run record tells besides. */
export interface DescribedRequest extends JobRequest {
  pipelineDescription?: string;
  /** The items, as far as more is known of them than their IDs. */
  items?: readonly RunItem[];
  /** Whether its masks are generated once it has succeeded, which uses credits too. */
  masks?: boolean;
}
