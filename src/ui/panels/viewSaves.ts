import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';
import { savePlace } from './savePlace';

/** Most bytes of a picture of a view that are taken; a 16k screen's picture stays below. */
const MOST_BYTES = 512 * 2 ** 20;

interface PendingSave {
  place: vscode.Uri;
  parts: Uint8Array[];
  bytes: number;
}

/** Pictures of the view on their way from the page to a file: asked for a place first, written when all parts are there. */
export class ViewSaves {
  private readonly pending = new Map<number, PendingSave>();
  private last = 0;

  /** Names the save, once the user has chosen a place; null on Esc. */
  async ask(name: string): Promise<number | null> {
    const place = await savePlace(name, { [vscode.l10n.t('PNG Image')]: ['png'] });
    if (!place) return null;
    this.pending.clear();
    this.pending.set(++this.last, { place, parts: [], bytes: 0 });
    return this.last;
  }

  /** Takes a part; after the last the file is written. Its path then, else null. */
  async add(save: number, bytes: ArrayBuffer, last: boolean): Promise<string | null> {
    const pending = this.pending.get(save);
    if (!pending || pending.bytes + bytes.byteLength > MOST_BYTES) {
      this.pending.delete(save);
      throw new CodedError('bad-request', 'There is no such save, or it is too large');
    }
    pending.parts.push(new Uint8Array(bytes));
    pending.bytes += bytes.byteLength;
    if (!last) return null;
    this.pending.delete(save);
    await vscode.workspace.fs.writeFile(pending.place, Buffer.concat(pending.parts));
    return pending.place.fsPath;
  }
}
