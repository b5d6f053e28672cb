import * as vscode from 'vscode';
import { fromPlainError } from '../../base/errors';
import type { ArchiveSummary, MasksNote } from '../../formats/masksSummary';
import type { MasksSummary } from '../../protocol/masksEngine';

/** The summary of an archive with its notes and failures in the user's language. */
export function wordedSummary(summary: ArchiveSummary, describe: (error: unknown) => string): MasksSummary {
  return {
    ...summary,
    notes: summary.notes.map(noteWords),
    images: summary.images.map(image =>
      image.failure
        ? { ...image, failure: { ...image.failure, message: describe(fromPlainError(image.failure)) } }
        : image,
    ),
  };
}

function noteWords({ kind, subject = '', count = 0 }: MasksNote): string {
  switch (kind) {
    case 'no-index':
      return vscode.l10n.t('The archive has no index.json: classes are those that objects name.');
    case 'damaged-index':
      return vscode.l10n.t(
        'The index.json of the archive cannot be read: classes are those that objects name.',
      );
    case 'unknown-class':
      return vscode.l10n.t('The class "{0}" is not in the index of the archive.', subject);
    case 'ids-differ-from-keys':
      return vscode.l10n.t(
        '{0} objects have another id than the key they stand under; the id counts.',
        count,
      );
    case 'without-class':
      return vscode.l10n.t('{0} objects name no class.', count);
    case 'more-notes':
      return vscode.l10n.t('… and {0} more of this kind.', count);
    case 'duplicate-entry':
      return vscode.l10n.t('"{0}" is in the archive more than once; the first one is shown.', subject);
  }
}
