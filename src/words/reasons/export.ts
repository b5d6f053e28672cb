import type { ReasonSentences } from './reasonSentences';

/** Sentences for the reasons of results/export, and of downloaded and written files. */
export const exportReasons = {
  'too-many-objects-for-format': (t, objects, largest) =>
    t('The image has {0} objects; this format allows {1}', objects, largest),
  'image-too-large-for-coco': (t, width, height, pixels) =>
    t('COCO allows images of up to {2} pixels; this one has {0} × {1}', width, height, pixels),
  'folder-missing': t => t("The folder doesn't exist"),
  'file-not-writable': (t, code) => t("The file can't be written ({0})", code),
  'denied-by-macos': t =>
    t(
      "macOS doesn't let VS Code use this folder. Allow it in System Settings > Privacy & Security > Files and Folders",
    ),
  'download-cut-off': (t, bytes, expected) => t('Received {0} of {1} bytes', bytes, expected),
  'download-checksum': t => t("The checksum doesn't match what was received"),
  'over-cache-size': (t, megabytes) => t('It is larger than {0} MB', megabytes),
  'space-needed': (t, megabytes, free) => t('{0} MB needed, {1} MB free', megabytes, free),
  'received-web-page': t => t('Received a web page instead of the file'),
  'received-message': (t, format) => t('Received a message in {0} instead of the file', format),
  'received-text': t => t('Received a message instead of the file'),
  'received-binary': t => t("The file received isn't a table"),
  'no-result-yet': (t, status) =>
    t("The job hasn't finished or doesn't have this result (status: {0})", status),
} satisfies Partial<ReasonSentences>;
