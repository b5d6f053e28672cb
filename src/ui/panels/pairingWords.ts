import * as vscode from 'vscode';
import type { PicturePairing } from '../../protocol/masksPage';
import type { FoundPicture } from './pictureFinder';

/** What the masks page shows about the picture of an image. */
export function pairingWords(found: FoundPicture, describe: (error: unknown) => string): PicturePairing {
  switch (found.state) {
    case 'paired':
      return {
        state: 'paired',
        how: pairedBy(found.by),
        picture: found.picture,
        path: found.path,
        ...(found.stretched && { stretched: true }),
      };
    case 'suggested':
      return {
        state: 'suggested',
        how: vscode.l10n.t('A file of the same name and size: is it this picture?'),
        path: found.path,
      };
    case 'missing':
      return {
        state: 'missing',
        how:
          found.sameName > 0
            ? vscode.l10n.t(
                '{0} files in the workspace have this name; which of them it is cannot be told.',
                found.sameName,
              )
            : vscode.l10n.t('No file of this name is in the workspace.'),
      };
    case 'other-size':
      return {
        state: 'unreadable',
        how: vscode.l10n.t(
          'The picture has {0} × {1} pixels, the masks have {2} × {3}; it is not shown under them.',
          ...[found.picture.width, found.picture.height, found.masks.width, found.masks.height].map(side =>
            side.toLocaleString(vscode.env.language),
          ),
        ),
        path: found.path,
        offers: found.offers,
      };
    case 'unreadable':
      return { state: 'unreadable', how: describe(found.error), path: found.path };
  }
}

function pairedBy(by: 'record' | 'choice' | 'path'): string {
  switch (by) {
    case 'record':
      return vscode.l10n.t('The file that was uploaded, unchanged since');
    case 'choice':
      return vscode.l10n.t('Chosen by you');
    case 'path':
      return vscode.l10n.t('The file in the workspace with the same folder, name and size');
  }
}
