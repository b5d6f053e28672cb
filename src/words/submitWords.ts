import { CodedError } from '../base/errors';
import { errorWords } from './errorWords';
import { firstClause } from './format';
import { nameInSentence } from './inertText';
import type { Translate } from './translate';

/** The facts of a submit that a person confirms. */
interface ConfirmedSubmit {
  count: number;
  /** Whether the items include folders: then the number of images isn't known. */
  hasFolders: boolean;
  /** Whether masks are generated as well. */
  masks: boolean;
  /** The sample service uses no credits. */
  isFree: boolean;
  /** Number of files that the service already has, unchanged. */
  uploaded?: number;
}

/** The title of the dialogs before a submit; it names the images. */
export function analyzeTitle(
  t: Translate,
  {
    names,
    count,
    folders = [],
    hasFolders,
  }: Pick<NamedInput, 'names' | 'count' | 'folders'> & { hasFolders: boolean },
): string {
  const [first] = names;
  if (count === 1) return first === undefined ? t('Analyze 1 item') : t('Analyze {0}', first);
  if (hasFolders) return t('Analyze {0} items', count);
  const folder = folderWords(t, folders);
  return folder ? t('Analyze {0} ({1} images)', folder, count) : t('Analyze {0} images', count);
}

/** The text that asks to confirm a submit. VS Code adds that Enter confirms. */
export function confirmSubmitWords(
  t: Translate,
  { count, hasFolders, masks, isFree, uploaded = 0 }: ConfirmedSubmit,
): string {
  const words = `${actionWords()} ${costWords(t, isFree)}`;
  return uploaded === 0 ? words : `${words} ${uploadedWords()}`;

  function uploadedWords(): string {
    if (count === 1) return t("It is already uploaded and hasn't changed, so it isn't sent again.");
    if (uploaded === count)
      return t("All are already uploaded and haven't changed, so they aren't sent again.");
    return uploaded === 1
      ? t("1 of them is already uploaded and hasn't changed, so it isn't sent again.")
      : t("{0} of them are already uploaded and haven't changed, so they aren't sent again.", uploaded);
  }

  function actionWords(): string {
    if (hasFolders) {
      return masks
        ? t('Analyze {0} items and generate their masks.', count)
        : t('Analyze {0} items, without masks.', count);
    }
    if (count === 1) {
      return masks ? t('Analyze 1 image and generate its masks.') : t('Analyze 1 image, without masks.');
    }
    return masks
      ? t('Analyze {0} images and generate their masks.', count)
      : t('Analyze {0} images, without masks.', count);
  }
}

/** The question before masks are generated. It says that this uses credits. */
export function generateMasksWords(
  t: Translate,
  { name: fullName, images, isFree }: { name: string; images: number | undefined; isFree: boolean },
): { question: string; detail: string } {
  const name = nameInSentence(fullName);
  const onRequest = t('The service generates masks only on request.');
  return { question: question(), detail: `${onRequest} ${costWords(t, isFree)}` };

  function question(): string {
    if (images === undefined) return t('Generate the masks of "{0}"?', name);
    if (images === 1) return t('Generate the masks of "{0}" (1 image)?', name);
    return t('Generate the masks of "{0}" ({1} images)?', name, images);
  }
}

/**
 * The question whether to submit although other windows can't see it. It says why they can't, and
 * that a second submit may use credits again.
 */
export function unprotectedWords(
  t: Translate,
  what: 'job' | 'masks',
  { code, details: { subject } }: Pick<CodedError, 'code' | 'details'>,
): { question: string; detail: string } {
  const why = errorWords(t, new CodedError(code, '', { ...(subject !== undefined && { subject }) }));
  return what === 'job'
    ? {
        question: t("The job wasn't submitted, because other windows couldn't see that it is."),
        detail: `${why} ${t('If you submit it now, and another window submits the same job, both run and use credits.')}`,
      }
    : {
        question: t("The masks weren't requested, because other windows couldn't see that they are."),
        detail: `${why} ${t('If you request them now, and another window does too, both requests use credits.')}`,
      };
}

function costWords(t: Translate, isFree: boolean): string {
  return isFree ? t('The sample service uses no credits.') : t('This uses credits.');
}

/** The input from which a job's name is proposed. */
interface NamedInput {
  /** Known names of the items. */
  names: readonly string[];
  count: number;
  /** The folders that all items are in. */
  folders?: readonly string[];
  /** Description of the pipeline. */
  pipeline?: string;
}

/** A name for a job: "coins – Bright objects", "mine (9 images) – Bright objects"; may be empty. */
export function proposedJobName(t: Translate, { pipeline = '', ...input }: NamedInput): string {
  const analysis = firstClause(pipeline);
  const items = inputName(t, input);
  if (items === '') return analysis;
  return analysis === '' ? items : t('{0} – {1}', items, analysis);
}

/** A job's input by the names of images or folders: "coins", "control, treated (24 images)". */
export function inputName(
  t: Translate,
  { names, count, folders = [] }: Omit<NamedInput, 'pipeline'>,
): string {
  const [first] = names;
  if (count === 1) return first === undefined ? '' : stem(first);
  const folder = folderWords(t, folders);
  if (folder !== '') return t('{0} ({1} images)', folder, count);
  return first === undefined ? t('{0} items', count) : t('{0} and {1} more', stem(first), count - 1);
}

/** Maximum number of folders to name; the others are counted. */
const MAX_NAMED_FOLDERS = 3;

function folderWords(t: Translate, folders: readonly string[]): string {
  if (folders.length <= MAX_NAMED_FOLDERS) return folders.join(', ');
  const named = folders.slice(0, MAX_NAMED_FOLDERS - 1);
  return t('{0} and {1} more', named.join(', '), folders.length - named.length);
}

/** A file's name without its ending. */
function stem(name: string): string {
  return name.replace(/(?<=.)\.[A-Za-z0-9]{1,8}$/, '').replace(/\.ome$/i, '');
}
