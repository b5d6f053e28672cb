import type { Accounts } from '../../accounts/node/accounts';
import { PlainHosts } from '../../accounts/node/plainHosts';
import type { AccountSessions } from '../node/accountSessions';
import type { RecentJobs } from '../../jobs/node/recentJobs';
import type { Engine } from '../../linked/node/engine';
import type { SampleProcess } from '../../accounts/node/sampleProcess';
import type { Settings } from '../../host/settings';
import { StateFiles } from '../../accounts/node/stateFiles';
import type { FileNodes } from '../../uploads/node/fileNodes';
import type { OutputLog } from '../../host/editor/log';
import { readNetworkSettings } from '../../service/editor/network';
import type { ShownResults } from '../../linked/editor/shownResults';
import { accountCommands } from '../../accounts/editor/accountCommands';
import { runCommand, type Commands } from '../../host/editor/command';
import { exportCommands } from '../../linked/editor/exportCommands';
import { fileFilterCommands } from '../../uploads/editor/fileFilterCommands';
import { followCommands } from '../../linked/editor/followCommands';
import { imageCommands } from '../../linked/editor/imageCommands';
import { jobCommands } from '../../jobs/editor/jobCommands';
import { jobRowCommands } from '../../linked/editor/jobRowCommands';
import { listCommands } from '../../jobs/editor/listCommands';
import { menuCommands } from './menuCommands';
import type { RunCommand } from './registerCommands';
import { resultCommands } from '../../linked/editor/resultCommands';
import { signInToContinue } from '../../accounts/editor/signInToContinue';
import { analyzeCommands, analyzeUploaded } from '../../jobs/editor/analyzeCommands';
import { uploadCommands } from '../../uploads/editor/uploadCommands';

export interface AllCommandParts {
  accounts: Accounts;
  sessions: AccountSessions;
  settings: Settings;
  sample: () => Promise<SampleProcess>;
  shown: ShownResults;
  files: FileNodes;
  trees: readonly { refresh(): void }[];
  recent: RecentJobs;
  startEngine: () => Promise<Engine>;
  /** Folder of the extension's own files. */
  storage: string;
  log: OutputLog;
}

/** All commands of the extension. Loaded when the first one runs. */
export function allCommands(parts: AllCommandParts): RunCommand {
  const { accounts, sessions, settings, sample, files, trees, recent, startEngine, storage, log } = parts;
  const { results, exporter } = parts.shown;
  const commands: Commands = {
    ...accountCommands({
      accounts,
      plainHosts: new PlainHosts(new StateFiles(storage)),
      sample,
      settings,
      network: readNetworkSettings,
      log,
      storage,
    }),
    ...uploadCommands({
      sessions,
      settings,
      files,
      analyze: (accountId, uploaded) => analyzeUploaded({ sessions, log }, accountId, uploaded),
      log,
    }),
    ...analyzeCommands({ sessions, settings, files, startEngine, log }),
    ...jobCommands({ sessions, log }),
    ...jobRowCommands({ sessions, results, startEngine, log }),
    ...followCommands({ sessions, results, recent, log }),
    ...resultCommands({ sessions, results }),
    ...exportCommands({ sessions, results, exporter }),
    ...menuCommands({ results }),
    ...fileFilterCommands({ files }),
    ...imageCommands({ results }),
    ...listCommands({ sessions, trees, log }),
  };
  const signIn = {
    isSignedIn: () => accounts.active !== undefined,
    signIn: () => signInToContinue(accounts),
  };
  return async (name, args) => {
    const declared = commands[name];
    if (!declared) throw new TypeError(`Unknown command "${name}"`);
    return await runCommand({ signIn, log }, name, declared, args);
  };
}
