import { access } from 'node:fs/promises';
import * as path from 'node:path';

/** The folder the sample images are written to. Earlier versions named it "pictures"; where it exists it is still used, as a window may have it open. */
export async function sampleImagesFolder(storage: string): Promise<string> {
  const before = path.join(storage, 'sample', 'pictures');
  return await access(before).then(
    () => before,
    () => path.join(storage, 'sample', 'images'),
  );
}
