import { operationNames, type OperationName } from './operations';

/** Operations by the kind of response that their faulty requests wait for. */
export const all: readonly OperationName[] = operationNames;

export const lists: readonly OperationName[] = ['list files', 'list pipelines', 'list jobs'];

/** Those that download a file from the storage. */
export const downloads: readonly OperationName[] = ['download a table', 'download masks'];

/** Those that wait for JSON of the service. */
export const withJson: readonly OperationName[] = operationNames.filter(name => !downloads.includes(name));

/** One of each kind, for faults that take long. */
export const few: readonly OperationName[] = [
  'sign in',
  'list files',
  'upload a file',
  'submit a job',
  ...downloads,
];

/** Those that end although the service is away for good; a job is followed until it is back. */
export const ending: readonly OperationName[] = operationNames.filter(name => name !== 'follow a job');
