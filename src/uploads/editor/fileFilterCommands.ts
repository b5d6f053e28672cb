import * as vscode from 'vscode';
import { CodedError } from '../../base/errors';
import { command } from '../../host/editor/command';
import { withCancelIfSlow } from '../../host/editor/progress';
import { showInputBox } from '../../host/editor/boxes';
import type { FileNodes } from '../node/fileNodes';

/** Commands that filter the Files view by name, and clear the filter. */
export function fileFilterCommands({ files }: { files: FileNodes }) {
  const rejectProgram = () =>
    Promise.reject(new CodedError('bad-request', 'This command belongs to the Files view'));
  return {
    filterFiles: command({ options: {}, program: rejectProgram, person: () => filterAsPerson(files) }),
    clearFileFilter: command({
      options: {},
      program: rejectProgram,
      person: () => Promise.resolve(files.clearFilter()),
    }),
  };
}

async function filterAsPerson(files: FileNodes): Promise<void> {
  const { t } = vscode.l10n;
  const text = await showInputBox({
    title: t('Filter Files'),
    prompt: t('Show files and folders whose name contains this text, in all folders.'),
    value: files.filter?.text ?? '',
  });
  if (text === undefined) return;
  const filterText = text.trim();
  if (filterText === '') {
    files.clearFilter();
    return;
  }
  await withCancelIfSlow(t('Searching files'), (signal, progress) =>
    files.filterBy(
      filterText,
      searched =>
        progress.report({ message: t('{0} searched', searched.toLocaleString(vscode.env.language)) }),
      signal,
    ),
  );
}
