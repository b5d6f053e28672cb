import type { OperationName } from './operations';

/**
 * A field of a response and a value that doesn't belong there. `field` is where it is, step by
 * step.
 */
interface WrongValue {
  field: readonly string[];
  value: unknown;
}

const fieldsOfJob = ['id', 'name', 'status', 'percentageCompleted', 'createdAt', 'objectsDataCSVUrl'];

/** The fields of the response that an operation's faulty request waits for. */
const fields: Readonly<Partial<Record<OperationName, readonly (readonly string[])[]>>> = {
  'sign in': [['user'], ['email'], ['messsage']],
  'list files': [['results'], ['count'], ...entry('id', '__t', 'name', 'createdAt')],
  'list pipelines': [['results'], ['count'], ...entry('id', 'description', 'createdAt')],
  'list jobs': [['results'], ['count'], ...entry(...fieldsOfJob)],
  'upload a file': [['id'], ['__t']],
  'submit a job': fieldsOfJob.map(field => [field]),
  'request masks': [['percentageCompleted'], ['status'], ['masksZipUrl']],
  'follow a job': fieldsOfJob.map(field => [field]),
  'renew a link': fieldsOfJob.map(field => [field]),
};

const values: readonly unknown[] = [null, 7, 'text', [[]], { message: {} }];

function entry(...names: string[]): string[][] {
  return names.map(name => ['results', '0', name]);
}

/** Each field of the response with each wrong value. */
export function wrongValues(operation: OperationName): readonly WrongValue[] {
  return (fields[operation] ?? []).flatMap(field => values.map(value => ({ field, value })));
}

/** A response with one of the wrong values of an operation in it. */
export function withWrongValue(json: unknown, { field, value }: WrongValue): unknown {
  const [step, ...rest] = field;
  if (step === undefined) return value;
  const copy = (Array.isArray(json) ? [...(json as unknown[])] : { ...(json as object) }) as Record<
    string,
    unknown
  >;
  if (rest.length === 0 || copy[step] !== undefined)
    copy[step] = withWrongValue(copy[step], { field: rest, value });
  return copy;
}
