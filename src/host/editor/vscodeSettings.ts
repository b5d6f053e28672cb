import * as vscode from 'vscode';
import type { SettingsReader } from '../settingsReader';

/** Reads settings from VS Code's configuration. */
export const vscodeSettings: SettingsReader = {
  read: (name, resource) =>
    vscode.workspace
      .getConfiguration('imageAnalysis', resource === undefined ? undefined : vscode.Uri.parse(resource))
      .get(name),
};
