import { pathToFileURL, fileURLToPath } from 'node:url';
import { silentLog } from '../../../../src/base/log';
import { measuredTables } from '../../../../src/linking/node/measuredTable';
import type { FileUri } from '../../../../src/session/node/resultSource';
import type { ResultSession } from '../../../../src/session/node/resultSession';
import type { BackgroundImagePairingSource } from '../../../../src/linking/node/backgroundImageFinder';
import type { MeasuredTable } from '../../../../src/linking/node/measuredTable';
import { LocalCopies } from '../../../../src/session/node/localCopies';
import type { TableChoice } from '../../../../src/columns/tableSummary';

/** A URI of a file on disk. */
export function fileUri(text: string): FileUri {
  const path = fileURLToPath(text);
  return { scheme: 'file', path, fsPath: path, toString: () => text };
}

/**
 * Where a session finds the background images that are given, by the IDs of their images, and the
 * URIs of files that were uploaded and haven't changed.
 */
export function pairedWith(
  backgroundImages: Record<string, string>,
  uploads: Record<string, string> = {},
): BackgroundImagePairingSource {
  const none = () => Promise.resolve(undefined);
  return {
    uploadRecord: none,
    unchangedUploads: () => Promise.resolve(new Map(Object.entries(uploads))),
    workspaceFilesNamed: () => Promise.resolve([]),
    storedChoice: (_source, imageId) => {
      const path = backgroundImages[imageId];
      return Promise.resolve(
        path === undefined ? undefined : { uri: fileUri(pathToFileURL(path).toString()) },
      );
    },
    storeChoice: none,
    removeChoice: none,
    selectFile: none,
  };
}

/** Copies of files that are all on disk. */
export function noCopies(): LocalCopies {
  return new LocalCopies({
    files: { stat: () => Promise.reject(new Error()), readFile: () => Promise.reject(new Error()) },
    parseUri: fileUri,
    log: silentLog,
  });
}

/**
 * What a session needs to choose tables of masks without one; choices are kept in `stored`, by
 * result.
 */
export function measuredTableOptions(
  backgroundImages: Record<string, string> = {},
  stored = new Map<string, TableChoice>(),
): { measuredTable: (session: ResultSession) => MeasuredTable } {
  return {
    measuredTable: measuredTables({
      choices: {
        objectsTable: ({ key }) => Promise.resolve(stored.get(key)),
        setObjectsTable: ({ key }, choice) => {
          if (choice) stored.set(key, choice);
          else stored.delete(key);
          return Promise.resolve();
        },
      },
      pairing: pairedWith(backgroundImages),
      makeCopies: noCopies,
      parseUri: fileUri,
      log: silentLog,
    }),
  };
}
