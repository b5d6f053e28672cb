import type { Log } from '../../base/log';
import type { ResultChoices } from '../../results/node/resultChoices';
import type { LocalCopies } from './localCopies';
import { MeasuredTableFile, OwnTable } from './ownTable';
import type { ResultSession } from './resultSession';
import { type BackgroundImagePairingSource, FileResult, type FileUri } from './resultSource';

interface OwnTablesParts {
  choices: Pick<ResultChoices, 'objectsTable' | 'setObjectsTable'>;
  pairing: BackgroundImagePairingSource;
  makeCopies: () => LocalCopies;
  parseUri: (text: string) => FileUri;
  log: Log;
}

/** Makes the table of each session's masks that come without one. */
export function ownTables({ choices, pairing, makeCopies, parseUri, log }: OwnTablesParts) {
  return (session: ResultSession): OwnTable =>
    new OwnTable({
      stored: () => choices.objectsTable(session.source),
      store: choice => choices.setObjectsTable(session.source, choice),
      fileOf: uri => new FileResult(parseUri(uri), 'file').path('file'),
      measured: new MeasuredTableFile({ session, pairing, copies: makeCopies(), log }),
    });
}
