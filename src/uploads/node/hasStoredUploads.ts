import { SharedFolder } from '../../base/node/sharedFolder';

/** Whether a folder holds any upload; says so without starting anything. */
export async function hasStoredUploads(directory: string): Promise<boolean> {
  return (await new SharedFolder(directory).list('')).length > 0;
}
