import type { Accounts } from '../../app/accounts/accounts';
import { PlainHosts } from '../../app/accounts/plainHosts';
import type { AccountSessions } from '../../app/accounts/accountSessions';
import type { RecentJobs } from '../../app/jobs/recentJobs';
import type { Engine } from '../../engine/engine';
import type { SampleProcess } from '../../app/sample/sampleProcess';
import type { Settings } from '../../app/settings/settings';
import { StateFiles } from '../../app/state/stateFiles';
import type { FileNodes } from '../../app/trees/fileNodes';
import type { OutputLog } from '../log';
import { readNetworkSettings } from '../network';
import type { ShownResults } from '../panels/shownResults';
import { accountCommands } from './accountCommands';
import { runCommand, type Commands } from './command';
import { exportCommands } from './exportCommands';
import { fileFilterCommands } from './fileFilterCommands';
import { followCommands } from './followCommands';
import { imageCommands } from './imageCommands';
import { jobCommands } from './jobCommands';
import { jobRowCommands } from './jobRowCommands';
import { listCommands } from './listCommands';
import { menuCommands } from './menuCommands';
import type { RunCommand } from './registerCommands';
import { resultCommands } from './resultCommands';
import { signInToContinue } from './steps/signInToContinue';
import { uploadCommands } from './uploadCommands';

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
    ...uploadCommands({ sessions, settings, files, startEngine, log }),
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
