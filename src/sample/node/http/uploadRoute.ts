import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilesystemStore } from '../store/filesystemStore';
import { httpError } from './httpError';
import type { Exchange } from './httpRouter';
import { receiveUpload } from './multipartUpload';
import { randomId } from '../instance/serviceRecord';

const MAX_NAME_LENGTH = 255;
const MAX_FOLDER_DEPTH = 50;

/**
 * Receives one file into the filesystem. An existing file is not replaced: a second item of the same name is added,
 * since jobs may refer to the first.
 */
export async function handleUpload(
  { request }: Pick<Exchange, 'request'>,
  filesystem: FilesystemStore,
  uploadsDirectory: string,
  maxBytes: number,
): Promise<{ id: string; __t: string }> {
  const path = join(uploadsDirectory, `${randomId()}.part`);
  const { fields, bytes } = await receiveUpload(request, path, maxBytes);
  try {
    const name = checkFileName(fields.get('fileName'));
    const folder = readFolder(fields.get('destinationFolder') ?? '');
    const item = await filesystem.add({ name, path, size: bytes }, folder);
    return { id: item.id, __t: item.__t };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

function checkFileName(name: string | undefined): string {
  if (name === undefined || name === '') throw httpError(400, 'fileName is required');
  checkName('fileName', name);
  return name;
}

/** The names of the folders from the root down; `a//b/` and `/a/b` mean the same as `a/b`. */
function readFolder(path: string): string[] {
  const names = path.split('/').filter(name => name !== '' && name !== '.');
  if (names.length > MAX_FOLDER_DEPTH) {
    throw httpError(400, `destinationFolder: more than ${MAX_FOLDER_DEPTH} folders deep`);
  }
  for (const name of names) checkName('destinationFolder', name);
  return names;
}

function checkName(field: string, name: string): void {
  if (name === '.' || name === '..') throw httpError(400, `${field}: "${name}" is not a name`);
  if (name.includes('/')) throw httpError(400, `${field}: a name may not contain a slash`);
  // oxlint-disable-next-line no-control-regex -- these are the characters to reject
  if (/[\u0000-\u001f\u007f]/.test(name))
    throw httpError(400, `${field}: a name may not contain control characters`);
  if (name.length > MAX_NAME_LENGTH) {
    throw httpError(400, `${field}: a name may have at most ${MAX_NAME_LENGTH} characters`);
  }
}
