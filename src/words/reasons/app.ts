import type { ReasonSentences } from './reasonSentences';

/** Sentences for the reasons of app and ui. */
export const appReasons = {
  'too-many-files': (t, max) => t('The selection has more than {0} files. Select a smaller folder', max),
  'too-large-for-virtual-file': t => t('Files over 256 MB can only be uploaded from disk'),
  'folder-without-name': t => t("The service doesn't return the name of this folder"),
  'signed-out-with-files': t => t('You are signed out, but files of the account are still on this machine'),
  'list-too-long': (t, entries) => t('The list has more than {0} entries', entries),
  'key-missing': t => t('This browser, or VS Code on this machine, has no API key for the account'),
  'sample-service-moved': (t, address) =>
    t('The sample service now runs at {0}. Start it again from the Command Palette', address),
  'sample-service-slow': t => t('The sample service took too long to start'),
  'sample-service-ended': (t, code) => t('The sample service ended with exit code {0}', code),
  'only-files-on-disk': t => t('Only files on a disk can be opened'),
  'writes-only-to-disk': t => t('Only files on disk can be written'),
  'too-large-to-copy': (t, gigabytes) =>
    t("Files over {0} GB aren't copied from another file system", gigabytes),
} satisfies Partial<ReasonSentences>;
