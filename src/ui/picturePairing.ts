import * as vscode from 'vscode';
import type { PicturePairingSource, PictureUse, ResultSource } from './panels/resultSource';
import { JobResult } from './resultSources';

/** How many files of one name are looked at in the workspace; more are ambiguous anyway. */
const MOST_FILES = 200;

/** A file's uri alone where the picture has the size of its masks. */
interface Remembered {
  [imageId: string]: string | { uri: string; use: PictureUse };
}

/** Where the pictures under the masks may be: the upload records of the account, the workspace, the user's choice. */
export function picturePairingSource(memory: vscode.Memento): PicturePairingSource {
  const memoryKey = (source: ResultSource) => `pictures:${source.key}`;
  const remembered = (source: ResultSource) => memory.get<Remembered>(memoryKey(source), {});
  return {
    async uploadRecord(source, imageId) {
      if (!(source instanceof JobResult)) return undefined;
      const session = await source.session();
      return await session.uploadRecords.find(imageId);
    },
    async workspaceFilesNamed(baseName, signal) {
      const name = baseName.normalize('NFC');
      // A name is not a pattern: its special characters are matched as themselves, and accents in either spelling.
      const pattern = `**/${name.replace(/[[\]{}*?!\\]/g, '?').replace(/[^\0-\x7f]+/g, '*')}`;
      const source = new vscode.CancellationTokenSource();
      const stop = () => source.cancel();
      signal.addEventListener('abort', stop, { once: true });
      try {
        const found = await vscode.workspace.findFiles(pattern, null, MOST_FILES, source.token);
        return found.filter(({ path }) => path.normalize('NFC').endsWith(`/${name}`));
      } finally {
        signal.removeEventListener('abort', stop);
        source.dispose();
      }
    },
    remembered(source, imageId) {
      const kept = remembered(source)[imageId];
      if (kept === undefined) return Promise.resolve(undefined);
      if (typeof kept === 'string') return Promise.resolve({ uri: vscode.Uri.parse(kept) });
      return Promise.resolve({ uri: vscode.Uri.parse(kept.uri), use: kept.use });
    },
    async remember(source, imageId, uri, use) {
      const kept = use ? { uri: uri.toString(), use } : uri.toString();
      await memory.update(memoryKey(source), { ...remembered(source), [imageId]: kept });
    },
    async pick() {
      const [uri] =
        (await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t('Show under the Masks') })) ?? [];
      return uri;
    },
  };
}
