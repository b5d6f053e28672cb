import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { StatusBarEntry } from '../../host/editor/shown';
import { type UploadSessions, uploadsTotal } from '../node/uploadSessions';

/** Minimum milliseconds between two changes of the item. */
const INTERVAL = 500;

/** The upload progress of this window in the status bar; a click opens the list of uploads. */
export class UploadStatusBar implements Disposable {
  private readonly store = new DisposableStore();
  private entry: StatusBarEntry | undefined;
  private shownAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly sessions: Pick<UploadSessions, 'all' | 'onDidChangeUploads'>) {
    this.store.add(sessions.onDidChangeUploads(() => this.render()));
  }

  dispose(): void {
    this.store.dispose();
    this.entry?.dispose();
  }

  private render(): void {
    const running = this.sessions.all.flatMap(({ uploads }) => uploads.running);
    if (running.length === 0) {
      this.shownAt = Number.NEGATIVE_INFINITY;
      this.entry?.hide();
      return;
    }
    if (performance.now() - this.shownAt < INTERVAL) return;
    this.shownAt = performance.now();
    const total = uploadsTotal(running);
    if (!total) return;
    const { filesDone, filesTotal, percent } = total;
    this.entry ??= new StatusBarEntry({
      id: 'imageAnalysis.uploads',
      name: vscode.l10n.t('Image Analysis Uploads'),
      command: 'imageAnalysis.showUploads',
    });
    this.entry.show({
      icon: 'cloud-upload',
      text:
        filesTotal === 1
          ? vscode.l10n.t('1 file {0}%', percent)
          : vscode.l10n.t('{0} files {1}%', filesTotal, percent),
      tooltip: [
        vscode.l10n.t('Uploaded {0} of {1} files', filesDone, filesTotal),
        vscode.l10n.t('Show Uploads'),
      ],
    });
  }
}
