import * as vscode from 'vscode';
import { LocalCopies } from '../node/localCopies';
import { ImageFileResult } from '../node/imageFileResult';
import type { Log } from '../../base/log';
import { virtualFiles } from '../../uploads/editor/localFiles';
import { watchFile } from './watchFile';

/** VS Code's document of an image file, which all its editors share. */
export interface ImageDocument extends vscode.CustomDocument {
  image: ImageFileResult;
}

export function openImageDocument(uri: vscode.Uri, log: Log): ImageDocument {
  const copies = new LocalCopies({ files: virtualFiles, parseUri: text => vscode.Uri.parse(text), log });
  const image = new ImageFileResult(uri, { copies, watch: watchFile });
  return { uri, image, dispose: () => image.dispose() };
}
