import { isCoded } from '../../base/errors';
import { errorWords } from '../../words/errorWords';
import { reasonSentence } from '../../words/reasonWords';
import type { Translate } from '../../words/translate';
import type { SendResult } from './uploadOutcome';
import type { UnfinishedOffer } from './unfinishedUploads';

/** What failed: how many files, and the first one with its reason; "" where nothing did. */
export function failureText(t: Translate, { uploaded, failed }: SendResult): string {
  const [first] = failed;
  if (!first) return '';
  if (failed.every(({ error }) => isCoded(error, 'cancelled'))) {
    return t('Upload canceled. Uploaded {0} files; {1} not uploaded.', uploaded.length, failed.length);
  }
  // A file that was canceled by itself needs no explanation.
  const explained = failed.find(({ error }) => !isCoded(error, 'cancelled')) ?? first;
  const explanation = errorWords(t, explained.error);
  return failed.length === 1
    ? t("Couldn't upload {0}. {1}", nameOf(first.uri), explanation)
    : t("Couldn't upload {0} of {1} files. {2}", failed.length, failed.length + uploaded.length, explanation);
}

/** What can't be analyzed, before anything is uploaded: how many files, and the first one with its reason. */
export function refusedText(t: Translate, failed: SendResult['failed'], fileCount: number): string {
  const [first] = failed;
  if (!first) return '';
  const { details } = first.error;
  const why = isCoded(first.error, 'bad-request') && details.reason;
  const explanation = why ? reasonSentence(t, why) : errorWords(t, first.error);
  const name = nameOf(first.uri);
  if (failed.length === 1) return t("{0} can't be analyzed. {1}", name, explanation);
  return why
    ? t("{0} of {1} files can't be analyzed. {2}: {3}", failed.length, fileCount, name, explanation)
    : t("{0} of {1} files can't be analyzed. {2}", failed.length, fileCount, explanation);
}

/** That some of the selected files are on the service already. */
export function unchangedText(
  t: Translate,
  files: readonly { fileName: string }[],
  fileCount: number,
): string {
  const [first] = files;
  if (first && fileCount === 1) return t("{0} is already uploaded and hasn't changed.", first.fileName);
  return files.length === fileCount
    ? t("All {0} files are already uploaded and haven't changed.", fileCount)
    : t("{0} of {1} files are already uploaded and haven't changed.", files.length, fileCount);
}

/** The last part of a URI's path; the text itself where it is no valid URI. */
export function nameOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What a person is told of files that were not uploaded because their window is gone. */
export function unfinishedText(t: Translate, { fileName, fileCount, mayBeSent }: UnfinishedOffer): string {
  if (fileCount === 1) {
    return mayBeSent === 0
      ? t("{0} wasn't uploaded because its window closed.", fileName)
      : t(
          '{0} was being uploaded when its window closed. It may already be on the service; uploading it again can create a duplicate.',
          fileName,
        );
  }
  const message = t("{0} files weren't uploaded because their window closed.", fileCount);
  if (mayBeSent === 0) return message;
  const doubt =
    mayBeSent === 1
      ? t(
          '1 of them was being sent and may already be on the service; uploading it again can create a duplicate.',
        )
      : t(
          '{0} of them were being sent and may already be on the service; uploading them again can create duplicates.',
          mayBeSent,
        );
  return `${message} ${doubt}`;
}
