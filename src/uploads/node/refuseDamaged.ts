import { fileURLToPath } from 'node:url';
import { CodedError, isCoded } from '../../base/errors';
import type { ReasonKind } from '../../base/reasons';
import type { ImageThread } from '../../images/backgroundImageRequests';
import type { ExpandedFiles, LocalFile } from './expandFiles';

/** Why an image can't be decoded whatever reads it. A format or a compression that isn't known here is no damage. */
const DAMAGE: ReadonlySet<ReasonKind> = new Set([
  'empty-file',
  'header-cut-off',
  'cut-off-file',
  'damaged-file',
  'damaged-data',
]);

/** Names of the kinds of files that are checked. */
const CHECKED = /\.(png|jpe?g|tiff?)$/i;

/** Larger files aren't checked: decoding them takes longer than a person waits. Bytes. */
const MAX_CHECKED = 64 * 1024 ** 2;

/** How long files are checked; what is left then isn't. Milliseconds. */
const CHECKED_FOR = 4000;

export interface DamageCheckParts {
  /** A thread to decode in; used for a while and disposed of. */
  startEngine: () => ImageThread | Promise<ImageThread>;
  /** For tests. */
  now?: () => number;
}

/**
 * Refuses the images that are known to be damaged, so that nothing is paid for them: PNG, JPEG and TIFF files on disk that can't be
 * decoded. What isn't certain passes. Throws `cancelled`.
 */
export async function refuseDamaged(
  { startEngine, now = Date.now }: DamageCheckParts,
  { files, failed, hadFolder }: ExpandedFiles,
  signal: AbortSignal,
): Promise<ExpandedFiles> {
  const checked = files.filter(mayBeChecked);
  if (checked.length === 0) return { files, failed, hadFolder };
  const damaged = new Map<string, CodedError>();
  const end = now() + CHECKED_FOR;
  const engine = await startEngine();
  try {
    for (const file of checked) {
      if (now() > end) break;
      const error = await damageOf(file, engine, signal);
      if (error) damaged.set(file.uri, error);
    }
  } finally {
    engine.dispose();
  }
  return {
    hadFolder,
    files: files.filter(({ uri }) => !damaged.has(uri)),
    failed: [...failed, ...[...damaged].map(([uri, error]) => ({ uri, error }))],
  };
}

function mayBeChecked({ uri, fileName, size }: LocalFile): boolean {
  return uri.startsWith('file:') && CHECKED.test(fileName) && size <= MAX_CHECKED;
}

async function damageOf(
  { uri, fileName }: LocalFile,
  { endpoint }: Pick<ImageThread, 'endpoint'>,
  signal: AbortSignal,
): Promise<CodedError | undefined> {
  try {
    const { backgroundImage } = await endpoint.request(
      'openBackgroundImage',
      { path: fileURLToPath(uri) },
      signal,
    );
    await endpoint.request('closeBackgroundImage', { backgroundImage }, signal);
    return undefined;
  } catch (error) {
    if (isCoded(error, 'cancelled')) throw error;
    const why = isCoded(error) ? error.details.reason : undefined;
    if (!why || !DAMAGE.has(why.kind)) return undefined;
    return new CodedError('bad-request', 'The image is damaged', { subject: fileName, reason: why });
  }
}
