import { accountCommands, signInToContinue } from '../../accounts/editor/accountCommands';
import type { Accounts } from '../../accounts/node/accounts';
import type { SampleProcess } from '../../sample/node/sampleProcess';
import { PlainHosts } from '../../accounts/node/signIn';
import { StateFiles } from '../../accounts/node/stateFiles';
import { type Commands, runCommand } from '../../host/editor/command';
import type { OutputLog } from '../../host/editor/log';
import { showFailure } from '../../host/editor/messages';
import type { Settings } from '../../host/settings';
import { analyzeCommands, analyzeUploaded } from '../../jobs/editor/analyzeCommands';
import { jobCommands } from '../../jobs/editor/jobCommands';
import { listCommands } from '../../jobs/editor/listCommands';
import type { RecentJobs } from '../../jobs/node/recentJobs';
import { jobRowCommands } from '../../session/editor/jobRowCommands';
import { findDataToSave } from './dataToSave';
import { inPage } from '../../session/editor/pageMenu';
import { resultCommands } from '../../session/editor/resultCommands';
import type { ShownResults } from '../../session/editor/shownResults';
import type { Engine } from '../../session/engineProtocol';
import type { OpenResults } from '../../session/node/openResults';
import type { MasksMenuCommand, BuiltInTableMenuCommand } from '../../protocol/menuCommands';
import { readNetworkSettings } from '../../service/editor/network';
import { fileFilterCommands } from '../../uploads/editor/fileFilterCommands';
import { uploadCommands } from '../../uploads/editor/uploadCommands';
import type { FileNodes } from '../../uploads/node/fileNodes';
import type { AccountSessions } from '../node/accountSessions';
import type { RunCommand } from './startUp';

interface AllCommandDependencies {
  accounts: Accounts;
  sessions: AccountSessions;
  settings: Settings;
  sample: () => Promise<SampleProcess>;
  shown: ShownResults;
  files: FileNodes;
  trees: readonly { refresh(): void }[];
  recent: RecentJobs;
  startEngine: () => Promise<Engine>;
  /** The extension's storage folder. */
  storage: string;
  log: OutputLog;
}

/** All commands of the extension. Loaded when the first one runs. */
export function allCommands(dependencies: AllCommandDependencies): RunCommand {
  const { accounts, sessions, settings, sample, files, trees, recent, startEngine, storage, log } =
    dependencies;
  const { results } = dependencies.shown;
  const commands: Commands = {
    ...accountCommands({
      accounts,
      plainHosts: new PlainHosts(new StateFiles(storage)),
      sample,
      settings,
      network: readNetworkSettings,
      log,
      storage,
      dataToSave: async accountId => {
        const { byteOrderMark } = settings.ofPage('table');
        return findDataToSave(await sessions.of(accountId), dependencies.shown.choices, byteOrderMark);
      },
    }),
    ...uploadCommands({
      sessions,
      settings,
      files,
      startEngine,
      analyze: (accountId, uploaded) => analyzeUploaded({ sessions, log }, accountId, uploaded),
      log,
    }),
    ...analyzeCommands({ sessions, settings, files, startEngine, log }),
    ...jobCommands({ sessions, log }),
    ...jobRowCommands({ sessions, results, recent, startEngine, log }),
    ...resultCommands({ sessions, results }),
    ...dependencies.shown.commands,
    ...menuCommands({ results }),
    ...fileFilterCommands({ files }),
    ...listCommands({ sessions, trees, log }),
  };
  const signIn = {
    isSignedIn: () => accounts.active !== undefined,
    signIn: () => signInToContinue(accounts),
  };
  return async (name, args) => {
    const declared = commands[name];
    if (!declared) throw new TypeError(`Unknown command "${name}"`);
    return await runCommand(declared, args, signIn, error => {
      log.error(`The command ${name} failed`, error);
      // Don't await it: the command has ended, but the message stays until it is dismissed.
      void showFailure(error);
    });
  };
}

/** Commands of the pages' context menus. */
function menuCommands({ results }: { results: OpenResults }) {
  const inMasks = (name: MasksMenuCommand) => inPage(results, { page: 'masks', command: name });
  const inTable = (name: BuiltInTableMenuCommand) => inPage(results, { page: 'table', command: name });
  return {
    zoomToObject: inMasks('zoomToObject'),
    showOnlyClass: inMasks('showOnlyClass'),
    copyMeasurements: inMasks('copyMeasurements'),
    exportSelectedObjects: inMasks('exportSelectedObjects'),
    fitMasks: inMasks('fitMasks'),
    saveMasksView: inMasks('saveMasksView'),
    undoInMasks: inMasks('undoInMasks'),
    redoInMasks: inMasks('redoInMasks'),
    showMasksShortcuts: inMasks('showMasksShortcuts'),
    copyCells: inTable('copyCells'),
    copyCellsWithHeader: inTable('copyCellsWithHeader'),
    filterToValue: inTable('filterToValue'),
    excludeValue: inTable('excludeValue'),
    sortColumnAscending: inTable('sortColumnAscending'),
    sortColumnDescending: inTable('sortColumnDescending'),
    pinColumn: inTable('pinColumn'),
    unpinColumn: inTable('unpinColumn'),
    hideColumn: inTable('hideColumn'),
    showColumnStatistics: inTable('showColumnStatistics'),
    groupByColumn: inTable('groupByColumn'),
    showGroups: inTable('showGroups'),
    undoInTable: inTable('undoInTable'),
    redoInTable: inTable('redoInTable'),
    showTableShortcuts: inTable('showTableShortcuts'),
  };
}
