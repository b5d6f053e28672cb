/**
 * The resources of the service in its own names (docs/service.md). Each type is inferred from its
 * schema. Unknown fields are dropped; an invalid optional field counts as absent.
 */

import { CodedError } from '../base/errors';
import { reason } from '../base/reasons';
import { secretMask } from '../base/secretMask';
import { quotable } from './serviceWords';
import * as v from 'valibot';

/**
 * Maximum number of characters of an ID, name or link, far more than any has. Longer texts would
 * only fill lists, files and the log.
 */
const MAX_ID = 1000;
const MAX_TEXT = 4000;
const MAX_LINK = 65_536;

const id = v.union([
  v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_ID)),
  v.pipe(v.number(), v.finite(), v.transform(String)),
]);
const shortened = v.pipe(
  v.string(),
  v.transform(value => value.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')),
);
const text = v.fallback(v.optional(shortened), undefined);
const someText = v.fallback(v.optional(shortened, ''), '');
const link = v.fallback(v.optional(v.pipe(v.string(), v.maxLength(MAX_LINK), v.url())), undefined);
/** A percentage within 0…100, from any value. */
const percentage = v.pipe(v.optional(v.unknown(), 0), v.transform(clampPercentage));

const jobFields = {
  status: someText,
  /** 0 without a valid value. */
  percentageCompleted: percentage,
  /** Undocumented: one of these may contain the reason for a job's failure. */
  reason: v.optional(v.unknown()),
  message: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
};

/** Result links are secrets: never logged, never shown, never stored. */
const analysisJob = v.pipe(
  v.object({
    id,
    ...jobFields,
    /** Undocumented; passed on if the service sends it. */
    name: text,
    createdAt: text,
    objectsDataCSVUrl: link,
    aggregateDataCSVUrl: link,
  }),
  v.transform(withReason),
);
export type AnalysisJob = Resource<typeof analysisJob>;

/** The link is a secret, as the links of an analysis job. */
const masksJob = v.pipe(v.object({ ...jobFields, masksZipUrl: link }), v.transform(withReason));
export type MasksJob = Resource<typeof masksJob>;

const pipeline = v.object({ id, description: someText, createdAt: text });
export type Pipeline = Resource<typeof pipeline>;

/** `__t` is `File`, `Folder`, or an unknown kind. */
const filesystemItem = v.object({ id, __t: someText, name: text, createdAt: text });
export type FilesystemItem = Resource<typeof filesystemItem>;

/** `messsage` is spelled with three s by the service. */
const checkResult = v.object({ user: id, email: text, messsage: text });
export type CheckResult = Resource<typeof checkResult>;

/** A schema's output without undefined fields; undefined if the value doesn't fit. */
function readResource<S extends v.GenericSchema>(schema: S, value: unknown): Resource<S> | undefined {
  const { success, output } = v.safeParse(schema, value);
  if (!success) return undefined;
  const fields = Object.entries(output as object).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields) as Resource<S>;
}

/** The output type of a schema: fields that may be undefined are optional. */
type Resource<S extends v.GenericSchema> = {
  [K in keyof v.InferOutput<S> as undefined extends v.InferOutput<S>[K] ? never : K]: v.InferOutput<S>[K];
} & {
  [K in keyof v.InferOutput<S> as undefined extends v.InferOutput<S>[K] ? K : never]?: Exclude<
    v.InferOutput<S>[K],
    undefined
  >;
};

/** Converts a number or its text to a percentage within 0…100; other values to 0. */
function clampPercentage(value: unknown): number {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return 0;
  return Math.min(100, Math.max(0, number));
}

/** A job with the reason for its failure in the service's words, with links masked. */
function withReason<T extends { message?: unknown; reason?: unknown; error?: unknown }>({
  message,
  reason,
  error,
  ...job
}: T): Omit<T, 'message' | 'reason' | 'error'> & { reason: string | undefined } {
  const words = [reason, message, error].map(wordsOf).find(candidate => candidate !== undefined);
  return { ...job, reason: words === undefined ? undefined : quotable(words) };
}

/** The words of a field: its text, or the `message` of its object; undefined without any. */
function wordsOf(value: unknown): string | undefined {
  const message =
    typeof value === 'object' && value !== null ? (value as { message?: unknown }).message : value;
  return typeof message === 'string' && message.trim() !== '' ? message : undefined;
}

/**
 * A page of a list: its readable entries, the service's `count`, and the number of unreadable
 * entries.
 */
export interface Page<T> {
  results: T[];
  count?: number;
  skipped: number;
}

/** Reads one resource from a response, bare or wrapped; undefined if it is missing. */
type Reader<T> = (value: unknown) => T | undefined;

type Json = Record<string, unknown>;

/** The user that the key belongs to. Throws `unexpected-response`. */
export function readCheckResult(value: unknown): CheckResult {
  return expect(
    readOne(value, ['user'], body => {
      const user = isObject(body['user']) ? withId(body['user'])['id'] : body['user'];
      return readResource(checkResult, { ...body, user });
    }),
    'user',
  );
}

/** An analysis job; secrets in its reason are masked. Throws `unexpected-response`. */
export function readAnalysisJob(value: unknown, secrets: readonly string[] = []): AnalysisJob {
  return expect(analysisJobIn(value, maskOf(secrets)), 'id');
}

