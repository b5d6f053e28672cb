import type { ResultChoices } from '../../results/node/resultChoices';
import { NOT_COMPUTED } from '../../uploads/node/uploadRecords';
import { JobResult } from './jobResult';
import type { BackgroundImagePairingSource, FileUri } from './resultSource';

/** Maximum number of files of one name that are listed; more are ambiguous anyway. */
const MAX_FILES = 200;

export interface BackgroundImagePairingParts {
  choices: Pick<ResultChoices, 'backgroundImage' | 'setBackgroundImage'>;
  /** Files of the workspace that match a glob pattern (`*`, `?`, `**`), excluded folders too, at most `max`. */
  findFiles: (pattern: string, max: number, signal: AbortSignal) => Promise<readonly FileUri[]>;
  /** Lets the user select a file; undefined on Esc. */
  selectFile: () => Promise<FileUri | undefined>;
  parseUri: (text: string) => FileUri;
  /** The identity of a file (FileFacts). Rejects where it can't be read. */
  identityOf: (uri: string) => Promise<string>;
}

/** Where background images may be found: the account's upload records, the workspace, and what the user chose before. */
export function backgroundImagePairingSource({
  choices,
  findFiles,
  selectFile,
  parseUri,
  identityOf,
}: BackgroundImagePairingParts): BackgroundImagePairingSource {
  return {
    async uploadRecord(source, imageId) {
      if (!(source instanceof JobResult)) return undefined;
      const session = await source.session();
      const record = await session.uploadRecords.find(imageId);
      if (!record) return undefined;
      const { uri, size, sha256 } = record;
      const identity = await identityOf(uri).catch(() => undefined);
      const isHashed = sha256 !== undefined && sha256 !== NOT_COMPUTED;
      return { uri, size, ...(isHashed && { sha256 }), isUnchanged: identity === record.identity };
    },
    async workspaceFilesNamed(baseName, signal) {
      const name = baseName.normalize('NFC');
      const found = await findFiles(patternOf(name), MAX_FILES, signal);
      return found.filter(({ path }) => path.normalize('NFC').endsWith(`/${name}`));
    },
    async storedChoice(source, imageId) {
      const choice = await choices.backgroundImage(source, imageId);
      return choice && { ...choice, uri: parseUri(choice.uri) };
    },
    async storeChoice(source, imageId, uri, use) {
      await choices.setBackgroundImage(source, imageId, { uri: uri.toString(), ...(use && { use }) });
    },
    selectFile,
  };
}

/** Matches at least the files of a name: a glob's special characters stand for any one, accents may be spelled either way. */
function patternOf(name: string): string {
  return `**/${name.replace(/[[\]{}*?!\\]/g, '?').replace(/[^\0-\x7f]+/g, '*')}`;
}
