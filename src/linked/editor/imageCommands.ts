import * as vscode from 'vscode';
import type { OpenResults } from '../node/openResults';
import { command } from '../../host/editor/command';

/** What the title bar of an image's editor offers. */
export function imageCommands({ results }: { results: OpenResults }) {
  const analyzeOpenImage = async () => {
    const { activeImage } = results;
    // As a person's call, which asks for the pipeline and shows its failures.
    if (activeImage) {
      const uri = vscode.Uri.parse(activeImage.uri.toString());
      await vscode.commands.executeCommand('imageAnalysis.analyzeFiles', uri);
    }
  };
  return {
    analyzeOpenImage: command({
      options: {},
      program: analyzeOpenImage,
      person: analyzeOpenImage,
    }),
  };
}
