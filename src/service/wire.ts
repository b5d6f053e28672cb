/**
 * The resources of the service, in its own names (docs/service.md): a schema each, from which its type follows. Unknown
 * fields are dropped; an optional field that isn't valid counts as absent.
 */
import * as v from 'valibot';
import { quotable } from './serviceWords';

/** Far more than an ID, a name or a link has; what is longer would only fill lists, files and the log. Characters. */
export const MAX_ID = 1000;
const MAX_TEXT = 4000;
const MAX_LINK = 65_536;

const id = v.union([
  v.pipe(v.string(), v.nonEmpty(), v.maxLength(MAX_ID)),
  v.pipe(v.number(), v.finite(), v.transform(String)),
]);
const shortened = v.pipe(
  v.string(),
  v.transform(said => said.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')),
);
const text = v.fallback(v.optional(shortened), undefined);
const someText = v.fallback(v.optional(shortened, ''), '');
const link = v.fallback(v.optional(v.pipe(v.string(), v.maxLength(MAX_LINK), v.url())), undefined);
/** 0…100 out of whatever the service sends. */
const percentage = v.pipe(v.optional(v.unknown(), 0), v.transform(clampPercentage));

const jobFields = {
  status: someText,
  /** 0 where the service sent nothing usable. */
  percentageCompleted: percentage,
  /** Not documented: why a job failed, in one of these, when the service says so. */
  reason: v.optional(v.unknown()),
  message: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
};

/** Result links are secrets: never logged, never shown, never stored. */
export const analysisJob = v.pipe(
  v.object({
    id,
    ...jobFields,
    /** Not documented; kept when the service sends it. */
    name: text,
    createdAt: text,
    objectsDataCSVUrl: link,
    aggregateDataCSVUrl: link,
  }),
  v.transform(withReason),
);
export type AnalysisJob = Resource<typeof analysisJob>;

/** The link is a secret, as those of an analysis job. */
export const masksJob = v.pipe(v.object({ ...jobFields, masksZipUrl: link }), v.transform(withReason));
export type MasksJob = Resource<typeof masksJob>;

export const pipeline = v.object({ id, description: someText, createdAt: text });
export type Pipeline = Resource<typeof pipeline>;

/** `__t` is `File`, `Folder`, or a kind that is not known yet. */
export const filesystemItem = v.object({ id, __t: someText, name: text, createdAt: text });
export type FilesystemItem = Resource<typeof filesystemItem>;

/** `messsage` is spelled with three s by the service. */
export const checkResult = v.object({ user: id, email: text, messsage: text });
export type CheckResult = Resource<typeof checkResult>;

/** What a schema reads, without the fields that are undefined: absent is absent. Undefined where it doesn't fit. */
export function readResource<S extends v.GenericSchema>(schema: S, value: unknown): Resource<S> | undefined {
  const { success, output } = v.safeParse(schema, value);
  if (!success) return undefined;
  const fields = Object.entries(output as object).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields) as Resource<S>;
}

/** The type of what a schema reads: a field that may be undefined may be absent instead. */
type Resource<S extends v.GenericSchema> = {
  [K in keyof v.InferOutput<S> as undefined extends v.InferOutput<S>[K] ? never : K]: v.InferOutput<S>[K];
} & {
  [K in keyof v.InferOutput<S> as undefined extends v.InferOutput<S>[K] ? K : never]?: Exclude<
    v.InferOutput<S>[K],
    undefined
  >;
};

/** A percentage as it can be shown: a number or a number's text, cut to 0…100; 0 for anything else. */
export function clampPercentage(value: unknown): number {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return 0;
  return Math.min(100, Math.max(0, number));
}

/** A job with the reason why it failed, in the service's words; links in it are masked. */
function withReason<T extends { message?: unknown; reason?: unknown; error?: unknown }>({
  message,
  reason,
  error,
  ...job
}: T): Omit<T, 'message' | 'reason' | 'error'> & { reason: string | undefined } {
  const words = [reason, message, error].map(wordsOf).find(said => said !== undefined);
  return { ...job, reason: words === undefined ? undefined : quotable(words) };
}

function wordsOf(value: unknown): string | undefined {
  const said = typeof value === 'object' && value !== null ? (value as { message?: unknown }).message : value;
  return typeof said === 'string' && said.trim() !== '' ? said : undefined;
}
