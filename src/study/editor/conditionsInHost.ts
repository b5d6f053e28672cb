import * as vscode from 'vscode';
import { runInSlices } from '../../base/node/slices';
import { backgroundImages } from '../../linking/editor/linkingInHost';
import type { ContributeToResults } from '../../session/editor/contribution';
import { LocalCopies } from '../../session/node/localCopies';
import { virtualFiles } from '../../uploads/editor/localFiles';
import { imageValues } from '../../linking/node/imageValues';
import { withStoredInSteps } from '../storedImages';
import { ImageAreas } from '../node/imageAreas';
import { StoredImageColumns } from '../node/storedImageColumns';
import { imageColumnParts, sessionImageColumns } from '../node/sessionImageColumns';
import { compareCommands } from './compareCommands';
import { imageColumnCommands } from './imageColumnCommands';

/** Adds the metadata of images to results, as columns of their tables. */
export const conditionsInHost: ContributeToResults = host => {
  const { sessions, results, choices, parts, log } = host;
  const columnsStore = new StoredImageColumns(choices);
  parts.add(imageValues, {
    columnsOf: async (source, images) => {
      const { columns } = await runInSlices(withStoredInSteps(images, await columnsStore.of(source).read()));
      return columns.map(({ name, values }) => ({ name, values }));
    },
  });
  const pairing = parts.get(backgroundImages);
  const parseUri = (text: string) => vscode.Uri.parse(text);
  // On some disks, changes of other windows aren't reported.
  const focusListener = vscode.window.onDidChangeWindowState(({ focused }) => {
    if (focused) for (const session of results.all) session.get(sessionImageColumns).refresh();
  });
  host.onDidActivate(session => session.get(sessionImageColumns).refresh());
  return {
    commands: { ...imageColumnCommands({ sessions, results }), ...compareCommands({ sessions, results }) },
    sessionParts: imageColumnParts(
      source => columnsStore.of(source),
      session => {
        const copies = new LocalCopies({ files: virtualFiles, parseUri, log });
        return new ImageAreas({ session, choices, pairing, copies });
      },
    ),
    dispose: () => {
      focusListener.dispose();
      columnsStore.dispose();
    },
  };
};
