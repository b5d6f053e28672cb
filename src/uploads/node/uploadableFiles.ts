import { CodedError } from '../../base/errors';
import type { ExpandedFiles } from './expandFiles';

/** Refuses the files that the service doesn't accept as they are too large, so that nothing is asked about them. */
export async function refuseTooLarge(expanded: ExpandedFiles): Promise<ExpandedFiles> {
  const { MAX_UPLOAD_BYTES } = await import('../../service/node/client');
  const tooLarge = expanded.files.filter(({ size }) => size > MAX_UPLOAD_BYTES);
  if (tooLarge.length === 0) return expanded;
  const refused = tooLarge.map(({ uri, fileName }) => ({
    uri,
    error: new CodedError('file-too-large', 'The file is larger than the service accepts', {
      subject: fileName,
    }),
  }));
  return {
    hadFolder: expanded.hadFolder,
    files: expanded.files.filter(({ size }) => size <= MAX_UPLOAD_BYTES),
    failed: [...expanded.failed, ...refused],
  };
}
