import * as vscode from 'vscode';
import { PartKey } from '../../base/parts';
import type { ContributeToResults } from '../../session/editor/contribution';
import { LocalCopies } from '../../session/node/localCopies';
import { identityOf, virtualFiles } from '../../uploads/editor/localFiles';
import {
  type BackgroundImagePairingSource,
  backgroundImagePairingSource,
} from '../node/backgroundImageFinder';
import { linkParts } from '../node/linkedImages';
import { measuredTables } from '../node/measuredTable';
import { storedLinks } from '../node/storedLinks';

/** Finds the background images of masks. */
export const backgroundImages = new PartKey<BackgroundImagePairingSource>('backgroundImages');

/** Links images to their files, and rows to objects. */
export const linkingInHost: ContributeToResults = ({ choices, parts, log }) => {
  const parseUri = (text: string) => vscode.Uri.parse(text);
  const pairing = parts.add(
    backgroundImages,
    backgroundImagePairingSource({
      choices,
      findFiles: findWorkspaceFiles,
      selectFile: selectBackgroundImage,
      parseUri,
      identityOf,
    }),
  );
  const makeCopies = () => new LocalCopies({ files: virtualFiles, parseUri, log });
  return {
    measuredTable: measuredTables({ choices, pairing, makeCopies, parseUri, log }),
    sessionParts: linkParts(source => storedLinks(choices, source)),
  };
};

/**
 * At most `max` files of the workspace that match a pattern, including those that settings exclude.
 */
async function findWorkspaceFiles(pattern: string, max: number, signal: AbortSignal): Promise<vscode.Uri[]> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await vscode.workspace.findFiles(pattern, null, max, source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** Lets the user select the file of a background image; undefined on Esc. */
async function selectBackgroundImage(): Promise<vscode.Uri | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ openLabel: vscode.l10n.t('Use as Background') })) ?? [];
  return uri;
}