/** A masks job, as `readAnalysisJob`; undefined if the response is empty. */
export function readMasksJob(value: unknown, secrets: readonly string[] = []): MasksJob | undefined {
  if (isNothing(value)) return undefined;
  return expect(
    readOne(value, ['status', 'percentageCompleted', 'masksZipUrl'], body =>
      readResource(masksJob, withoutSecrets(body, maskOf(secrets))),
    ),
    'status',
  );
}

/** An uploaded file. Throws `unexpected-response`. */
export function readUploadedItem(value: unknown): { id: string; __t: string } {
  // The fast path for thousands of files: a schema takes ten times as long.
  if (isObject(value) && isShort(value['id']) && value['id'] && isShort(value['__t']))
    return { id: value['id'], __t: value['__t'] || 'File' };
  const { id: itemId, __t } = expect(filesystemItemIn(value), 'id');
  return { id: itemId, __t: __t || 'File' };
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_ID;
}

/**
 * A page of filesystem items, without invalid entries. Throws `unexpected-response` if the response
 * isn't a list.
 */
export function readFilesystemItems(value: unknown): Page<FilesystemItem> {
  return readPage(value, filesystemItemIn);
}

/** A page of pipelines, as `readFilesystemItems`. */
export function readPipelines(value: unknown): Page<Pipeline> {
  return readPage(value, entry =>
    readOne(entry, ['id', '_id'], body => readResource(pipeline, withId(body))),
  );
}

/** A page of analysis jobs, as `readFilesystemItems` and `readAnalysisJob`. */
export function readAnalysisJobs(value: unknown, secrets: readonly string[] = []): Page<AnalysisJob> {
  const mask = maskOf(secrets);
  return readPage(value, entry => analysisJobIn(entry, mask));
}

function analysisJobIn(value: unknown, mask: Mask): AnalysisJob | undefined {
  return readOne(value, ['id', '_id'], body => readResource(analysisJob, withoutSecrets(withId(body), mask)));
}

/** Masks secrets in the fields with the reason for a job's failure, which may repeat the key. */
function withoutSecrets(body: Json, mask: Mask): Json {
  const masked = (value: unknown): unknown => {
    if (typeof value === 'string') return mask(value);
    return isObject(value) && typeof value['message'] === 'string'
      ? { ...value, message: mask(value['message']) }
      : value;
  };
  const presentFields = ['reason', 'message', 'error'].filter(field => body[field]);
  return { ...body, ...Object.fromEntries(presentFields.map(field => [field, masked(body[field])])) };
}

type Mask = (text: string) => string;

/** Created on first use, as most jobs have no reason. */
function maskOf(secrets: readonly string[]): Mask {
  let masks: Mask[] | undefined;
  return text => {
    masks ??= secrets.map(secretMask);
    return masks.reduce((masked, mask) => mask(masked), text);
  };
}

function filesystemItemIn(value: unknown): FilesystemItem | undefined {
  return readOne(value, ['id', '_id'], body => readResource(filesystemItem, withId(body)));
}

/**
 * Reads the object with one of the fields: the response itself, or the only value in it with one.
 */
function readOne<T>(
  value: unknown,
  fieldNames: readonly string[],
  read: (body: Json) => T | undefined,
): T | undefined {
  if (!isObject(value)) return undefined;
  const fits = (body: Json) => fieldNames.some(field => body[field] !== undefined && body[field] !== null);
  if (fits(value)) return read(value);
  const inner = Object.values(value).filter(isObject).filter(fits);
  return inner.length === 1 && inner[0] ? read(inner[0]) : undefined;
}

function readPage<T>(value: unknown, read: Reader<T>): Page<T> {
  const { entries, count } = expect(listIn(value, 0), 'results');
  const results = entries.map(read).filter(entry => entry !== undefined);
  const total = typeof count === 'string' && count.trim() !== '' ? Number(count) : count;
  return {
    results,
    skipped: entries.length - results.length,
    ...(typeof total === 'number' && Number.isFinite(total) && { count: total }),
  };
}

/** A bare array, `results`, or the only array or list envelope inside a wrapper. */
function listIn(value: unknown, depth: number): { entries: unknown[]; count: unknown } | undefined {
  if (Array.isArray(value)) return { entries: value as unknown[], count: undefined };
  if (!isObject(value) || depth > 2) return undefined;
  if (Array.isArray(value['results']))
    return { entries: value['results'] as unknown[], count: value['count'] };
  const lists = Object.values(value)
    .map(inner => listIn(inner, depth + 1))
    .filter(list => list !== undefined);
  const [only] = lists;
  return lists.length === 1 && only
    ? { entries: only.entries, count: only.count ?? value['count'] }
    : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a response is `null`, `{}`, or a wrapper around one of them. */
function isNothing(value: unknown): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  return Object.values(value).every(
    inner => inner === null || (isObject(inner) && Object.keys(inner).length === 0),
  );
}

/** Accepts `_id`, the ID in document stores, as `id`. */
function withId(body: Json): Json {
  return body['id'] === undefined || body['id'] === null ? { ...body, id: body['_id'] } : body;
}

/**
 * Throws `unexpected-response` without a resource. `field`: a field that the resource must have.
 */
function expect<T>(resource: T | undefined, field: string): T {
  if (resource !== undefined) return resource;
  throw new CodedError('unexpected-response', 'The response does not have the expected shape', {
    reason: reason('The response has no usable "{0}"', field),
  });
}
