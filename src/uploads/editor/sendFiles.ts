import * as vscode from 'vscode';
import type { UploadSession } from '../node/uploadSessions';
import type { ExpandedFiles } from '../node/expandFiles';
import type { SendOptions, SendResult } from '../node/uploadOutcome';
import type { UploadAgain } from '../node/unfinishedUploads';
import { uploadPercent, uploadProgressText } from '../node/uploadProgressText';
import { percentIncrements } from '../../host/workProgress';
import { toFileSource } from './localFiles';
import { withCancel } from '../../host/editor/progress';

/**
 * Uploads under a notification with progress and a Cancel that aborts what is on its way. `replaces` is the earlier upload
 * that left these files.
 */
export async function sendWithProgress(
  session: UploadSession,
  expanded: Pick<ExpandedFiles, 'files' | 'failed'>,
  options: Pick<SendOptions, 'destinationFolder' | 'concurrency'>,
  replaces?: UploadAgain['claim'],
): Promise<SendResult> {
  const { files, failed } = expanded;
  if (files.length === 0) return { uploaded: [], failed };
  const title =
    files.length === 1
      ? vscode.l10n.t('Uploading {0}', files[0]?.fileName ?? '')
      : vscode.l10n.t('Uploading {0} files', files.length);
  return await withCancel(title, (progress, signal) => {
    const increment = percentIncrements();
    const language = { t: vscode.l10n.t, locale: vscode.env.language };
    const onProgress: SendOptions['onProgress'] = now =>
      progress.report({
        message: uploadProgressText(language, now),
        increment: increment(uploadPercent(now)),
      });
    return session.uploads.send(expanded, { ...options, open: toFileSource, signal, onProgress }, replaces);
  });
}
