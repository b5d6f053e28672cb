import * as v from 'valibot';
import { CodedError } from '../base/errors';
import { quotable } from './serviceWords';
import type { AnalysisJob, CheckResult, FilesystemItem, MasksJob, Pipeline } from './wire';

/** A page of a list: what could be read of it, the service's `count`, and how many entries could not be read. */
export interface Page<T> {
  results: T[];
  count?: number;
  skipped: number;
}

/** Reads one resource out of an answer, bare or wrapped; undefined if it is not there. */
type Reader<T> = (value: unknown) => T | undefined;

type Json = Record<string, unknown>;

const id = v.union([v.pipe(v.string(), v.nonEmpty()), v.pipe(v.number(), v.finite(), v.transform(String))]);
const text = v.fallback(v.optional(v.string()), undefined);
const someText = v.fallback(v.optional(v.string(), ''), '');
const link = v.fallback(v.optional(v.pipe(v.string(), v.url())), undefined);
/** 0…100 out of whatever the service sends. */
const percentage = v.pipe(v.optional(v.unknown(), 0), v.transform(clampPercentage));

const jobFields = {
  status: someText,
  percentageCompleted: percentage,
  message: v.optional(v.unknown()),
  reason: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
};

const analysisJob = v.object({
  id,
  ...jobFields,
  name: text,
  createdAt: text,
  objectsDataCSVUrl: link,
  aggregateDataCSVUrl: link,
});
const masksJob = v.object({ ...jobFields, masksZipUrl: link });
const pipeline = v.object({ id, description: someText, createdAt: text });
const filesystemItem = v.object({ id, __t: someText, name: text, createdAt: text });
const checkResult = v.object({ user: id, email: text, messsage: text });

/** GET check: whose key it is. Throws `unexpected-response`. */
export function readCheckResult(value: unknown): CheckResult {
  return expect(
    readOne(value, ['user'], body => {
      const user = isObject(body['user']) ? withId(body['user'])['id'] : body['user'];
      return defined(parse(checkResult, { ...body, user }));
    }),
  );
}

/** An analysis job. Throws `unexpected-response`. */
export function readAnalysisJob(value: unknown): AnalysisJob {
  return expect(analysisJobIn(value));
}

/** A masks job; undefined if the answer says that there is none. Throws `unexpected-response`. */
export function readMasksJob(value: unknown): MasksJob | undefined {
  if (isNothing(value)) return undefined;
  return expect(
    readOne(value, ['status', 'percentageCompleted', 'masksZipUrl'], body => {
      const job = parse(masksJob, body);
      return job && defined(withReason(job));
    }),
  );
}

/** An uploaded file. Throws `unexpected-response`. */
export function readUploadedItem(value: unknown): { id: string; __t: string } {
  const { id: itemId, __t } = expect(filesystemItemIn(value));
  return { id: itemId, __t: __t || 'File' };
}

/** A page of filesystem items. Throws `unexpected-response` if it is no list at all; bad entries are skipped. */
export function readFilesystemItems(value: unknown): Page<FilesystemItem> {
  return readPage(value, filesystemItemIn);
}

/** A page of pipelines, as `readFilesystemItems`. */
export function readPipelines(value: unknown): Page<Pipeline> {
  return readPage(value, entry => readOne(entry, ['id', '_id'], body => parse(pipeline, withId(body))));
}

/** A page of analysis jobs, as `readFilesystemItems`. */
export function readAnalysisJobs(value: unknown): Page<AnalysisJob> {
  return readPage(value, analysisJobIn);
}

/** A percentage as it can be shown: a number or a number's text, cut to 0…100; 0 for anything else. */
export function clampPercentage(value: unknown): number {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return 0;
  return Math.min(100, Math.max(0, number));
}

function analysisJobIn(value: unknown): AnalysisJob | undefined {
  return readOne(value, ['id', '_id'], body => {
    const job = parse(analysisJob, withId(body));
    return job && defined(withReason(job));
  });
}

function filesystemItemIn(value: unknown): FilesystemItem | undefined {
  return readOne(value, ['id', '_id'], body => parse(filesystemItem, withId(body)));
}

/** The object that has one of the fields: the answer itself, or the only one of its values that does. */
function readOne<T>(
  value: unknown,
  anyOf: readonly string[],
  read: (body: Json) => T | undefined,
): T | undefined {
  if (!isObject(value)) return undefined;
  const fits = (body: Json) => anyOf.some(field => body[field] !== undefined && body[field] !== null);
  if (fits(value)) return read(value);
  const inner = Object.values(value).filter(isObject).filter(fits);
  return inner.length === 1 && inner[0] ? read(inner[0]) : undefined;
}

function readPage<T>(value: unknown, read: Reader<T>): Page<T> {
  const { entries, count } = expect(listIn(value, 0));
  const results = entries.map(read).filter(entry => entry !== undefined);
  const total = typeof count === 'string' && count.trim() !== '' ? Number(count) : count;
  return {
    results: results.map(defined),
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

/** `null`, `{}`, and a wrapper around one of them. */
function isNothing(value: unknown): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  return Object.values(value).every(
    inner => inner === null || (isObject(inner) && Object.keys(inner).length === 0),
  );
}

/** Document stores call it `_id`. */
function withId(body: Json): Json {
  return body['id'] === undefined || body['id'] === null ? { ...body, id: body['_id'] } : body;
}

function withReason<T extends { message?: unknown; reason?: unknown; error?: unknown }>({
  message,
  reason,
  error,
  ...job
}: T): Omit<T, 'message' | 'reason' | 'error'> & { reason?: string } {
  const words = [reason, message, error].map(wordsOf).find(said => said !== undefined);
  const quoted = words === undefined ? undefined : quotable(words);
  return quoted === undefined ? job : { ...job, reason: quoted };
}

function wordsOf(value: unknown): string | undefined {
  const said = isObject(value) ? value['message'] : value;
  return typeof said === 'string' && said.trim() !== '' ? said : undefined;
}

function parse<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> | undefined {
  const { success, output } = v.safeParse(schema, value);
  return success ? output : undefined;
}

/** Without the fields that are undefined: absent is absent. */
function defined<T>(resource: T): T {
  if (!isObject(resource)) return resource;
  return Object.fromEntries(Object.entries(resource).filter(([, field]) => field !== undefined)) as T;
}

function expect<T>(resource: T | undefined): T {
  if (resource !== undefined) return resource;
  throw new CodedError('unexpected-response', 'The answer does not have the expected shape', {
    reason: 'The answer lacks what it should hold',
  });
}
